import FiefTestSupport
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var toys: List<String>

  convenience init(_ name: String, _ age: Int, _ weight: Double?) {
    self.init()
    self.name = name
    self.age = age
    self.weight = weight
    toys.append(objectsIn: ["ball", name])
  }
}

private class Person: Object {
  @Persisted var dogs: List<Dog>
  @Persisted var best: MutableSet<Dog>
  @Persisted var numbers: List<Int>
  @Persisted var scores: Map<String, Int>
  @Persisted var named: Map<String, Dog?>
  @Persisted var optionals: List<Int?>
  @Persisted var optionalSet: MutableSet<String?>
  @Persisted var optionalMap: Map<String, Double?>
}

@Suite struct KeyedElementsTests {
  /// One person with three dogs, unmanaged and managed.
  private func persons() throws -> (Realm, [Person]) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let persons = (0..<2).map { _ in
      let person = Person()
      person.dogs.append(objectsIn: [Dog("Rex", 3, 1.5), Dog("Max", 5, nil), Dog("Rex", 4, 2)])
      person.best.insert(objectsIn: person.dogs)
      person.numbers.append(objectsIn: [4, 2, 6])
      person.scores["a"] = 1
      person.scores["b"] = 2
      return person
    }
    try realm.write { realm.add(persons[1]) }
    return (realm, persons)
  }

  @Test func valuesOfAPropertyComeForEveryElement() throws {
    for person in try persons().1 {
      #expect(person.dogs.value(forKey: "name") as? [String] == ["Rex", "Max", "Rex"])
      #expect(person.dogs.value(forKey: "weight").map { $0 as? Double } == [1.5, nil, 2])
      #expect(person.dogs.value(forKey: "weight")[1] is NSNull)
      #expect(Set(person.best.value(forKey: "name") as? [String] ?? []) == ["Rex", "Max"])
      #expect(person.best.value(forKey: "name").count == 2)
      #expect(person.best.value(forKeyPath: "@sum.age") as? Int == 12)
      #expect(Set(person.best.value(forKeyPath: "name") as? [String] ?? []) == ["Rex", "Max"])
      #expect(person.numbers.value(forKey: "self") as? [Int] == [4, 2, 6])
    }
  }

  @Test func aPathGoesOnBehindTheKeyOfACollection() {
    let map = Map<String, AnyRealmValue>()
    map["rows"] = [["eggs": 2], ["eggs": 3]]
    map["none"] = AnyRealmValue.none
    #expect(map.value(forKeyPath: "rows.eggs") as? [Int] == [2, 3])
    #expect(map.value(forKeyPath: "rows.@count") as? Int == 2 && map.value(forKeyPath: "rows.@sum.eggs") as? Int == 5)
    #expect(map.value(forKeyPath: "none") is NSNull && map.value(forKeyPath: "none.eggs") == nil)
    #expect(map.value(forKeyPath: "missing") == nil && map.value(forKeyPath: "missing.eggs") == nil)
  }

  @Test func aPathOfManyKeysIsReadStepByStep() {
    let map = Map<String, AnyRealmValue>()
    map["next"] = .dictionary(map)
    let path = repeatElement("next", count: 100_000).joined(separator: ".")
    let end = map.value(forKeyPath: path) as? Map<String, AnyRealmValue>
    #expect(end === map)
    map.removeAll()
  }

  @Test func operatorsWorkOutOneValue() throws {
    let (realm, persons) = try persons()
    for person in persons {
      let dogs = AnyRealmCollection(person.dogs)
      #expect(dogs.value(forKeyPath: "@count") as? Int == 3)
      #expect(dogs.value(forKeyPath: "@sum.age") as? Int == 12)
      #expect(dogs.value(forKeyPath: "@min.age") as? Int == 3)
      #expect(dogs.value(forKeyPath: "@max.weight") as? Double == 2)
      #expect(dogs.value(forKeyPath: "@avg.age") as? Double == 4)
      #expect(dogs.value(forKeyPath: "@unionOfObjects.name") as? [String] == ["Rex", "Max", "Rex"])
      #expect(dogs.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String] == ["Rex", "Max"])
      #expect((dogs.value(forKeyPath: "@unionOfArrays.toys") as? [String])?.count == 6)
      #expect(dogs.value(forKeyPath: "@distinctUnionOfArrays.toys") as? [String] == ["ball", "Rex", "Max"])
      #expect(person.numbers.value(forKeyPath: "@sum") as? [Int] == [12])
      #expect(person.scores.value(forKeyPath: "@sum") as? Int == 3)
      #expect(person.scores.value(forKey: "b") as? Int == 2)
      #expect(person.scores.value(forKey: "c") == nil)
      #expect((person.scores.value(forKeyPath: "@allKeys") as? [String])?.sorted() == ["a", "b"])
    }
    #expect(realm.objects(Dog.self).value(forKeyPath: "@max.age") as? Int == 5)
  }

  @Test func nullElementsAreCounted() throws {
    let (realm, persons) = try persons()
    func fill(_ person: Person) {
      person.optionals.append(objectsIn: [1, nil, 3])
      person.optionalSet.insert(objectsIn: ["a", nil])
      person.optionalMap["a"] = 1
      person.optionalMap["b"] = .some(nil)
      person.named["none"] = .some(nil)
    }
    fill(persons[0])
    try realm.write { fill(persons[1]) }
    for person in persons {
      #expect(person.optionals.value(forKeyPath: "@count") as? [Int] == [3])
      #expect(AnyRealmCollection(person.optionals).value(forKeyPath: "@count") as? Int == 3)
      #expect(person.optionalSet.value(forKeyPath: "@count") as? Int == 2)
      #expect(person.optionalMap.value(forKeyPath: "@count") as? Int == 2)
      #expect(person.named.value(forKeyPath: "@count") as? Int == 1)
      #expect(person.value(forKeyPath: "optionals.@count") as? Int == 3)
      #expect(person.value(forKeyPath: "optionalMap.@count") as? Int == 2)
      // A name behind the operator changes nothing, as in Foundation.
      #expect(AnyRealmCollection(person.dogs).value(forKeyPath: "@count.weight") as? Int == 3)
      // The other operators leave null out.
      #expect(person.optionals.value(forKeyPath: "@sum") as? [Int] == [4])
      #expect(person.optionals.value(forKeyPath: "@avg") as? [Double] == [2])
    }
    #expect(realm.objects(Person.self).filter("optionals.@count == 3 AND optionalMap.@count == 2").count == 1)
  }

  @Test func aValueIsSetInEveryElement() throws {
    let (realm, persons) = try persons()
    persons[0].dogs.setValue(7, forKey: "age")
    #expect(persons[0].dogs.map(\.age) == [7, 7, 7])
    try realm.write {
      persons[1].dogs.setValue(8, forKey: "age")
      persons[1].scores.setValue(5, forKey: "c")
      persons[1].scores.setValue(nil, forKey: "a")
    }
    #expect(realm.objects(Dog.self).map(\.age) == [8, 8, 8])
    #expect(persons[1].scores.keys == ["b", "c"])
    #expect(throws: Realm.Error.self) { try realm.write { persons[1].dogs.setValue("x", forKey: "age") } }
    #expect(throws: Realm.Error.self) { try realm.write { persons[1].scores.setValue("x", forKey: "c") } }
    #expect(persons[1].dogs.map(\.age) == [8, 8, 8])
  }

  /// The map keeps no way back to its object, which may be gone.
  @Test func aBadObjectInAMapThatOutlivesItsObjectFailsTheWriteThatAddsIt() throws {
    let (realm, _) = try persons()
    let map: Map<String, Dog?> = Person().named
    map.setValue(["age": "not a number"], forKey: "Rex")
    #expect(map.count == 1)
    let person = Person()
    person.named = map
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(person) } }
    #expect(error?.localizedDescription.contains("age") == true)
    #expect(person.realm == nil)
    person.named.setValue(["age": 3], forKey: "Rex")
    try realm.write { realm.add(person) }
    #expect(person.named["Rex"]??.age == 3)
  }

  @Test func aPathOfAnObjectGoesIntoMapsAndCollections() throws {
    for person in try persons().1 {
      #expect(person.value(forKeyPath: "scores.a") as? Int == 1 && person.value(forKeyPath: "scores.c") == nil)
      #expect(
        person.value(forKeyPath: "scores.@sum") as? Int == 3 && person.value(forKeyPath: "scores.@count") as? Int == 2)
      #expect((person.value(forKeyPath: "scores.@allKeys") as? [String])?.sorted() == ["a", "b"])
      #expect(person.value(forKeyPath: "dogs.name") as? [String] == ["Rex", "Max", "Rex"])
      #expect(
        person.value(forKeyPath: "dogs.@count") as? Int == 3 && person.value(forKeyPath: "dogs.@max.age") as? Int == 5)
      #expect(Set(person.value(forKeyPath: "best.name") as? [String] ?? []) == ["Rex", "Max"])
      #expect((person.value(forKeyPath: "best.name") as? [Any])?.count == 2)
      #expect(person.value(forKeyPath: "numbers.@sum") as? Int == 12)
      let list = List<Person>()
      if person.realm == nil { list.append(person) }
      #expect(list.value(forKeyPath: "scores.b") as? [Int] == list.map { _ in 2 })
      #expect(list.value(forKeyPath: "dogs.age") as? [[Int]] == list.map { _ in [3, 5, 4] })
    }
  }

  @Test func nullUnderAKeyOfAMapIsToldFromAMissingKey() throws {
    let (realm, persons) = try persons()
    persons[0].named["none"] = .some(nil)
    try realm.write { persons[1].named["none"] = .some(nil) }
    for person in persons {
      #expect(person.named.value(forKey: "none") is NSNull && person.named.value(forKey: "missing") == nil)
      #expect(person.named.value(forKeyPath: "none") is NSNull && person.value(forKeyPath: "named.none") is NSNull)
      #expect(person.named.value(forKeyPath: "none.age") == nil && person.value(forKeyPath: "named.none.age") == nil)
      #expect(person.scores.value(forKey: "a") as? Int == 1)
    }
  }

  @Test func aPathOfAnObjectSetsUnderTheKeysOfMaps() throws {
    let (realm, persons) = try persons()
    persons[0].setValue(7, forKeyPath: "scores.a")
    try realm.write { persons[1].setValue(7, forKeyPath: "scores.a") }
    #expect(persons.map { $0.scores["a"] } == [7, 7])
    #expect(realm.objects(Person.self).value(forKeyPath: "scores.a") as? [Int] == [7])
  }

  @Test func aDeletedObjectIsReportedBeforeTheMissingWrite() async {
    func said(_ result: ExitTest.Result?) -> Bool {
      let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      return words.contains("deleted or invalidated") && !words.contains("write transaction")
    }
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, persons) = try KeyedElementsTests().persons()
      let dogs = persons[1].dogs
      try realm.write { realm.delete(persons[1]) }
      dogs.setValue(7, forKey: "age")
    }
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, persons) = try KeyedElementsTests().persons()
      try realm.write { realm.delete(persons[1]) }
      realm.delete(persons[1])
    }
    let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, persons) = try KeyedElementsTests().persons()
      try realm.write { realm.delete(persons[1]) }
      realm.delete([persons[1]])
    }
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, persons) = try KeyedElementsTests().persons()
      let dogs = persons[1].dogs
      try realm.write { realm.delete(persons[1]) }
      realm.delete(dogs)
    }
    let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, persons) = try KeyedElementsTests().persons()
      try realm.write { realm.delete(persons[1]) }
      realm.add(persons[1])
    }
    #expect(said(set) && said(deleted) && said(several) && said(list) && said(added))
    let present = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, persons) = try KeyedElementsTests().persons()
      realm.delete(persons[1])
    }
    expectSentence("outside of a write transaction", of: present)
  }

  @Test func listsInListsHaveNoProperties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = List<AnyRealmValue>()
      list.append(.fromArray([.fromArray([])]))
      print(list.value(forKeyPath: "name"))
    }
    expectSentence("in the key path 'name': it follows a value that has no properties", of: result)
  }

  @Test func unknownNamesTrap() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try KeyedElementsTests().persons().1[1].dogs.value(forKey: "nothing")
    }
    expectSentence("Invalid property name 'nothing' for class 'Dog'", of: name)
    let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AnyRealmCollection(try KeyedElementsTests().persons().1[1].dogs).value(forKeyPath: "@sum.age.x")
    }
    expectSentence("Nested key path '@sum.age.x' is not supported", of: path)
  }
}
