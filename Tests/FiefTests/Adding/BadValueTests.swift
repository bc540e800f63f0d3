import Fief
import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private enum Colour: String, PersistableEnum {
  case red, green
}

private struct Email: CustomPersistable {
  var address: String
  init(address: String) { self.address = address }
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

private class Part: EmbeddedObject {
  @Persisted var size: Int16
  @Persisted var inner: Part?
}

private class Thing: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: Bool
  @Persisted var int8: Int8
  @Persisted var optional: Int?
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var string: String
  @Persisted var data: Data?
  @Persisted var date: Date
  @Persisted var decimal: Decimal128
  @Persisted var objectId: ObjectId?
  @Persisted var uuid: UUID?
  @Persisted var colour: Colour
  @Persisted var spare: Colour?
  @Persisted var email: Email?
  @Persisted var any: AnyRealmValue
  @Persisted var link: Thing?
  @Persisted var part: Part?
  @Persisted var list: List<Int>
  @Persisted var texts: List<String?>
  @Persisted var things: List<Thing>
  @Persisted var parts: List<Part>
  @Persisted var set: MutableSet<String>
  @Persisted var colours: MutableSet<Colour>
  @Persisted var map: Map<String, Double>
  @Persisted var links: Map<String, Thing?>
  @Persisted var anys: List<AnyRealmValue>
}

