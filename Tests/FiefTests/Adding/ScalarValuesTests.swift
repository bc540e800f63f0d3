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

private class Estate: Object {
  @Persisted var name = ""
  @Persisted var first: Address?
  @Persisted var second: Address?
  @Persisted var third: Address?
  @Persisted var fourth: Address?
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

/// Every type of scalar, and names of every sort.
private class Medley: Object {
  @Persisted var n = 1
  @Persisted var aNameOfManyMoreLetters = "default"
  @Persisted var aNameOfManyMoreNumbers = 2.5
  @Persisted var größe: Int?
  @Persisted var flag = true
  @Persisted var float: Float = 1.5
  @Persisted var data: Data?
  @Persisted var date = Date(timeIntervalSince1970: 1)
  @Persisted var objectId = ObjectId("000000000000000000000001")
  @Persisted var uuid = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  @Persisted var decimal = Decimal128(3)
  @Persisted var small: Int16 = 4
  @Persisted var maybe: Bool?
  @Persisted var text: String?
}

/// Objects that are made without a plan equal those of the planner. Arrays by position always use the planner.
@Suite struct ScalarValuesTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(objectTypes: [
        Address.self, Person.self, Estate.self, Preset.self, Unique.self, Medley.self,
      ]))
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
      // Some of the properties: missing ones keep their values, or have their defaults.
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

  @Test func refusalsHaveTheSameWords() throws {
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

  /// A value for a property of any sort: one that fits, one that is converted, null, and sometimes one that does not
  /// fit.
  private func something(_ random: inout SeededRandom) -> Any {
    switch random.below(20) {
    case 0: NSNull()
    case 1: Int?.none as Any
    case 2: Int?.some(random.below(9)) as Any
    case 3: NSNumber(value: random.below(5))
    case 4: NSNumber(value: random.bool())
    case 5: Float(random.below(100)) / 4
    case 6: Double(random.below(100)) / 4
    case 7: random.bool()
    case 8: Int16(random.below(500))
    case 9: "a text that is longer than fifteen bytes \(random.below(9))"
    case 10: random.string()
    case 11: Data([UInt8(random.below(256)), 1])
    case 12: Date(timeIntervalSince1970: Double(random.below(1000)) / 8)
    case 13: Date.distantFuture
    case 14: (try? ObjectId(string: "00000000000000000000000\(random.below(9))")) ?? ObjectId()
    case 15: UUID(uuid: (UInt8(random.below(9)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    case 16: Decimal128(random.below(99))
    case 17: UInt8(random.below(2))
    case 18: AnyRealmValue.int(random.below(9))
    default: random.below(200)
    }
  }

  @Test(arguments: Seeds.all) func valuesOfEverySortAreReadAsThePlannerReadsThem(seed: Seed) throws {
    var random = seed.random
    let (flat, planned) = (try realm(), try realm())
    let names = ModelNames.medley
    for _ in 0..<300 {
      var values: [String: Any] = [:]
      // Other keys make the dictionary larger, and leave gaps in it when they are removed.
      let strangers = random.below(4) == 0 ? random.below(200) : random.below(3)
      for number in 0..<strangers { values["stranger \(number)"] = number }
      for _ in 0..<random.below(6) { values[names[random.below(names.count)]] = something(&random) }
      for number in 0..<strangers where random.bool() { values["stranger \(number)"] = nil }
      func attempt(_ realm: Realm, _ value: Any) -> String {
        do {
          return text(of: try realm.write { try realm.create(Medley.self, validating: value) })
        } catch {
          return "\(error)"
        }
      }
      // The planner handles an optional dictionary.
      let optional: [String: Any]? = values
      let isSame = attempt(flat, values) == attempt(planned, optional as Any)
      #expect(isSame, "\(values)")
    }
    #expect(flat.objects(Medley.self).count == planned.objects(Medley.self).count)
    #expect(flat.objects(Medley.self).count > 20)
    for (a, b) in zip(flat.objects(Medley.self), planned.objects(Medley.self)) {
      #expect(ObjectDocument(a) == ObjectDocument(b))
    }
    #expect(flat.graph.checkInvariants() == [] && planned.graph.checkInvariants() == [])
  }

  @Test func aNameIsFoundInEachFormOfItsString() throws {
    let realm = try realm()
    try realm.write {
      let spelled = ["gro\u{308}ße": 7, "aNameOfMany" + "MoreLetters": "long"] as [String: Any]
      let medley = realm.create(Medley.self, value: spelled)
      #expect(medley.größe == 7 && medley.aNameOfManyMoreLetters == "long")
      // A short string that was sliced from a long one, or grew, has the storage of a long string.
      var grown = "n"
      grown.reserveCapacity(100)
      #expect(realm.create(Medley.self, value: [grown: 5]).n == 5)
      let cut = "a text with flag in it".split(separator: " ")[3]
      #expect(realm.create(Medley.self, value: [String(cut): false]).flag == false)
      #expect(realm.create(Medley.self, value: [String: Any]()).n == 1)
    }
  }

  @Test func embeddedObjectsOfTextsAndOfAnythingAreThoseOfThePlanner() throws {
    let (flat, planned) = (try realm(), try realm())
    let homes: [Any] = [
      ["street": "Elm", "number": 3] as [String: Any], ["street": "Elm"], ["number": 4],
      ["street": "Elm", "other": "x"],
      ["street": NSNull(), "number": 5] as [String: Any], [String: Any](), [String: String](), NSNull(),
      ["street": "a street with a name of many letters", "number": NSNumber(value: 6)] as [String: Any],
      ["street": 5, "number": 5] as [String: Any], ["street": "Elm", "number": "3"], "Elm", ["Elm", 3] as [Any],
    ]
    for (id, home) in homes.enumerated() {
      for policy in [Realm.UpdatePolicy.error, .modified, .all] {
        let value: [String: Any] = ["id": id, "home": home, "work": ["street": "Main", "number": id] as [String: Any]]
        func attempt(_ realm: Realm, _ value: Any) -> String {
          do {
            return text(of: try realm.write { try realm.create(Person.self, validating: value, update: policy) })
          } catch {
            return "\(error)"
          }
        }
        #expect(attempt(flat, value) == attempt(planned, [String: Any]?.some(value) as Any))
        #expect(flat.graph.checkInvariants() == [])
      }
    }
    #expect(flat.objects(Person.self).count == planned.objects(Person.self).count)
    #expect(flat.graph == planned.graph)
  }

  @Test func embeddedObjectsGetTheirKeysInTheOrderOfTheClass() throws {
    let (flat, planned) = (try realm(), try realm())
    for count in 0..<40 {
      var value: [String: Any] = ["name": "\(count)"]
      for name in ["first", "second", "third", "fourth"] {
        value[name] = ["street": name, "number": count] as [String: Any]
      }
      // The order of a dictionary depends on its capacity.
      for number in 0..<count { value["stranger \(number)"] = number }
      try flat.write { _ = flat.create(Estate.self, value: value) }
      try planned.write { _ = planned.create(Estate.self, value: [String: Any]?.some(value) as Any) }
    }
    #expect(flat.graph == planned.graph)
  }

  @Test func anObjectWhoseEmbeddedObjectHasNoKeyLeftChangesNothing() throws {
    let realm = try realm()
    let table = try #require(realm.graph.table(named: "Address")).schema.key
    try realm.write { try realm.apply(Delta(tables: [TableDelta(table: table, nextKey: 1 << 62)])) }
    try realm.write {
      let before = realm.graph
      let home = ["street": "Elm", "number": 1] as [String: Any]
      for value in [["id": 1, "home": home] as [String: Any], [1, "name", 3, 4, "Rome", Date(), home]] as [Any] {
        let error = #expect(throws: Realm.Error.self) { try realm.create(Person.self, validating: value) }
        #expect("\(error as Any)".contains("'Address' has given out all its keys"))
        #expect(realm.graph == before && realm.graph.checkInvariants() == [])
      }
    }
  }
}

private func text(of object: Object) -> String {
  String(decoding: (try? ObjectDocument(object).json()) ?? Data(), as: UTF8.self)
}

private enum ModelNames {
  static let medley = [
    "n", "aNameOfManyMoreLetters", "aNameOfManyMoreNumbers", "größe", "flag", "float", "data", "date", "objectId",
    "uuid",
    "decimal", "small", "maybe", "text", "nothing",
  ]
}
