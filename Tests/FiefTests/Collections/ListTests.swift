import FiefTestSupport
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var friends: List<Dog>

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

private class Tag: EmbeddedObject {
  @Persisted var text = ""

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

private class Person: Object {
  @Persisted var dogs: List<Dog>
  @Persisted var lucky: List<Int>
  @Persisted var words: List<String?>
  @Persisted var tags: List<Tag>
  @Persisted var things: List<AnyRealmValue>
}

private class Older: Object {
  @Persisted(primaryKey: true) var id = 0
  let dogs = List<Dog>()
}

private func openRealm() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Dog.self, Tag.self, Person.self, Older.self]))
}

@Suite struct ListTests {
  private func managedPerson() throws -> (Realm, Person) {
    let realm = try openRealm()
    let person = Person()
    try realm.write { realm.add(person) }
    return (realm, person)
  }

  @Test(arguments: Seeds.all) func anyHistoryIsThatOfAnArray(seed: Seed) throws {
    var random = seed.random
    let (realm, person) = try managedPerson()
    let loose = Person()
    var model: [Int] = []
    realm.beginWrite()
    for _ in 0..<120 {
      step(&model, [person.lucky, loose.lucky], &random)
      #expect(Array(person.lucky) == model)
      #expect(Array(loose.lucky) == model)
      if random.below(15) == 0 {
        try realm.commitWrite()
        #expect(Array(person.lucky) == model)
        realm.beginWrite()
      }
    }
    realm.cancelWrite()
  }

  private func step(_ model: inout [Int], _ lists: [List<Int>], _ random: inout SeededRandom) {
    let value = random.below(100)
    let count = model.count
    switch random.below(14) {
    case 0, 1:
      model.append(value)
      for list in lists { list.append(value) }
    case 2:
      let values = (0..<random.below(80)).map { $0 + value }
      model += values
      for list in lists { list.append(objectsIn: values) }
    case 3:
      let position = random.below(count + 1)
      model.insert(value, at: position)
      for list in lists { list.insert(value, at: position) }
    case 4:
      let position = random.below(count + 1)
      model.insert(contentsOf: [value, value + 1], at: position)
      for list in lists { list.insert(contentsOf: [value, value + 1], at: position) }
    case 5 where count > 0:
      let position = random.below(count)
      model.remove(at: position)
      for list in lists { list.remove(at: position) }
    case 6 where count > 0:
      let number = random.below(min(count, 9) + 1)
      model.removeFirst(number)
      for list in lists { list.removeFirst(number) }
    case 7 where count > 0:
      let number = random.below(min(count, 9) + 1)
      model.removeLast(number)
      for list in lists { list.removeLast(number) }
    case 8 where count > 0:
      let position = random.below(count)
      model[position] = value
      for list in lists { list[position] = value }
    case 9:
      let start = random.below(count + 1)
      let end = start + random.below(count - start + 1)
      model.replaceSubrange(start..<end, with: [value])
      for list in lists { list.replaceSubrange(start..<end, with: [value]) }
    case 10 where count > 0:
      let (from, to) = (random.below(count), random.below(count))
      model.insert(model.remove(at: from), at: to)
      for list in lists { list.move(from: from, to: to) }
    case 11 where count > 0:
      let (a, b) = (random.below(count), random.below(count))
      model.swapAt(a, b)
      for list in lists { list.swapAt(a, b) }
    case 12 where count > 0:
      var offsets = IndexSet()
      for _ in 0..<3 { offsets.insert(random.below(count)) }
      for offset in offsets.reversed() { model.remove(at: offset) }
      for list in lists { list.remove(atOffsets: offsets) }
    case 13 where random.below(4) == 0:
      model = []
      for list in lists { list.removeAll() }
    default: break
    }
  }

  @Test func anElementThatIsMovedByOffsetsStandsWhereAnArrayWouldHaveIt() throws {
    let (realm, person) = try managedPerson()
    let loose = List<Int>()
    for from in 0..<5 {
      for to in 0...5 {
        var model = [0, 1, 2, 3, 4]
        let moved = model.remove(at: from)
        model.insert(moved, at: to > from ? to - 1 : to)
        try realm.write {
          for list in [person.lucky, loose] {
            list.removeAll()
            list.append(objectsIn: 0..<5)
            list.move(fromOffsets: IndexSet(integer: from), toOffset: to)
            #expect(Array(list) == model)
          }
        }
      }
    }
  }

  @Test func slicesAreReadAndReplaced() throws {
    let (realm, person) = try managedPerson()
    try realm.write {
      person.lucky.append(objectsIn: 0..<10)
      #expect(Array(person.lucky[2..<5]) == [2, 3, 4])
      person.lucky[0..<3] = person.lucky[8..<10]
    }
    #expect(Array(person.lucky) == [8, 9, 3, 4, 5, 6, 7, 8, 9])
    try realm.write { person.lucky.replaceSubrange(...2, with: []) }
    #expect(Array(person.lucky) == [4, 5, 6, 7, 8, 9])
    try realm.write { person.lucky.removeSubrange(1...) }
    #expect(Array(person.lucky) == [4])
  }