@Suite struct BadValueTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Thing.self, Part.self]))
  }

  @Test func anEmbeddedObjectWithAnOwnerIsNoValueForAnotherPlace() throws {
    let realm = try realm()
    let thing = try realm.write { realm.create(Thing.self, value: ["part": ["size": 1]]) }
    #expect {
      try realm.write { if let part = thing.part { thing.parts.append(part) } }
    } throws: { ($0 as? Realm.Error)?.code == .invalidValue }
    #expect(thing.parts.isEmpty && thing.part?.size == 1)
  }

  @Test func anEmbeddedObjectThatIsGoneIsRefusedAsGone() throws {
    let realm = try realm()
    let value: [String: Any] = ["part": ["size": 1], "parts": [["size": 2]]]
    let thing = try realm.write { realm.create(Thing.self, value: value) }
    let replaced = try #require(thing.part)
    let (passed, other) = (try #require(thing.parts.first), try #require(thing.parts.first))
    try realm.write {
      thing.part = nil
      realm.delete(passed)
    }
    for gone in [replaced, passed, other] {
      #expect {
        try realm.write { thing.part = gone }
      } throws: { "\($0)".contains("deleted or invalidated") }
      #expect {
        try realm.write { thing["part"] = gone }
      } throws: { "\($0)".contains("deleted or invalidated") }
    }
    #expect(thing.part == nil)
  }

  /// A property, a value that it cannot have, and strings that the error must contain.
  // Values of any type, which are never changed.
  nonisolated(unsafe) private static let bad: [(String, Any, [String])] = [
    ("bool", 2, ["Thing.bool", "2", "Bool"]), ("bool", "true", ["'true'", "Bool"]),
    ("int8", 200, ["Thing.int8", "200", "Int8", "-128 to 127"]), ("int8", 1.0, ["1.0", "Int8"]),
    ("int8", NSNull(), ["null", "required", "Int8"]), ("optional", "7", ["'7'", "Int?"]),
    ("optional", UInt64.max, ["Int?"]), ("float", 1e300, ["Float"]), ("double", "1.5", ["Double"]),
    ("string", 5, ["5", "String"]), ("data", "x", ["Data?"]), ("date", "2024-01-01", ["Date"]),
    ("decimal", "ten", ["Decimal128"]), ("objectId", "x", ["ObjectId?"]), ("uuid", "x", ["UUID?"]),
    ("colour", 5, ["String"]), ("email", 5, ["String?"]), ("any", { 1 } as () -> Int, ["AnyRealmValue"]),
    ("any", Part(), ["AnyRealmValue"]), ("any", ["a.b": 1], ["a.b", "percent"]), ("link", 5, ["Thing?", "5"]),
    ("link", Part(), ["Thing?", "Part"]), ("link", ["id": "x"], ["Thing.id", "'x'"]),
    ("part", ["size": 70000], ["Thing.part.size", "70000", "Int16"]),
    ("part", [1, NSNull(), 3] as [Any], ["array", "3 values", "2 properties"]),
    ("list", [1, "x"] as [Any], ["Thing.list[1]", "'x'"]), ("list", 5, ["List<Int>"]), ("list", "abc", ["List<Int>"]),
    ("list", Data([1]), ["List<Int>"]), ("list", [1, NSNull()] as [Any], ["Thing.list[1]", "null"]),
    ("things", [NSNull()], ["Thing.things[0]", "null"]), ("things", [["id": 50], 5] as [Any], ["Thing.things[1]"]),
    ("things", [["id": 7, "things": [["id": 8, "int8": -1000]]]], ["Thing.things[0].things[0].int8", "-1000"]),
    ("parts", [["inner": ["inner": 5]]], ["Thing.parts[0].inner.inner"]), ("set", [1], ["Thing.set[0]"]),
    ("map", ["a": "x"], ["Thing.map['a']"]), ("map", [1], ["Map<String, Double>"]),
    ("map", ["a.b": 1.0], ["a.b", "percent"]),
    ("map", ["$a": 1.0], ["$a"]), ("links", ["k": 5], ["Thing.links['k']"]), ("anys", [Set([1])], ["AnyRealmValue"]),
    ("id", "x", ["Thing.id", "'x'", "Int"]), ("id", NSNull(), ["Thing.id", "null"]),
  ]

  @Test(arguments: bad.indices) func anErrorOfABadValueNamesPropertyValueAndType(_ index: Int) throws {
    let (name, value, words) = Self.bad[index]
    let realm = try realm()
    try realm.write { _ = realm.create(Thing.self, value: ["id": 1]) }
    let before = realm.graph
    for policy in [Realm.UpdatePolicy.error, .modified, .all] {
      var given: [String: Any] = ["id": policy == .error ? 2 : 1]
      given[name] = value
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.create(Thing.self, value: given, update: policy) }
      }
      #expect(error?.code == .invalidValue)
      for word in words { #expect("\(error as Any)".contains(word), "in \(error as Any)") }
      #expect(realm.graph == before)
    }
  }

  @Test(arguments: bad.indices) func anObjectOfABadValueKeepsItsDefaultsAndCannotBeAdded(_ index: Int) throws {
    let (name, value, _) = Self.bad[index]
    var given: [String: Any] = ["double": 3]
    given[name] = value
    let thing = Thing(value: given)
    #expect(throws: Realm.Error.self) { try Thing(validating: [name: value]) }
    #expect(thing.double == 0)
    #expect(thing.list.isEmpty)
    let realm = try realm()
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(thing) } }
    #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Thing.self, value: thing) } }
    #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Thing.self, value: ["link": thing]) } }
    #expect(realm.isEmpty)
  }

  @Test func aCollectionOfADeletedObjectIsABadValue() throws {
    let realm = try realm()
    try realm.write {
      let gone = realm.create(Thing.self, value: ["id": 1, "list": [1], "map": ["a": 1.0], "any": [1]])
      let nested = try #require(gone.any.listValue)
      let values: [(String, Any)] = [("list", gone.list), ("map", gone.map), ("any", nested)]
      realm.delete(gone)
      for (name, value) in values {
        #expect {
          try realm.create(Thing.self, validating: ["id": 2, name: value])
        } throws: { "\($0)".contains("'Thing.\(name)'") && "\($0)".contains("deleted or invalidated") }
        // An any-value keeps the list itself, and is refused when it is added.
        if name != "any" { #expect(throws: Realm.Error.self) { try Thing(validating: [name: value]) } }
      }
    }
    #expect(realm.isEmpty)
  }

  @Test func aRootMustBeSomethingWithProperties() throws {
    let realm = try realm()
    for value in [Optional<Int>.none as Any, NSNull(), 5, "text", Data(), Part(), [1: 2]] as [Any] {
      #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Thing.self, value: value) } }
      #expect(throws: Realm.Error.self) { try Thing(validating: value) }
    }
    #expect(realm.isEmpty)
  }

  @Test func everyConversionThatIsAllowedIsMade() throws {
    let realm = try realm()
    let id = UUID()
    let thing = try realm.write {
      realm.create(
        Thing.self,
        value: [
          "id": NSNumber(value: 5), "bool": 1, "int8": UInt64(7), "optional": true, "float": 2, "double": Float(1.5),
          "string": NSString(string: "s"), "data": NSData(data: Data([1, 2])), "date": Date(timeIntervalSince1970: 5),
          "decimal": "1.5", "uuid": id.uuidString, "colour": "green", "spare": Colour.red,
          "email": Email(address: "a@b"),
          "any": UInt8(3), "list": Set([4]), "texts": ["x", nil] as [String?], "set": NSArray(array: ["a", "a"]),
          "colours": [Colour.green, "red"] as [Any], "map": NSDictionary(dictionary: ["k": 1]),
          "links": ["none": NSNull()], "anys": [AnyRealmValue.int(1), "x", NSNull()] as [Any],
        ] as [String: Any])
    }
    #expect(thing.id == 5 && thing.bool && thing.int8 == 7 && thing.optional == 1)
    #expect(thing.float == 2 && thing.double == 1.5 && thing.string == "s" && thing.data == Data([1, 2]))
    #expect(thing.date == Date(timeIntervalSince1970: 5) && thing.decimal == Decimal128(1.5) && thing.uuid == id)
    #expect(thing.colour == .green && thing.spare == .red && thing.email?.address == "a@b")
    #expect(thing.any == .int(3) && Array(thing.list) == [4] && Array(thing.texts) == ["x", nil])
    #expect(Array(thing.set) == ["a"] && Set(thing.colours) == [.red, .green] && thing.map["k"] == 1)
    #expect(thing.links.count == 1 && Array(thing.anys) == [.int(1), .string("x"), .none])
    #expect(realm.graph.checkInvariants() == [])
  }

  /// Anything at all: of every type that a program may have at hand, nested.
  private func garbage(_ random: inout SeededRandom, _ depth: Int, _ held: [Any]) -> Any {
    switch random.below(depth > 3 ? 18 : 24) {
    case 0: return random.int64()
    case 1: return random.double()
    case 2: return random.string()
    case 3: return random.bool()
    case 4: return NSNull()
    case 5: return Optional<Int>.none as Any
    case 6: return Float(random.double())
    case 7: return random.data()
    case 8: return random.date()
    case 9: return UInt8(random.below(256))
    case 10: return Decimal128(Int64(random.below(100)))
    case 11: return NSNumber(value: random.double())
    case 12: return UUID()
    case 13: return Colour.green
    case 14: return AnyRealmValue.double(random.double())
    case 15: return held[random.below(held.count)]
    case 16: return random.below(3)
    case 17: return (1, "tuple")
    case 18, 19: return (0..<random.below(5)).map { _ in garbage(&random, depth + 1, held) }
    case 20: return Set((0..<random.below(4)).map { "\($0)" })
    case 21: return (0..<random.below(4)).map { $0 }
    default:
      var dictionary: [String: Any] = [:]
      let names = ModelNames.all
      for _ in 0..<random.below(6) {
        dictionary[random.below(8) == 0 ? random.string() : names[random.below(names.count)]] =
          garbage(&random, depth + 1, held)
      }
      return dictionary
    }
  }

  private enum ModelNames {
    static let all = [
      "id", "bool", "int8", "optional", "float", "double", "string", "data", "date", "decimal", "objectId", "uuid",
      "colour",
      "spare", "email", "any", "link", "part", "list", "texts", "things", "parts", "set", "colours", "map", "links",
      "anys",
      "size", "inner",
    ]
  }

  @Test(arguments: Seeds.all) func garbageNeverTrapsAndNeverHalfApplies(seed: Seed) throws {
    var random = seed.random
    let realm = try realm()
    let other = try self.realm()
    let present = try realm.write {
      realm.create(Thing.self, value: ["id": 1, "part": ["size": 1], "list": [1, 2], "things": [["id": 2]]])
    }
    let foreign = try other.write { other.create(Thing.self, value: ["id": 3, "parts": [["size": 2]]]) }
    let held: [Any] = [
      present, foreign, Thing(), Part(), present.list, present.things, foreign.parts, present.part as Any,
      present.any, realm.objects(Thing.self), Thing(value: ["id": "bad"]), Date.self, { 1 } as () -> Int,
    ]
    for _ in 0..<60 {
      let value = garbage(&random, 0, held)
      let policy = [Realm.UpdatePolicy.error, .modified, .all][random.below(3)]
      _ = Thing(value: value)
      let before = realm.graph
      try realm.write {
        do {
          try realm.create(Thing.self, validating: value, update: policy)
        } catch {
          #expect(error is Realm.Error)
          #expect("\(error)".utf8.count < 4096)
          #expect(realm.graph == before || realm.graph.checkInvariants() == [])
        }
      }
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test func anErrorNamesThePlaceThatAValueIsGivenTo() throws {
    let realm = try realm()
    let value: [String: Any] = ["part": ["size": 1], "parts": [["size": 2]]]
    let thing = try realm.write { realm.create(Thing.self, value: value) }
    let twice = Part()
    let inner = Part()
    inner.inner = twice
    let ways: [(String, () -> Void)] = [
      ("at Thing.parts[1] is managed already", { thing.parts.append(thing.parts[0]) }),
      ("at Thing.parts[2] is managed already", { thing.parts.append(objectsIn: [Part(), thing.parts[0]]) }),
      ("at Thing.parts[2] already has an owner, at Thing.parts[1]", { thing.parts.append(objectsIn: [twice, twice]) }),
      (
        "at Thing.parts[0].inner already has an owner, at Thing.parts[1]",
        { thing.parts.insert(contentsOf: [inner, twice], at: 0) }
      ),
    ]
    for (place, way) in ways {
      let error = #expect(throws: Realm.Error.self) { try realm.write { way() } }
      #expect("\(error as Any)".contains("The embedded object \(place)"), "\(error as Any)")
      #expect(thing.parts.count == 1)
    }
  }

  @Test func nestingIsAsDeepAsMemory() throws {
    var value: Any = ["size": 1]
    for _ in 0..<2000 { value = ["size": 1, "inner": value] }
    var any: Any = 1
    for depth in 0..<2000 { any = depth % 2 == 0 ? [any] : ["k": any] }
    let realm = try realm()
    try realm.write { _ = realm.create(Thing.self, value: ["part": value, "any": any]) }
    #expect(realm.graph.table(named: "Part")?.count == 2001)
    #expect(realm.graph.checkInvariants() == [])
    let unmanaged = Thing(value: ["id": 5, "part": value, "any": any])
    try realm.write { realm.add(unmanaged) }
    #expect(realm.graph.table(named: "Part")?.count == 4002)
  }
}
