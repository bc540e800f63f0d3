import Fief
import FiefGraph
import RealmSwift
import Testing

private class Toy: Object {
  @Persisted var name = ""
}

private class Dog: Object {
  @Persisted var name = "Rex"
  @Persisted var age: Int
  @Persisted var toy: Toy?
  @Persisted var friends: List<Dog>
}

private class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String?
}

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var address: Address?
  @Persisted var homes: List<Address>
  @Persisted var parks: Map<String, String>
  @Persisted var any: AnyRealmValue
}

@Suite struct CreatingTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Toy.self, Dog.self, Address.self, Person.self]))
  }

  private func count(_ name: String, _ realm: Realm) -> Int { realm.graph.table(named: name)?.count ?? -1 }

  @Test func aDictionaryBecomesAnObject() throws {
    let realm = try realm()
    var dog: Dog?
    try realm.write {
      dog = realm.create(Dog.self, value: ["name": "Max", "age": 5, "nobody": "knows"])
    }
    #expect(dog?.realm == realm)
    #expect(dog?.name == "Max")
    #expect(dog?.age == 5)
    #expect(dog?.toy == nil)
    #expect(dog?.friends.count == 0)
    #expect(realm.graph.checkInvariants().isEmpty)
  }

  @Test func aMissingKeyMeansTheDeclaredDefault() throws {
    let realm = try realm()
    let dog = try realm.write { realm.create(Dog.self) }
    #expect(dog.name == "Rex")
    #expect(dog.age == 0)
  }

  @Test func anArrayGivesItsValuesInTheOrderOfTheProperties() throws {
    let realm = try realm()
    let person = try realm.write {
      realm.create(Person.self, value: [123, "Jane", [["Buster", 5], ["Buddy", 6]]] as [Any])
    }
    #expect(person.id == 123)
    #expect(person.name == "Jane")
    #expect(person.dogs.count == 2)
    #expect(person.dogs[1].name == "Buddy")
    #expect(person.dogs[1].age == 6)
  }

  @Test func nestedValuesBecomeObjectsAndCollections() throws {
    let realm = try realm()
    let person = try realm.write {
      realm.create(
        Person.self,
        value: [
          "id": 1, "name": "Ann", "dogs": [["name": "a", "toy": ["name": "ball"]], Dog(value: ["name": "b"])],
          "address": ["street": "Main Street"], "homes": [["city": "Rome"], ["Via Appia", "Rome"]],
          "parks": ["New York": "Domino Park"], "any": ["x", 1, ["deep": [true, NSNull()]]],
        ] as [String: Any])
    }
    #expect(person.dogs[0].toy?.name == "ball")
    #expect(person.dogs[1].name == "b")
    #expect(person.address?.street == "Main Street")
    #expect(person.homes.count == 2)
    #expect(person.homes[1].street == "Via Appia")
    #expect(count("Address", realm) == 3)
    #expect(realm.graph.checkInvariants().isEmpty)
    guard case .list(let list) = person.any else {
      Issue.record("no list")
      return
    }
    #expect(list.count == 3)
    #expect(list[0] == .string("x"))
  }

  @Test func jsonBecomesObjects() throws {
    let realm = try realm()
    let json = Data(
      """
      {"id": 7, "name": "Ann", "dogs": [{"name": "Rex", "age": 3}], "address": {"city": "Rome", "street": null},
        "any": 1.5}
      """.utf8)
    let person = try realm.write {
      realm.create(Person.self, value: try JSONSerialization.jsonObject(with: json))
    }
    #expect(person.id == 7)
    #expect(person.dogs[0].age == 3)
    #expect(person.address?.city == "Rome")
    #expect(person.address?.street == nil)
    #expect(person.any == .double(1.5))
  }

  @Test func aCycleIsRefusedWithItsPath() throws {
    let realm = try realm()
    let a = Dog()
    let b = Dog()
    a.friends.append(b)
    b.friends.append(Dog())
    b.friends.append(a)
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(Dog.self, value: a) }
    }
    #expect(error?.code == .cycle)
    #expect("\(error as Any)".contains("Dog.friends[0].friends[1] -> Dog"))
    #expect(realm.isEmpty)
    #expect(a.realm == nil)
    try realm.write { realm.add(a) }
    #expect(a.friends[0].friends[1].friends.count == 1)
  }

  @Test func aBadValueFailsTheWriteAndNothingElse() throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        let person = realm.create(Person.self, value: ["id": 1, "dogs": [["name": "x"], ["age": "old"]]])
        #expect(person.realm == nil)
        person.name = "runs on"
      }
    }
    #expect(error?.code == .invalidValue)
    #expect("\(error as Any)".contains("Person.dogs[1].age"))
    #expect("\(error as Any)".contains("'old'"))
    #expect("\(error as Any)".contains("Int"))
    #expect(realm.isEmpty)
  }
}