  @Test func removingManyElementsOfAnUnmanagedListIsLinear() {
    let list = List(0..<1_000_000)
    // It takes some second in debug, and took 25 when each run of elements moved all behind it.
    list.removeAll(where: { $0 % 2 == 0 })
    #expect(list.count == 500_000 && list.first == 1 && list.last == 999_999 && list[7] == 15)
    list.remove(atOffsets: [0, 1, 2, 499_999])
    #expect(list.count == 499_996 && list.first == 7 && list.last == 999_997)
    list.remove(atOffsets: [])
    #expect(list.count == 499_996)
  }

  @Test func nullIsAnElementOfAListOfOptionals() throws {
    let (realm, person) = try managedPerson()
    try realm.write {
      person.words.append(objectsIn: ["a", nil, "b"])
      person.words[2] = nil
    }
    #expect(Array(person.words) == ["a", nil, nil])
    #expect(person.words.index(of: nil) == 1)
    #expect(person.words.first == .some("a"))
    #expect(person.words.last == .some(nil))
  }

  @Test func unmanagedObjectsThatComeIntoAListAreAdded() throws {
    let (realm, person) = try managedPerson()
    let rex = Dog("Rex")
    try realm.write {
      person.dogs.append(rex)
      person.dogs.append(objectsIn: [Dog("Max"), rex])
      person.dogs.insert(Dog("Kim"), at: 0)
      person.dogs[1] = Dog("Bo")
    }
    #expect(rex.realm == realm)
    #expect(person.dogs.map(\.name) == ["Kim", "Bo", "Max", "Rex"])
    #expect(realm.objects(Dog.self).count == 4)
    #expect(person.dogs.index(of: rex) == 3)
    #expect(person.dogs.index(of: Dog("Rex")) == nil)
  }

  @Test func removingAnObjectLeavesItInTheRealmAndDeletingItTakesItOut() throws {
    let (realm, person) = try managedPerson()
    let (rex, max) = (Dog("Rex"), Dog("Max"))
    try realm.write {
      person.dogs.append(objectsIn: [rex, max, rex])
      person.dogs.remove(at: 1)
    }
    #expect(!max.isInvalidated)
    try realm.write { realm.delete(rex) }
    #expect(person.dogs.isEmpty)
    realm.beginWrite()
    person.dogs.append(max)
    realm.delete(max)
    #expect(person.dogs.count == 0)
    realm.cancelWrite()
    #expect(person.dogs.count == 0)
    #expect(!realm.objects(Dog.self)[0].isInvalidated)
  }

  @Test func embeddedObjectsLiveAndDieWithTheirPlaceInTheList() throws {
    let (realm, person) = try managedPerson()
    let (a, b, c) = (Tag("a"), Tag("b"), Tag("c"))
    try realm.write { person.tags.append(objectsIn: [a, b, c]) }
    #expect(a.realm == realm)
    #expect(person.tags.map(\.text) == ["a", "b", "c"])
    try realm.write {
      person.tags[1] = Tag("B")
      person.tags.remove(at: 0)
      person.tags.insert(Tag("z"), at: 0)
    }
    #expect(a.isInvalidated)
    #expect(b.isInvalidated)
    #expect(!c.isInvalidated)
    #expect(person.tags.map(\.text) == ["z", "B", "c"])
    try realm.write {
      person.tags[2] = c
      person.tags[0..<3] = person.tags[0..<3]
      person.tags.swapAt(0, 2)
      person.tags.move(from: 0, to: 1)
    }
    #expect(person.tags.map(\.text) == ["B", "c", "z"])
    try realm.write { person.tags.replaceSubrange(0..<2, with: [Tag("1"), Tag("2"), Tag("3")]) }
    #expect(person.tags.map(\.text) == ["1", "2", "3", "z"])
    #expect(c.isInvalidated)
    try realm.write { realm.delete(person) }
    #expect(realm.isEmpty)
  }

