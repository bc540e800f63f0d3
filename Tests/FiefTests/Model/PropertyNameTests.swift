import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Toy: Object {
  @Persisted var name = ""
}

private class Tag: EmbeddedObject {
  @Persisted var text: String?
}

private class Dog: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var name = ""
  @Persisted var age: Int8
  @Persisted var weight: Double?
  @Persisted var toy: Toy?
  @Persisted var tag: Tag?
  @Persisted var friends: List<Dog>
  @Persisted var scores: Map<String, Int>
  @Persisted(originProperty: "friends") var fans: LinkingObjects<Dog>
}

@Suite struct PropertyNameTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Toy.self, Tag.self, Dog.self]))
  }

  @Test func propertiesAreReadAndWrittenByName() throws {
    let realm = try realm()
    let dog = Dog()
    try realm.write { realm.add(dog) }
    for dog in [Dog(), dog] {
      try realm.write {
        dog["name"] = "Rex"
        dog["age"] = 3
        dog["weight"] = 4
        dog.setValue(Toy(), forKey: "toy")
        dog["tag"] = Tag()
        dog["friends"] = [Dog]()
        dog["scores"] = ["chess": 7]
      }
      #expect(dog["name"] as? String == "Rex" && dog.value(forKey: "age") as? Int8 == 3)
      #expect(dog["weight"] as? Double == 4 && dog["toy"] is Toy && dog["tag"] is Tag)
      #expect((dog["friends"] as? List<Dog>)?.count == 0 && (dog["scores"] as? Map<String, Int>)?["chess"] == 7)
      try realm.write {
        dog["weight"] = nil
        dog["toy"] = nil
      }
      #expect(dog["weight"] == nil && dog.toy == nil)
    }
  }

  @Test func pathsGoThroughLinksAndCollections() {
    let (dog, friend) = (Dog(), Dog())
    friend.name = "Bo"
    dog.toy = Toy()
    dog.toy?.name = "ball"
    dog.friends.append(friend)
    #expect(dog.value(forKeyPath: "toy.name") as? String == "ball")
    #expect(friend.value(forKeyPath: "toy.name") == nil)
    #expect(dog.value(forKeyPath: "friends.name") as? [String] == ["Bo"])
    #expect(dog.value(forKeyPath: "friends.@count") as? Int == 1)
  }

  @Test func aWrongValueFailsTheWrite() throws {
    let realm = try realm()
    let dog = Dog()
    try realm.write { realm.add(dog) }
    for (name, value) in [("name", 3 as Any), ("age", 300), ("age", 1.5), ("toy", Tag()), ("scores", [1])] {
      let error = #expect(throws: Realm.Error.self) { try realm.write { dog[name] = value } }
      #expect(error?.code == .invalidValue, "\(error?.localizedDescription ?? "")")
      #expect(error?.localizedDescription.contains("'Dog.\(name)'") == true)
    }
    #expect(dog.name.isEmpty && dog.age == 0)
  }

  @Test func aWrongValueOfAnUnmanagedObjectFailsItsAdding() throws {
    let realm = try realm()
    let dog = Dog()
    dog["age"] = "old"
    #expect(throws: Realm.Error(.invalidValue)) { try realm.write { realm.add(dog) } }
    #expect(realm.isEmpty)
  }

  @Test func anUnknownNameTraps() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(Dog()["nam"] as Any)
    }
    expectSentence("Invalid property name 'nam' for class 'Dog'", of: reading)
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Dog()["nam"] = 1
    }
    expectSentence("Invalid property name 'nam' for class 'Dog'", of: writing)
    let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(Dog().value(forKeyPath: "toy.x.y") as Any, Dog().value(forKeyPath: "name.x") as Any)
    }
    expectSentence("it follows a value that has no properties", of: path)
  }

  @Test func writingByNameOutsideAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Toy.self]))
      let toy = Toy()
      try realm.write { realm.add(toy) }
      toy["name"] = "x"
    }
    expectSentence("Property 'Toy.name' was changed outside of a write transaction", of: result)
  }

  @Test func objectsOfOneRowAreTheSame() throws {
    let realm = try realm()
    let (dog, toy) = (Dog(), Toy())
    dog.toy = toy
    dog.tag = Tag()
    #expect(dog.isSameObject(as: dog) && !dog.isSameObject(as: Dog()) && !dog.isSameObject(as: nil))
    try realm.write { realm.add(dog) }
    let other = try #require(dog.toy)
    #expect(other !== toy && other != toy && other.isSameObject(as: toy))
    #expect(dog.tag!.isSameObject(as: dog.tag) && dog.tag != dog.tag)
    #expect(realm.objects(Dog.self).first == dog)
    #expect(realm.objects(Dog.self).first?.hashValue == dog.hashValue)
    #expect(!toy.isSameObject(as: dog))
  }

  @Test func unmanagedObjectsAreEqualByInstance() {
    let (a, b) = (Dog(), Dog())
    #expect(a == a && a != b && Set([a, b, a]).count == 2)
  }

  @Test func objectsOfTwoRealmsAreNotTheSame() throws {
    let (first, second) = (try realm(), try realm())
    let (a, b) = (Dog(), Dog())
    try first.write { first.add(a) }
    try second.write { second.add(b) }
    #expect(a != b && !a.isSameObject(as: b))
  }

  @Test func deletedAndRolledBackObjectsAreInvalid() throws {
    let realm = try realm()
    let (dog, other) = (Dog(), Dog())
    #expect(!dog.isInvalidated)
    try realm.write { realm.add(dog) }
    let accessor = try #require(realm.objects(Dog.self).first)
    try realm.write { realm.delete(dog) }
    #expect(dog.isInvalidated && accessor.isInvalidated && dog.realm == nil)
    realm.beginWrite()
    realm.add(other)
    realm.cancelWrite()
    #expect(other.isInvalidated)
    #expect(other.description == "[invalid object]")
  }

  @Test func identitiesDifferBetweenRowsAndAgreeBetweenAccessors() throws {
    let realm = try realm()
    let (a, b) = (Dog(), Dog())
    b.number = 1
    #expect(a.id != b.id)
    try realm.write { realm.add([a, b]) }
    #expect(a.id != b.id)
    #expect(realm.object(ofType: Dog.self, forPrimaryKey: 1)?.id == b.id)
  }

  @Test func keyPathsHaveNames() {
    #expect(_name(for: \Dog.name) == "name")
    #expect(_name(for: \Dog.toy?.name) == "toy.name")
    #expect(_name(for: \Dog.tag?.text) == "tag.text")
    #expect(_name(for: \Dog.friends) == "friends")
    #expect(_name(for: \Dog.friends[0].toy?.name) == "friends.toy.name")
    #expect(_name(for: \Dog.fans) == "fans")
    #expect(_name(for: \Dog.scores) == "scores")
    #expect(_name(for: \Dog.weight as PartialKeyPath<Dog>) == "weight")
  }

  @Test func aKeyPathToNoPropertyTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(_name(for: \Dog.self))
    }
    expectSentence("passes no managed property", of: result)
  }
}
