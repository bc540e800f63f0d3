import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private typealias Node = CopiedGraph.Node
private typealias Keyed = CopiedGraph.Keyed

private class Scalars: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var bool: Bool
  @Persisted var int: Int
  @Persisted var small: Int8?
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var text: String?
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var doubles: List<Double>
  @Persisted var dates: MutableSet<Date>
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
}

private enum Tone: String, PersistableEnum { case low }

private struct Pitch: FailableCustomPersistable {
  let number: Int
  init?(persistedValue: Int) {
    if persistedValue < 0 { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

private enum Form: PersistableCodable, Equatable {
  case plain, sized(width: Double)
  init() { self = .plain }
}

private class Bell: Object {
  @Persisted var tone: Tone
  @Persisted var second: Tone?
  @Persisted var pitch: Pitch?
  @Persisted var form: Form?
}

@Suite struct ObjectDocumentTests {
  private func realm(_ classes: [ObjectBase.Type] = CopiedGraph.classes) throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: classes))
  }

  private func text(_ document: ObjectDocument) throws -> String {
    String(decoding: try document.json(), as: UTF8.self)
  }

  @Test func valuesThatTheTypesDoNotKnowAreWrittenAsTheyAreStored() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Bell.self]))
    let values: [String: Any] = ["tone": "high", "second": "shrill", "pitch": -3, "form": ["oval": ["width": 1.5]]]
    let bell = try realm.write { realm.create(Bell.self, value: values) }
    let document = ObjectDocument(bell)
    #expect(document.description.contains(#""form":{"oval":{"width":1.5}},"pitch":-3,"second":"shrill","tone":"high""#))
    #expect(bell.description.contains("tone = high;") && bell.description.contains("second = shrill;"))
    #expect(bell.description.contains("pitch = -3;"))
    let (twin, other) = try realm.write {
      (realm.create(Bell.self, value: document.dictionary), realm.create(Bell.self, value: ["tone": "high"]))
    }
    #expect(twin.isContentEqual(to: bell) && !other.isContentEqual(to: bell))
  }

  @Test(arguments: Seeds.all) func aGraphGoesOutAndComesBack(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<6 {
      let graph = RandomGraph(&random, allowsCycles: true)
      let document = ObjectDocument(graph.nodes[0])
      let back = try ObjectDocument(json: document.json())
      #expect(back == document)
      #expect(try ObjectDocument(document.dictionary) == document)
      let copy = try back.object(as: Node.self, classes: CopiedGraph.classes)
      #expect(Isomorphism.check(graph.nodes[0], copy) { AnyHashable(ObjectIdentifier($0)) } == [])
      #expect(ObjectDocument(copy) == document)
      let realm = try realm()
      try realm.write { realm.add(copy) }
      #expect(realm.graph.checkInvariants() == [])
      #expect(ObjectDocument(copy) == document)
      #expect(ObjectDocument(copy.freeze()) == document)
    }
  }

  @Test func itReadsAsOneWouldWriteIt() throws {
    let node = Node(value: ["number": 1, "text": "a", "many": [["number": 2]], "part": ["weight": 1.5]])
    node.many[0].next = node
    node.any = .object(node.many[0])
    #expect(
      try text(ObjectDocument(node, properties: .only(\Node.number, \Node.next, \Node.many, \Node.any))) == """
        {"$class":"Node","$id":1,"any":{"$ref":2},\
        "many":[{"$class":"Node","$id":2,"any":null,"many":[],"next":{"$ref":1},"number":2}],\
        "next":null,"number":1}
        """)
    let by = ["$class": "Node", "$id": 7, "number": 3, "next": ["number": 4, "next": ["$ref": 7]]] as [String: Any]
    let back = try ObjectDocument(by).object(as: Node.self)
    #expect(back.next?.number == 4 && back.next?.next === back && back.text == nil)
    back.next = nil
  }

  @Test(
    arguments: [
      ("{\"number\": 1,\n \"txet\": \"a\"}", "Node.txet", "line 2, byte 15", "'text'"),
      (#"{"many": [{"number": 2}, {"$class": "Node", "numbr": 3}]}"#, "Node.many[1].numbr", "byte 44", "'number'"),
      (#"{"part": {"wieght": 1}}"#, "Node.part.wieght", "byte 10", "'weight'"),
      (#"{"any": [{"$class": "Node", "z": 1}]}"#, "Node.any[0].z", "byte 28", "'Node'"),
      (#"{"$di": 1}"#, "Node.$di", "byte 1", "'Node'"),
      (#"{"next": {"$objects": []}}"#, "$objects", "byte 10", "'Node'"),
      (#"{"$id": 1, "next": {"$ref": 1, "number": 3}}"#, "Node.next", "byte 31", "'$ref'"),
      (#"{"any": {"$list": [], "$id": 1, "x": 1}}"#, "Node.any", "byte 32", "'$list'"),
      (#"{"any": {"$map": {}, "x": 1}}"#, "Node.any", "byte 21", "'$map'"),
    ])
  func aNameThatTheClassDoesNotHaveIsRefused(_ json: String, _ path: String, _ place: String, _ word: String) throws {
    let document = try ObjectDocument(json: Data(json.utf8))
    let error = #expect(throws: Realm.Error.self) { try document.object(as: Node.self, classes: CopiedGraph.classes) }
    for part in [path, place, word] { #expect(error?.localizedDescription.contains(part) == true, "\(error as Any)") }
    // A document that was not read from JSON has no lines.
    let other = try ObjectDocument(document.dictionary)
    let same = #expect(throws: Realm.Error.self) { try other.object(as: Node.self, classes: CopiedGraph.classes) }
    #expect(other == document && same?.localizedDescription.contains(path) == true)
    #expect(same?.localizedDescription.contains("byte") == false)
  }

  @Test(arguments: Seeds.all) func everyScalarComesBackAsItWas(seed: Seed) throws {
    var random = seed.random
    let realm = try realm([Scalars.self])
    for _ in 0..<20 {
      let doubles = [random.double(), 0, -0.0, 1e300, .infinity, -.infinity, .nan, 2, .leastNonzeroMagnitude]
      let anys: [AnyRealmValue] = [
        .none, .bool(true), .int(Int(random.int64())), .float(1.5), .float(2), .float(.nan),
        .double(doubles[random.below(6)]), .double(3), .string(random.string()), .data(random.data()),
        .date(random.date()), .objectId(.generate()), .uuid(UUID()), .decimal128(Decimal128(random.int64())),
        .string("$ref"),
      ]
      let scalars = Scalars(
        value: [
          "bool": random.bool(), "int": Int(random.int64()), "small": Int8(5), "float": Float(random.below(9)) / 4,
          "double": doubles[random.below(doubles.count)], "text": random.string(), "data": random.data(),
          "date": random.date(), "decimal": Decimal128(random.int64()), "doubles": doubles,
          "dates": [random.date(), random.date()], "anys": anys, "any": anys[random.below(anys.count)],
        ] as [String: Any])
      try realm.write { realm.add(scalars) }
      let document = ObjectDocument(scalars)
      let back = try ObjectDocument(json: document.json()).object(as: Scalars.self)
      #expect(ObjectDocument(back) == document)
      let other = try self.realm([Scalars.self])
      try other.write { other.add(back) }
      #expect(back.int == scalars.int && back.text == scalars.text && back.data == scalars.data)
      #expect(back.double.bitPattern == scalars.double.bitPattern || back.double.isNaN && scalars.double.isNaN)
      #expect(back.date == scalars.date && back.uuid == scalars.uuid && back.decimal == scalars.decimal)
      for (a, b) in zip(back.doubles, scalars.doubles) { #expect(a.bitPattern == b.bitPattern || a.isNaN && b.isNaN) }
      for (a, b) in zip(back.anys, scalars.anys) where a != b {
        // NaN equals no value.
        #expect("\(a)".contains("nan") && "\(b)".contains("nan"))
      }
      #expect(Set(back.dates) == Set(scalars.dates))
    }
  }

  @Test func deepValuesAreEncodedBesideTheRoot() throws {
    let length = 5_000
    var head = Node(value: ["number": 0])
    for number in 1..<length {
      let node = Node()
      node.number = number
      node.next = head
      head = node
    }
    var nest = AnyRealmValue.int(1)
    for _ in 0..<length {
      let list = List<AnyRealmValue>()
      list.append(nest)
      nest = .list(list)
    }
    head.any = nest
    let document = ObjectDocument(head)
    let back = try ObjectDocument(json: document.json()).object(as: Node.self)
    #expect(ObjectDocument(back) == document)
    var count = 1
    var node = back
    while let next = node.next { (node, count) = (next, count + 1) }
    #expect(count == length)
  }

  @Test func sharedAndCyclicCollectionsOfAnyValuesComeBack() throws {
    let list = List<AnyRealmValue>()
    let map = Map<String, AnyRealmValue>()
    map["list"] = .list(list)
    map["$odd"] = .int(1)
    list.append(objectsIn: [.dictionary(map), .dictionary(map)])
    let node = Node()
    node.any = .list(list)
    let document = ObjectDocument(node)
    let back = try ObjectDocument(json: document.json()).object(as: Node.self)
    guard case .list(let outer) = back.any, case .dictionary(let a) = outer[0], case .dictionary(let b) = outer[1],
      case .list(let inner)? = a["list"]
    else {
      Issue.record("another shape")
      return
    }
    #expect(a === b && inner === outer && a["$odd"] == .int(1))
    #expect(ObjectDocument(back) == document)
    list.removeAll()
    outer.removeAll()
  }

  // Values of any type, which are never changed.
  nonisolated(unsafe) private static let bad: [([String: Any], [String])] = [
    (["number": "x"], ["Node.number", "'x'", "Int"]), (["text": 5], ["Node.text", "String?"]),
    (["next": 5], ["Node.next", "5"]), (["next": ["next": ["number": 1.5]]], ["Node.next.next.number", "1.5"]),
    (["many": [["number": 1], ["number": "y"]]], ["Node.many[1].number", "'y'"]), (["many": ["a": 1]], ["Node.many"]),
    (["many": [NSNull()]], ["Node.many"]), (["named": ["k": 5]], ["Node.named['k']"]), (["named": [1]], ["Node.named"]),
    (["next": ["$ref": 9]], ["Node.next", "$id"]), (["next": ["$ref": "x"]], ["Node.next"]),
    (["any": ["$class": "Nobody"]], ["Nobody", "Node.any"]), (["any": ["$class": "Part"]], ["Node.any"]),
    (["part": ["$class": "Keyed", "id": 1]], ["Node.part"]), (["next": ["$class": "Keyed"]], ["Node.next"]),
    (["$class": "Keyed"], ["Keyed", "Node"]), (["any": ["$what": 1]], ["Node.any"]),
    (["$id": 1, "part": ["$ref": 1]], ["Node.part"]),
    (["any": ["$id": 2, "$list": [1]], "next": ["$ref": 2]], ["Node.next"]),
  ]

  @Test(arguments: bad.indices) func anErrorOfAnUnfitValueNamesItsPath(_ index: Int) throws {
    let (value, words) = Self.bad[index]
    let document = try ObjectDocument(value)
    let error = #expect(throws: Realm.Error.self) {
      try document.object(as: Node.self, classes: CopiedGraph.classes)
    }
    #expect(error?.code == .invalidValue)
    for word in words { #expect("\(error as Any)".contains(word), "in \(error as Any)") }
  }

  @Test func valuesWithoutAFormInJSONAreRefused() throws {
    #expect(throws: Realm.Error.self) { try ObjectDocument(["a": Date()]) }
    #expect(throws: Realm.Error.self) { try ObjectDocument(["a": { 1 } as () -> Int]) }
    var deep: Any = 1
    for _ in 0..<600 { deep = [deep] }
    #expect(throws: Realm.Error.self) { try ObjectDocument(["a": deep]) }
    for json in ["", "5", "[1]", "{", "null"] {
      #expect(throws: (any Error).self) { try ObjectDocument(json: Data(json.utf8)) }
    }
  }

  @Test(arguments: Seeds.all) func damagedDocumentsNeverTrap(seed: Seed) throws {
    var random = seed.random
    let graph = RandomGraph(&random, allowsCycles: true)
    let bytes = Array(try ObjectDocument(graph.nodes[0]).json())
    for _ in 0..<200 {
      var damaged = bytes
      for _ in 0..<(1 + random.below(3)) {
        let position = random.below(damaged.count)
        switch random.below(3) {
        case 0: damaged[position] = UInt8(random.below(256))
        case 1: damaged.remove(at: position)
        default: damaged.insert(bytes[random.below(bytes.count)], at: position)
        }
      }
      guard let document = try? ObjectDocument(json: Data(damaged)),
        let node = try? document.object(as: Node.self, classes: CopiedGraph.classes)
      else { continue }
      let realm = try realm()
      try? realm.write { realm.add(node) }
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test func unknownNamesAreRefusedUnlessTheyAreIgnored() throws {
    let json = Data(
      #"{ "int": 3, "later": { "x": [1] }, "any": { "$class": "Scalars", "text": "a", "more": 1 } }"#.utf8)
    let document = try ObjectDocument(json: json)
    let error = #expect(throws: Realm.Error.self) { try document.object(as: Scalars.self) }
    #expect(error?.localizedDescription.contains("line 1") == true, "\(error as Any)")
    let object = try document.object(as: Scalars.self, ignoringUnknownNames: true)
    #expect(object.int == 3 && object.any.object(Scalars.self)?.text == "a")
    // Values of known names are checked as ever.
    let wrong = try ObjectDocument(json: Data(#"{ "int": "three", "later": 1 }"#.utf8))
    #expect(throws: Realm.Error.self) { try wrong.object(as: Scalars.self, ignoringUnknownNames: true) }
  }
}
