import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Thing: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
}

private class Box: Object {
  @Persisted var content: AnyRealmValue
  @Persisted(indexed: true) var label: AnyRealmValue = .string("new")
  @Persisted var parts: List<AnyRealmValue>
  @Persisted var tags: Map<String, AnyRealmValue>
  @Persisted var kinds: MutableSet<AnyRealmValue>
}

private enum Colour: String, PersistableEnum { case red, green }

@Suite struct AnyRealmValueTests {
  private static var scalars: [AnyRealmValue] {
    [
      .none, .int(1), .bool(true), .float(1.5), .double(2.5), .string("s"), .data(Data([1, 2])),
      .date(Date(timeIntervalSince1970: 5)), .objectId(ObjectId("0123456789abcdef01234567")), .decimal128(3.25),
      .uuid(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!),
    ]
  }

  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Thing.self, Box.self])) }

  @Test func everyScalarIsStoredAndReadBack() throws {
    let realm = try realm()
    let box = Box()
    for value in Self.scalars { box.parts.append(value) }
    try realm.write { realm.add(box) }
    #expect(Array(box.parts) == Self.scalars)
    for value in Self.scalars {
      try realm.write { box.content = value }
      #expect(box.content == value)
    }
    #expect(box.label == .string("new"))
  }

  @Test func anErrorInsideAnAnyValueNamesThePropertyThatHoldsIt() throws {
    let realm = try realm()
    let value: [String: Any] = ["content": ["a": [1, ["k": 2]]], "parts": [[3], ["z": 4]]]
    let box = try realm.write { realm.create(Box.self, value: value) }
    func message(_ change: () -> Void) -> String {
      "\(#expect(throws: Realm.Error.self) { try realm.write(change) } as Any)"
    }
    let map = box.content.dictionaryValue?["a"]?.listValue?[1].dictionaryValue
    let messages = [
      message { map?["b.c"] = .int(1) }, message { map?["q"] = .dictionary(["$x": .int(1)]) },
      message { box.parts[1].dictionaryValue?.removeObject(for: "$y") },
      message { box.content.dictionaryValue?["b.c"] = .int(1) },
    ]
    let places = [
      "'b.c' at Box.content['a'][1] ", "'$x' at Box.content['a'][1]['q'] ", "'$y' at Box.parts[1] ",
      "'b.c' at Box.content ",
    ]
    for (message, place) in zip(messages, places) { #expect(message.contains(place)) }
    var deep: AnyRealmValue = .dictionary([:])
    for _ in 0..<1000 { deep = .fromArray([deep]) }
    try realm.write { box.content = deep }
    var inner = box.content
    while let list = inner.listValue { inner = list[0] }
    let text = message { inner.dictionaryValue?["b.c"] = .int(1) }
    #expect(text.contains("Box.content[0][0]") && text.contains(" more) …") && text.utf8.count < 4096)
  }

  @Test func accessorsGiveThePayloadAndConvertNothing() {
    #expect(AnyRealmValue.int(1).intValue == 1 && AnyRealmValue.int(1).doubleValue == nil)
    #expect(AnyRealmValue.bool(true).boolValue == true && AnyRealmValue.bool(true).intValue == nil)
    #expect(AnyRealmValue.float(1).floatValue == 1 && AnyRealmValue.double(2).doubleValue == 2)
    #expect(AnyRealmValue.string("s").stringValue == "s" && AnyRealmValue.data(Data([1])).dataValue == Data([1]))
    #expect(AnyRealmValue.date(.distantPast).dateValue == .distantPast)
    let id = ObjectId.generate()
    #expect(AnyRealmValue.objectId(id).objectIdValue == id && AnyRealmValue.decimal128(2).decimal128Value == 2)
    let uuid = UUID()
    #expect(AnyRealmValue.uuid(uuid).uuidValue == uuid && AnyRealmValue.none.stringValue == nil)
    let thing = Thing()
    #expect(AnyRealmValue.object(thing).object(Thing.self) === thing)
    #expect(AnyRealmValue.object(thing).object(Box.self) == nil)
    #expect(AnyRealmValue.fromArray([.int(1)]).listValue?.first == .int(1))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]).dictionaryValue?["a"] == .int(1))
    #expect(AnyRealmValue() == .none)
  }

  @Test func scalarsAreEqualByCaseAndValue() {
    for (index, a) in Self.scalars.enumerated() {
      for (other, b) in Self.scalars.enumerated() { #expect((a == b) == (index == other)) }
    }
    #expect(AnyRealmValue.int(1) != .double(1))
    #expect(Set(Self.scalars).count == Self.scalars.count)
  }

  @Test func unmanagedCollectionsAreEqualByContent() {
    let a = AnyRealmValue.fromArray([.int(1), .fromDictionary(["k": .fromArray([.none])])])
    let b = AnyRealmValue.fromArray([.int(1), .fromDictionary(["k": .fromArray([.none])])])
    #expect(a == b && a.hashValue == b.hashValue)
    #expect(a != .fromArray([.int(1), .fromDictionary(["k": .fromArray([.int(0)])])]))
    #expect(a != .fromArray([.int(1)]) && a != .fromDictionary([:]))
    #expect(AnyRealmValue.fromDictionary(["a": .int(1)]) != .fromDictionary(["b": .int(1)]))
  }

  @Test func aCollectionThatContainsItselfIsComparedInTheEnd() {
    func ring() -> AnyRealmValue {
      let list = List<AnyRealmValue>()
      list.append(.list(list))
      return .list(list)
    }
    #expect(ring() == ring())
    #expect(!ring().description.isEmpty)
  }

  @Test func aCollectionThatContainsItselfIsNotStored() throws {
    let realm = try realm()
    let list = List<AnyRealmValue>()
    list.append(.fromDictionary(["k": .list(list)]))
    let box = Box()
    box.content = .list(list)
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(box) } }
    #expect(error?.code == .cycle)
    let other = Box()
    try realm.write { realm.add(other) }
    #expect(throws: Realm.Error(.cycle)) { try realm.write { other.content = .list(list) } }
    #expect(throws: Realm.Error(.cycle)) { try realm.write { other.parts.append(.list(list)) } }
    #expect(other.content == .none && other.parts.isEmpty)
    // Breaks the reference cycle, which would leak.
    list.removeAll()
  }

  @Test func managedCollectionsAreChangedInPlace() throws {
    let realm = try realm()
    let box = Box()
    box.content = .fromArray([.int(1), .fromDictionary(["k": .string("v")])])
    try realm.write { realm.add(box) }
    let list = try #require(box.content.listValue)
    #expect(list.count == 2 && list[1].dictionaryValue?["k"] == .string("v"))
    try realm.write {
      box.content.listValue?.append(.bool(true))
      box.content.listValue?[1].dictionaryValue?["deep"] = .fromArray([.int(2)])
      box.content.listValue?[1].dictionaryValue?["deep"]?.listValue?.append(.int(3))
    }
    #expect(list.count == 3)
    let deep = list[1].dictionaryValue?["deep"]?.listValue
    #expect(deep.map(Array.init) == [.int(2), .int(3)])
  }

  @Test func managedCollectionsAreEqualWhenTheyAreOne() throws {
    let realm = try realm()
    let box = Box()
    box.content = .fromArray([])
    box.label = .fromArray([])
    try realm.write { realm.add(box) }
    #expect(box.content == box.content)
    #expect(box.content != box.label)
    #expect(box.content != .fromArray([]))
  }

  @Test(arguments: [false, true]) func aListFindsTheCollectionsInIt(managed: Bool) throws {
    let realm = try realm()
    let box = Box()
    box.parts.append(objectsIn: [.int(1), .fromArray([.int(2)]), .fromDictionary(["a": .int(3)])])
    if managed { try realm.write { realm.add(box) } }
    for position in 0..<3 { #expect(box.parts.index(of: box.parts[position]) == position) }
    let other = Box(value: ["parts": [[4]]])
    #expect(box.parts.index(of: other.parts[0]) == nil)
    try realm.write { realm.add(other) }
    #expect(box.parts.index(of: other.parts[0]) == nil)
  }

  @Test func assigningACollectionReplacesTheOldOne() throws {
    let realm = try realm()
    let box = Box()
    box.content = .fromArray([.int(1)])
    try realm.write { realm.add(box) }
    let old = try #require(box.content.listValue)
    try realm.write { box.content = .fromArray([.int(1)]) }
    #expect(old.isInvalidated)
    #expect(box.content.listValue?.first == .int(1))
  }

  @Test func assigningAPropertyToItselfChangesNothing() throws {
    let realm = try realm()
    let box = Box()
    box.content = .fromArray([.int(1)])
    try realm.write { realm.add(box) }
    let list = try #require(box.content.listValue)
    try realm.write { box.content = box.content }
    #expect(!list.isInvalidated && list.count == 1)
  }

  @Test func aPartOfANestCanTakeItsPlace() throws {
    let realm = try realm()
    let box = Box()
    box.content = .fromArray([.fromArray([.int(1), .fromArray([.int(2)])])])
    try realm.write { realm.add(box) }
    try realm.write { if let part = box.content.listValue?[0] { box.content = part } }
    let list = try #require(box.content.listValue)
    #expect(list.count == 2 && list[0] == .int(1) && list[1].listValue?.first == .int(2))
  }

  @Test func aNestIsCopiedBetweenProperties() throws {
    let realm = try realm()
    let box = Box()
    box.content = .fromDictionary(["a": .fromArray([.int(1)])])
    try realm.write {
      realm.add(box)
      box.label = box.content
      box.content = .none
    }
    #expect(box.label.dictionaryValue?["a"]?.listValue?.first == .int(1))
  }

  @Test func aNestOfAnotherRealmIsCopiedWithoutItsObjects() throws {
    let (realm, other) = (try realm(), try self.realm())
    let (box, theirs, thing) = (Box(), Box(), Thing(value: ["id": 1]))
    try realm.write { realm.add(box) }
    try other.write {
      other.add(theirs)
      theirs.content = .fromArray([.int(1), .fromDictionary(["a": .int(2)])])
      theirs.label = .int(3)
    }
    for content in [theirs.content, theirs.freeze().content, .fromArray([theirs.content])] {
      try realm.write { box.content = content }
      let copy = box.content.listValue?[0].listValue ?? box.content.listValue
      #expect(copy?.count == 2 && copy?[0] == .int(1) && copy?[1].dictionaryValue?["a"] == .int(2))
      #expect(realm.graph.checkInvariants() == [])
    }
    try other.write { theirs.content = .fromArray([.object(thing)]) }
    let content = theirs.content
    for value in [content, theirs.freeze().content] {
      let error = #expect(throws: Realm.Error.self) { try realm.write { box.content = value } }
      #expect(error?.code == .objectManagedByAnotherRealm)
    }
    #expect(realm.objects(Thing.self).isEmpty && box.content.listValue?.count == 1)
    try realm.write { _ = realm.create(Box.self, value: ["content": content]) }
    #expect(realm.objects(Thing.self).count == 1)
  }

  @Test func objectsAreAddedAndDeletedOnesBecomeNone() throws {
    let realm = try realm()
    let box = Box()
    try realm.write { realm.add(box) }
    let thing = Thing()
    thing.id = 7
    try realm.write {
      box.content = .object(thing)
      box.parts.append(.object(thing))
    }
    #expect(box.content.object(Thing.self)?.id == 7 && thing.realm == realm)
    #expect(box.content.dynamicObject?["id"] as? Int == 7)
    #expect(box.content == box.parts[0])
    try realm.write { realm.delete(thing) }
    #expect(box.content == .none)
  }

  @Test func rawValuesAreTakenByName() throws {
    let box = Box()
    box["content"] = 3
    #expect(box.content == .int(3))
    box["content"] = [1, "two", 3.5, true, NSNull(), [4], ["k": Data([5])]] as [Any]
    let expected = AnyRealmValue.fromArray([
      .int(1), .string("two"), .double(3.5), .bool(true), .none, .fromArray([.int(4)]),
      .fromDictionary(["k": .data(Data([5]))]),
    ])
    #expect(box.content == expected)
    box["content"] = Colour.green
    #expect(box.content == .string("green"))
    box["content"] = nil
    #expect(box.content == .none)
  }

  @Test func parsedJSONIsAccepted() throws {
    let text = #"{"a": [1, 2.5, true, null, "x"], "b": {"c": 4}}"#
    let box = Box()
    box["content"] = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let expected = AnyRealmValue.fromDictionary([
      "a": .fromArray([.int(1), .double(2.5), .bool(true), .none, .string("x")]), "b": .fromDictionary(["c": .int(4)]),
    ])
    #expect(box.content == expected)
  }

  @Test func aMillionLevelsAreHeldComparedAndReleased() throws {
    func tower(_ height: Int = Effort.of(debug: 20_000, release: 50_000)) -> AnyRealmValue {
      var value = AnyRealmValue.int(1)
      for level in 0..<height {
        value = level % 2 == 0 ? .fromArray([value]) : .fromDictionary(["k": value])
      }
      return value
    }
    #expect(tower() == tower())
    #expect(!tower().description.isEmpty)
    let box = Box()
    box.content = tower(Effort.of(debug: 200_000, release: 1_000_000))
    box.parts.append(tower())
  }

  @Test func deepNestsAreStoredAndReplaced() throws {
    let realm = try realm()
    let box = Box()
    var value = AnyRealmValue.int(1)
    for _ in 0..<20_000 { value = .fromArray([value]) }
    box.content = value
    try realm.write { realm.add(box) }
    var depth = 0
    var list = box.content.listValue
    while let next = list {
      depth += 1
      list = next.first?.listValue
    }
    #expect(depth == 20_000)
    try realm.write { box.label = box.content }
    try realm.write { box.content = .none }
    #expect(box.label.listValue?.count == 1)
  }
}
