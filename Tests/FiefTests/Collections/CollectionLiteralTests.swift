import FiefTestSupport
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var tags: List<String>
  @Persisted var lucky: MutableSet<Int>
  @Persisted var scores: Map<String, Int>
  @Persisted var pups: List<Dog>
  @Persisted var friends: Map<String, Dog?>

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

@Suite struct CollectionLiteralTests {
  private func dog(managed: Bool) throws -> (Realm, Dog) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    let dog = Dog("Rex")
    if managed { try realm.write { realm.add(dog) } }
    return (realm, dog)
  }

  @Test(arguments: [false, true]) func literalsReplaceTheElements(managed: Bool) throws {
    let (realm, dog) = try dog(managed: managed)
    try realm.write {
      dog.tags = ["old"]
      dog.tags = ["good", "small"]
      dog.lucky = [3, 7, 3]
      dog.scores = ["chess": 1, "go": 2]
      dog.pups = [Dog("Kit"), Dog("Bo")]
      dog.friends = ["best": Dog("Al"), "none": nil]
    }
    #expect(Array(dog.tags) == ["good", "small"])
    #expect(Set(dog.lucky) == [3, 7])
    #expect(dog.scores.keys.sorted() == ["chess", "go"] && dog.scores["go"] == 2)
    #expect(dog.pups.map(\.name) == ["Kit", "Bo"])
    #expect(dog.friends["best"]??.name == "Al" && dog.friends.count == 2)
    try realm.write { (dog.tags, dog.lucky, dog.scores) = ([], [], [:]) }
    #expect(dog.tags.isEmpty && dog.lucky.isEmpty && dog.scores.isEmpty)
  }

  @Test func collectionsAreMadeOfSequences() {
    #expect(Array(List((1...3).lazy.map { $0 * 2 })) == [2, 4, 6])
    #expect(Set(MutableSet([1, 2, 1])) == [1, 2])
    #expect(Map(uniqueKeysWithValues: zip(["a", "b"], 1...))["b"] == 2)
    let list: List<Int> = [1, 2]
    #expect(Array(List(list)) == [1, 2])
  }

  @Test(arguments: [false, true]) func collectionsAreComparedWithElements(managed: Bool) throws {
    let (realm, dog) = try dog(managed: managed)
    try realm.write {
      dog.tags = ["a", "b"]
      dog.lucky = [1, 2]
      dog.scores = ["a": 1]
      dog.pups = [dog]
    }
    #expect(dog.tags == ["a", "b"] && dog.tags != ["b", "a"] && dog.tags != ["a"] && dog.tags != [])
    #expect(dog.lucky == [2, 1] && dog.lucky == [1, 1, 2] && dog.lucky != [1] && dog.lucky != [1, 3])
    #expect(dog.scores == ["a": 1] && dog.scores != ["a": 2] && dog.scores != ["b": 1] && dog.scores != [:])
    #expect(dog.pups == [dog] && dog.pups != [Dog("Rex")])
    // Strings are equal if their bytes are, as everywhere in a realm.
    try realm.write { dog.tags = ["\u{E9}"] }
    #expect(dog.tags != ["e\u{301}"])
    if managed { #expect(dog.tags == realm.objects(Dog.self)[0].tags) }
  }

  @Test func aKeyThatIsGivenTwiceTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(Map(uniqueKeysWithValues: [("a", 1), ("a", 2)]))
    }
    expectSentence("made of entries in which the key 'a' is given twice", of: result)
  }

  @Test(arguments: [false, true]) func elementsAreAppendedInTheWordsOfArrays(managed: Bool) throws {
    let (realm, dog) = try dog(managed: managed)
    try realm.write {
      dog.tags += ["a"]
      dog.tags.append(contentsOf: ["b", "c"])
      dog.tags += dog.tags
    }
    #expect(dog.tags == ["a", "b", "c", "a", "b", "c"])
  }

  // MARK: Removing by a condition

  @Test(arguments: [false, true]) func elementsThatSatisfyAConditionAreRemoved(managed: Bool) throws {
    let (realm, dog) = try dog(managed: managed)
    try realm.write {
      dog.tags = ["a", "bb", "c", "dd", "ee"]
      dog.lucky = MutableSet(1...9)
      dog.scores = ["a": 1, "b": 2, "c": 3]
      dog.pups = [Dog("Kit"), Dog("Bo"), Dog("Kit")]
      dog.tags.removeAll(where: { $0.count == 2 })
      dog.lucky.removeAll(where: { $0 % 2 == 0 })
      dog.scores.removeAll(where: { $0.key == "a" || $0.value == 3 })
      dog.pups.removeAll { $0.name == "Kit" }
    }
    #expect(dog.tags == ["a", "c"] && dog.lucky == [1, 3, 5, 7, 9] && dog.scores == ["b": 2])
    #expect(dog.pups.map(\.name) == ["Bo"])
    if managed { #expect(realm.objects(Dog.self).count == 4) }
  }

  @Test(arguments: [false, true]) func aConditionThatThrowsRemovesNothing(managed: Bool) throws {
    let (realm, dog) = try dog(managed: managed)
    struct Refusal: Error {}
    try realm.write {
      dog.tags = ["a", "b"]
      dog.lucky = [1, 2]
      dog.scores = ["a": 1, "b": 2]
      #expect(throws: Refusal.self) {
        try dog.tags.removeAll(where: { if $0 == "b" { throw Refusal() } else { true } })
      }
      #expect(throws: Refusal.self) { try dog.lucky.removeAll(where: { _ in throw Refusal() }) }
      #expect(throws: Refusal.self) { try dog.scores.removeAll(where: { _ in throw Refusal() }) }
    }
    #expect(dog.tags == ["a", "b"] && dog.lucky == [1, 2] && dog.scores.count == 2)
  }

  @Test func aConditionThatChangesTheListTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list: List<Int> = [1, 2]
      list.removeAll(where: { _ in
        list.append(3)
        return true
      })
    }
    // Release builds, too, say why.
    expectSentence("by the condition of", of: result)
  }
}
