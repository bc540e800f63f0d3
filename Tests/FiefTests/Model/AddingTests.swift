import FiefTestSupport
import RealmSwift
import Testing

private class Toy: Object {
  @Persisted var name = ""
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var age: Int
  @Persisted var toy: Toy?
  @Persisted var friends: List<Dog>
  @Persisted var home: Kennel?
}

private class Kennel: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var size: Int8
}

@Suite struct AddingTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Toy.self, Dog.self, Kennel.self]))
  }

  @Test func anAddedObjectIsManagedAndKeepsItsValues() throws {
    let realm = try realm()
    let dog = Dog()
    dog.name = "Rex"
    dog.age = 3
    #expect(dog.realm == nil)
    try realm.write { realm.add(dog) }
    #expect(dog.realm == realm)
    #expect(dog.name == "Rex")
    #expect(dog.age == 3)
    try realm.write { dog.age += 1 }
    #expect(dog.age == 4)
  }

  @Test func anEmbeddedObjectThatWasNotAddedYetThawsToNil() throws {
    let dog = Dog()
    dog.home = Kennel()
    #expect(dog.home?.thaw() == nil)
    let realm = try realm()
    try realm.write { realm.add(dog) }
    #expect(dog.home?.freeze().thaw()?.isSameObject(as: dog.home) == true)
  }

  @Test func everythingThatAnAddedObjectReachesIsAdded() throws {
    let realm = try realm()
    let dog = Dog()
    dog.toy = Toy()
    dog.toy?.name = "ball"
    dog.home = Kennel()
    dog.home?.street = "Main Street"
    dog.home?.size = 7
    let friend = Dog()
    friend.friends.append(dog)
    dog.friends.append(friend)
    try realm.write { realm.add(dog) }
    #expect(friend.realm == realm)
    #expect(dog.toy?.name == "ball")
    #expect(dog.home?.street == "Main Street")
    #expect(dog.home?.size == 7)
    #expect(dog.friends.count == 1)
    #expect(dog.friends[0].friends[0].toy?.name == "ball")
  }

  @Test func aWriteThatIsRolledBackLeavesNothing() throws {
    let realm = try realm()
    let dog = Dog()
    realm.beginWrite()
    realm.add(dog)
    realm.cancelWrite()
    #expect(dog.isInvalidated)
    #expect(realm.isEmpty)
    let other = Dog()
    try realm.write { realm.add(other) }
    #expect(dog.isInvalidated)
    #expect(!other.isInvalidated)
  }

  @Test func aLongChainOfUnmanagedObjectsIsAddedAndFreedWithoutOverflow() throws {
    let realm = try realm()
    var head = Dog()
    for _ in 0..<Effort.of(debug: 30_000, release: 100_000) {
      let next = Dog()
      next.friends.append(head)
      head = next
    }
    try realm.write { realm.add(head) }
    var chain = Dog()
    chain.name = "end"
    for _ in 0..<Effort.of(debug: 30_000, release: 100_000) {
      let next = Dog()
      next.friends.append(chain)
      chain = next
    }
  }

  @Test func namesOfPropertiesComeFromKeyPaths() {
    #expect(_name(for: \Dog.home?.street) == "home.street")
    #expect(_name(for: \Dog.friends) == "friends")
  }
}
