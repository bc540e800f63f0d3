import FiefTestSupport
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

private class Home: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var rooms: List<Room>
}

private class Room: EmbeddedObject {
  @Persisted var size = 0
}

private class Person: Object {
  @Persisted var dog: Dog?
  @Persisted var dogs: List<Dog>
  @Persisted var kennel: MutableSet<Dog>
  @Persisted var named: Map<String, Dog?>
  @Persisted var anything: AnyRealmValue
  @Persisted var home: Home?
  @Persisted var homes: List<Home>
}

private class Guard: Object {
  @Persisted(deleteRule: .deny) var dogs: List<Dog>
  @Persisted(deleteRule: .cascade) var helper: Dog?
}

@Suite struct DeletingTests {
  private static func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(objectTypes: [Dog.self, Person.self, Home.self, Room.self, Guard.self]))
  }

  private func realm() throws -> Realm { try Self.realm() }

  @Test func everyLinkToADeletedObjectGoes() throws {
    let realm = try realm()
    let (dog, other) = (Dog(), Dog())
    let person = Person()
    person.dog = dog
    person.dogs.append(objectsIn: [dog, other, dog])
    person.kennel.insert(objectsIn: [dog, other])
    person.named["a"] = dog
    person.named["b"] = other
    person.anything = .object(dog)
    try realm.write { realm.add(person) }
    try realm.write { realm.delete(dog) }
    #expect(dog.isInvalidated && dog.realm == nil)
    #expect(person.dog == nil)
    #expect(person.dogs.count == 1 && person.dogs[0].isSameObject(as: other))
    #expect(person.kennel.count == 1)
    #expect(person.named.keys == ["a", "b"])
    #expect(person.named["a"] == .some(nil))
    #expect(person.anything == .none)
    #expect(other.owners.count == 1)
  }

  @Test func embeddedObjectsGoWithTheirOwner() throws {
    let realm = try realm()
    let person = Person(value: [
      "home": ["street": "Main", "rooms": [["size": 1], ["size": 2]]], "homes": [["street": "Sea"]],
    ])
    try realm.write { realm.add(person) }
    let home = try #require(person.home)
    let room = home.rooms[1]
    let other = person.homes[0]
    try realm.write { realm.delete(person) }
    #expect(home.isInvalidated && room.isInvalidated && other.isInvalidated)
    #expect(realm.isEmpty)
  }

  @Test func deletingAnEmbeddedObjectTakesItFromItsOwner() throws {
    let realm = try realm()
    let person = Person(value: ["home": ["street": "Main"], "homes": [["street": "Sea"], ["street": "Hill"]]])
    try realm.write { realm.add(person) }
    try realm.write {
      realm.delete(person.home!)
      realm.delete(person.homes[0])
    }
    #expect(person.home == nil)
    #expect(person.homes.map(\.street) == ["Hill"])
  }

  @Test func aDeletedObjectIsDeletedOnce() async throws {
    let realm = try realm()
    let dog = Dog()
    try realm.write { realm.add(dog) }
    let same = try #require(realm.objects(Dog.self).first)
    try realm.write {
      realm.delete(dog)
      // Deleting through another accessor of a deleted row does nothing.
      realm.delete(same)
    }
    #expect(same.isInvalidated && same.realm == realm)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try DeletingTests.realm()
      let dog = Dog()
      try realm.write {
        realm.add(dog)
        realm.delete(dog)
        realm.delete(dog)
      }
    }
    expectSentence("this instance of class 'Dog' was deleted before", of: result)
  }

  @Test func objectsOfAnotherRealmAreNotDeleted() async {
    let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try DeletingTests.realm()
      try realm.write { realm.delete(Dog()) }
    }
    expectSentence("object of class 'Dog' is unmanaged", of: unmanaged)
    let foreign = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (realm, other) = (try DeletingTests.realm(), try DeletingTests.realm())
      let dog = Dog()
      try realm.write { realm.add(dog) }
      try other.write { other.delete(dog) }
    }
    expectSentence("this one is another realm's, or frozen", of: foreign)
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try DeletingTests.realm()
      let dog = Dog()
      try realm.write { realm.add(dog) }
      realm.delete(dog)
    }
    expectSentence("Object of class 'Dog' was deleted outside of a write transaction", of: outside)
  }

  @Test func collectionsAreDeletedWithTheirObjects() throws {
    let realm = try realm()
    let person = Person()
    person.dogs.append(objectsIn: [Dog(), Dog()])
    person.named["a"] = Dog()
    person.kennel.insert(Dog())
    try realm.write { realm.add(person) }
    try realm.write { realm.delete(person.dogs) }
    #expect(person.dogs.isEmpty && realm.objects(Dog.self).count == 2)
    try realm.write { realm.delete(person.named) }
    #expect(person.named.keys == ["a"] && person.named["a"] == .some(nil))
    try realm.write { realm.delete(realm.objects(Dog.self)) }
    #expect(realm.objects(Dog.self).isEmpty && person.kennel.isEmpty)
    let list = List<Dog>()
    try realm.write {
      list.append(objectsIn: [realm.create(Dog.self), realm.create(Dog.self)])
      realm.delete(list)
    }
    #expect(list.count == 2 && list[0].isInvalidated)
    try realm.write { realm.delete([person]) }
    #expect(realm.isEmpty)
  }

  @Test func deleteRulesDenyAndCascade() throws {
    let realm = try realm()
    let warden = Guard()
    let (dog, helper) = (Dog(), Dog())
    warden.dogs.append(dog)
    warden.helper = helper
    try realm.write { realm.add(warden) }
    #expect(throws: Realm.Error(.deleteDenied)) { try realm.write { realm.delete(warden) } }
    #expect(!warden.isInvalidated && !helper.isInvalidated)
    try realm.write {
      realm.delete(dog)
      realm.delete(warden)
    }
    #expect(warden.isInvalidated && helper.isInvalidated)
  }

  @Test func rollingBackADeletionBringsTheObjectBack() throws {
    let realm = try realm()
    let dog = Dog(value: ["name": "Rex"])
    try realm.write { realm.add(dog) }
    realm.beginWrite()
    realm.delete(dog)
    #expect(dog.isInvalidated)
    realm.cancelWrite()
    #expect(!dog.isInvalidated && dog.name == "Rex" && dog.realm == realm)
  }

  @Test func deleteAllLeavesNothing() throws {
    let realm = try realm()
    try realm.write {
      for _ in 0..<300 { realm.add(Person(value: ["home": ["street": "Main"], "dogs": [["name": "a"]]])) }
    }
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }
}