  @Test func anEmbeddedObjectThatHasAnOwnerFailsTheWriteAndChangesNothing() throws {
    let (realm, person) = try managedPerson()
    let tag = Tag("a")
    try realm.write { person.tags.append(tag) }
    #expect(throws: Realm.Error.self) {
      try realm.write {
        person.tags.append(objectsIn: [Tag("b"), tag])
        #expect(person.tags.count == 1)
      }
    }
    #expect(person.tags.map(\.text) == ["a"])
  }

  @Test func anObjectOfAnotherRealmFailsTheWriteAndChangesNothing() throws {
    let (realm, person) = try managedPerson()
    let (other, stranger) = try managedPerson()
    try other.write { stranger.dogs.append(Dog("Rex")) }
    for frozen in [false, true] {
      let foreign = frozen ? stranger.dogs.freeze()[0] : stranger.dogs[0]
      #expect(throws: Realm.Error.self) {
        try realm.write {
          person.dogs.append(objectsIn: [Dog("Max"), foreign])
          #expect(person.dogs.isEmpty)
        }
      }
      #expect(throws: Realm.Error.self) { try realm.write { person.dogs.append(foreign) } }
    }
    #expect(realm.objects(Dog.self).count == 0)
  }

  @Test func assigningAListCopiesItsElements() throws {
    let (realm, person) = try managedPerson()
    let loose = Person()
    loose.lucky.append(objectsIn: [1, 2])
    let kept = loose.lucky
    let other = List<Int>()
    other.append(objectsIn: [7, 8, 9])
    loose.lucky = other
    #expect(loose.lucky === kept)
    #expect(Array(kept) == [7, 8, 9])
    other.append(1)
    #expect(loose.lucky.count == 3)
    try realm.write {
      person.lucky = other
      person.lucky = person.lucky
      person.dogs.append(Dog("Rex"))
      loose.dogs.append(Dog("Max"))
      loose.dogs.append(person.dogs[0])
      person.dogs = loose.dogs
    }
    #expect(Array(person.lucky) == [7, 8, 9, 1])
    #expect(person.dogs.map(\.name) == ["Max", "Rex"])
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test func nestedListsAreReplacedByWhatIsMadeOfThem() throws {
    let (realm, person) = try managedPerson()
    let inner = List<AnyRealmValue>()
    inner.append(objectsIn: [.int(1), .string("two")])
    try realm.write {
      person.things.append(objectsIn: [.int(0), .list(inner)])
      person.things.insert(.list(inner), at: 0)
      person.things[1] = .list(inner)
      // The new elements are made from the elements that they replace.
      person.things.replaceSubrange(0..<2, with: Array(person.things[0..<2]))
    }
    #expect(person.things.count == 3)
    for thing in person.things {
      guard case .list(let nested) = thing else {
        Issue.record("An element is no list: \(thing)")
        return
      }
      #expect(Array(nested) == [.int(1), .string("two")])
    }
    try realm.write {
      if case .list(let nested) = person.things[2] { nested.append(.bool(true)) }
    }
    if case .list(let nested) = person.things[2] { #expect(nested.count == 3) }
  }

  @Test func listsThatAppearInAnObjectWithoutAWrapperBecomeManaged() throws {
    let realm = try openRealm()
    let older = Older()
    let list = older.dogs
    list.append(Dog("Rex"))
    try realm.write { realm.add(older) }
    #expect(list.realm == realm)
    #expect(list.map(\.name) == ["Rex"])
    try realm.write { older.dogs.append(Dog("Max")) }
    #expect(realm.object(ofType: Older.self, forPrimaryKey: 0)?.dogs.count == 2)
  }

  @Test func listsAreEqualByPlaceOrByContents() throws {
    let (realm, person) = try managedPerson()
    #expect(person.lucky == person.lucky)
    #expect(person.lucky !== person.lucky)
    #expect(Set([person.lucky, person.lucky]).count == 1)
    let (a, b) = (List<Int>(), List<Int>())
    #expect(a == b)
    a.append(1)
    #expect(a != b)
    b.append(1)
    #expect(a == b)
    #expect(a != person.lucky)
    let other = Person()
    try realm.write { realm.add(other) }
    #expect(other.lucky != person.lucky)
  }

  @Test func aFrozenListStaysAndItsThawedOneIsLive() throws {
    let (realm, person) = try managedPerson()
    try realm.write { person.lucky.append(1) }
    let frozen = person.lucky.freeze()
    try realm.write { person.lucky.append(2) }
    #expect(frozen.isFrozen)
    #expect(Array(frozen) == [1])
    #expect(frozen.thaw().map(Array.init) == [1, 2])
    try realm.write { realm.delete(person) }
    #expect(frozen.thaw() == nil)
    #expect(Array(frozen) == [1])
  }

  @Test func aListIsInvalidWhenItsObjectIsDeleted() throws {
    let (realm, person) = try managedPerson()
    let list = person.lucky
    #expect(!list.isInvalidated)
    realm.beginWrite()
    realm.delete(person)
    #expect(list.isInvalidated)
    realm.cancelWrite()
    #expect(!list.isInvalidated)
    #expect(list.count == 0)
  }

  @Test func elementsOfATracedCollectionHaveNames() {
    #expect(_name(for: \Person.dogs[0].name) == "dogs.name")
    #expect(_name(for: \Person.dogs.first?.friends) == "dogs.friends")
    #expect(_name(for: \Person.dogs.count) == "dogs")
    #expect(_name(for: \Person.dogs[0].friends[0].name) == "dogs.friends.name")
    #expect(_name(for: \Person.dogs.projectTo.name) == "dogs.name")
  }

  @Test func longChainsOfListsAreFreed() {
    var chain = Dog("end")
    for _ in 0..<100_000 {
      let next = Dog()
      next.friends.append(chain)
      chain = next
    }
    var nested = List<AnyRealmValue>()
    for _ in 0..<100_000 {
      let next = List<AnyRealmValue>()
      next.append(.list(nested))
      nested = next
    }
    #expect(chain.friends.count == 1)
    #expect(nested.count == 1)
  }
}
