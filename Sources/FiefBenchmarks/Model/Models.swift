import Fief

// The classes of the benchmarks, written as in an application.

final class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var active: Bool
  @Persisted(indexed: true) var city: String?
  @Persisted var created: Date
  @Persisted var dog: Dog?
  @Persisted var dogs: List<Dog>
  @Persisted var address: Address?
}

final class Dog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var toy: DogToy?
  @Persisted(originProperty: "dog") var owners: LinkingObjects<Person>
}

final class DogToy: Object {
  @Persisted var name: String
}

final class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String?
}

extension Realm.Configuration {
  /// A new in-memory realm of the benchmarks' classes.
  static var benchmark: Realm.Configuration {
    .inMemory(objectTypes: [Person.self, Dog.self, DogToy.self, Address.self])
  }
}

extension Realm {
  /// A new in-memory realm of the benchmarks' classes, on the current thread.
  static func forBenchmark() throws -> Realm { try Realm(configuration: .benchmark) }

  /// Adds dogs to the realm: `dog<i>`, `i % 20` years old.
  func addDogs(_ names: [String]) throws -> [Dog] {
    try write {
      names.indices.map { index in
        let dog = Dog()
        dog.name = names[index]
        dog.age = index % 20
        add(dog)
        return dog
      }
    }
  }

  /// Adds persons without dogs to the realm.
  func addPersons(_ count: Int) throws -> [Person] {
    try write {
      (0..<count).map { index in
        let person = Person()
        person.id = index
        person.name = "person\(index)"
        person.age = index % 90
        person.city = "city\(index % 1000)"
        add(person)
        return person
      }
    }
  }
}

/// A realm with dogs and persons that are not linked yet.
struct Kennel {
  let realm: Realm
  let dogs: [Dog]
  let persons: [Person]

  init(dogs: Int, persons: Int) throws {
    realm = try Realm.forBenchmark()
    self.dogs = try realm.addDogs((0..<dogs).map { "dog\($0)" })
    self.persons = try realm.addPersons(persons)
  }
}
