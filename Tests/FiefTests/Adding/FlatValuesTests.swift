import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var number = 1
}

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "nobody"
  @Persisted var age: Int8
  @Persisted var score: Double?
  @Persisted(indexed: true) var city: String?
  @Persisted var born: Date?
  @Persisted var home: Address?
  @Persisted var work: Address?
  @Persisted var friends: List<Person>
}

private class Preset: Object {
  @Persisted var name = "preset"
  @Persisted var number = 7
  @Persisted var list: List<Int>

  required init() {
    super.init()
    list.append(number)
  }
}

private class Unique: Object {
  @Persisted(indexed: .unique) var email = ""
}

/// What is made without a plan is what the planner would have made: arrays by position always go by the planner.
@Suite struct FlatValuesTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Address.self, Person.self, Preset.self, Unique.self]))
  }

  @Test(arguments: Seeds.all) func aDictionaryAndAnArrayMakeTheSame(seed: Seed) throws {
    var random = seed.random
    let (flat, planned) = (try realm(), try realm())
    for _ in 0..<40 {
      let address: [String: Any] = ["street": random.string(), "number": random.below(9)]
      let id = random.below(12)
      let values: [Any] = [
        id, random.string(), random.below(100), random.below(4) == 0 ? NSNull() : random.below(50),
        random.bool() ? "Rome" : "Oslo", Date(timeIntervalSince1970: Double(random.below(1000))), address,
      ]
      let names = ["id", "name", "age", "score", "city", "born", "home"]
      let dictionary = Dictionary(uniqueKeysWithValues: zip(names, values))
      let policy: Realm.UpdatePolicy = [.error, .modified, .all][random.below(3)]
      func attempt(_ realm: Realm, _ value: Any) throws -> Realm.Error.Code? {
        do {
          let person = try realm.write { realm.create(Person.self, value: value, update: policy) }
          #expect(person.id == id && person.realm == realm)
          return nil
        } catch let error as Realm.Error {
          return error.code
        }
      }
      #expect(try attempt(flat, dictionary) == attempt(planned, values))
      // Some of the properties: missing ones stay, or have their defaults.
      let some = dictionary.filter { $0.key == "id" || $0.key != "home" && random.bool() }
      var same = some
      same["friends"] = [Any]()
      #expect(try attempt(flat, some) == attempt(planned, same))
      #expect(flat.graph.checkInvariants() == [] && planned.graph.checkInvariants() == [])
    }
    let (a, b) = (
      flat.objects(Person.self).sorted(byKeyPath: "id"), planned.objects(Person.self).sorted(byKeyPath: "id")
    )
    #expect(a.count == b.count)
    for (a, b) in zip(a, b) { #expect(ObjectDocument(a) == ObjectDocument(b)) }
  }

  @Test func defaultsKeysAndObjectsAreThoseOfThePlanner() throws {
    let realm = try realm()
    try realm.write {
      let person = realm.create(
        Person.self, value: ["id": 1, "work": ["street": "Main", "number": 5]] as [String: Any])
      #expect(person.name == "nobody" && person.work?.number == 5 && person.home == nil && person.friends.isEmpty)
      person.friends.append(person)
      let texts = realm.create(Person.self, value: ["id": 2, "home": ["street": "Elm"]] as [String: Any])
      #expect(texts.home?.number == 1 && texts.home?.street == "Elm")
      let preset = realm.create(Preset.self, value: ["name": "x", "number": 9])
      #expect(preset.name == "x" && preset.number == 9 && Array(preset.list) == [7])
      #expect(realm.create(Preset.self, value: ["unknown": 9]).name == "preset")
    }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func whatIsRefusedIsRefusedInTheSameWords() throws {
    let realm = try realm()
    try realm.write {
      realm.create(Unique.self, value: ["email": "a"])
      realm.create(Person.self, value: ["id": 1])
    }
    let before = realm.graph
    let bad: [(() -> Void, Realm.Error.Code)] = [
      ({ realm.create(Unique.self, value: ["email": "a"]) }, .uniqueConstraint),
      ({ realm.create(Person.self, value: ["id": 1, "name": "x"] as [String: Any]) }, .duplicatePrimaryKey),
      ({ realm.create(Person.self, value: ["id": 2, "age": 300]) }, .invalidValue),
      (
        { realm.create(Person.self, value: ["id": 2, "home": ["street": 5, "number": 1]] as [String: Any]) },
        .invalidValue
      ),
      ({ realm.create(Unique.self, value: ["email": "b"], update: .modified) }, .invalidValue),
    ]
    for (way, code) in bad {
      let error = #expect(throws: Realm.Error.self) { try realm.write { way() } }
      #expect(error?.code == code)
      #expect(realm.graph == before)
    }
  }
}
