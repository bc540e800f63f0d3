import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""
}

private class Person: Object {
  @Persisted var dogs: List<Dog>
  @Persisted var dog: Dog?
  @Persisted var map: Map<String, Dog?>
  @Persisted var place = Place(x: 7)
  @Persisted var even: Even?
  @Persisted var strict = Even(persistedValue: 2)!
  @Persisted var evens: List<Even?>
}

private class Grid: EmbeddedObject {
  @Persisted var x = 3
}

private struct Place: CustomPersistable {
  var x: Int
  init(x: Int) { self.x = x }
  init(persistedValue: Grid) { x = persistedValue.x }
  var persistableValue: Grid { Grid(value: ["x": x]) }
}

private struct Even: FailableCustomPersistable {
  let number: Int
  init?(persistedValue: Int) {
    guard persistedValue % 2 == 0 else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

@Suite struct ForeignObjectTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self, Grid.self]))
  }

  @Test func objectsInOptionalsAreTakenAndNotCopied() throws {
    let dog: Dog? = Dog(value: ["Rex"])
    let dogs: [Dog?] = [dog]
    for person in [
      Person(value: ["dogs": dogs, "dog": dog as Any, "map": ["k": dog]] as [String: Any]),
      try Person(validating: ["dogs": [dog as Any], "dog": dog as Any, "map": ["k": dog as Any]] as [String: Any]),
    ] {
      #expect(person.dogs.first === dog && person.dog === dog && person.map["k"] as? Dog === dog)
    }
    let realm = try realm()
    try realm.write {
      realm.add(try #require(dog))
      let person = realm.create(Person.self, value: ["dogs": dogs])
      #expect(person.dogs.first?.isSameObject(as: dog) ?? false)
    }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test func nullForATypeOverAnEmbeddedClassMeansItsDefault() throws {
    let realm = try realm()
    let created = try realm.write { realm.create(Person.self, value: ["place": NSNull()]) }
    #expect(created.place.x == 3)
    #expect(Person(value: ["place": NSNull()]).place.x == 3)
    #expect(try Person(validating: ["place": Optional<Int>.none as Any]).place.x == 3)
    try realm.write { created["place"] = nil }
    #expect(created.place.x == 3)
  }

  @Test func aStoredValueWithoutMeaningIsNilWhereThePropertyIsOptional() throws {
    let realm = try realm()
    let given: [String: Any] = ["even": 3, "evens": [1, 2]]
    let created = try realm.write { realm.create(Person.self, value: given) }
    for person in [created, Person(value: given), try Person(validating: given), created.detached()] {
      #expect(person.even == nil && person.evens.map { $0?.number } == [nil, 2])
    }
    try realm.write { created["even"] = 4 }
    #expect(created.even?.number == 4)
    try realm.write { created["even"] = 5 }
    #expect(created.even == nil)
    #expect(throws: Realm.Error.self) { try Person(validating: ["even": "x"]) }
    #expect(throws: Realm.Error.self) { try Person(validating: ["strict": 3]) }
  }
}
