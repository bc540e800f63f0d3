import Foundation
import RealmSwift
import Testing

private class Parcel: Object {
  @Persisted var weight = 3
}

private class Label: EmbeddedObject {
  @Persisted var text = "to"
}

private class Everything: Object {
  @Persisted var int: Int
  @Persisted var int8: Int8 = -8
  @Persisted var int16: Int16?
  @Persisted var int32: Int32 = 32
  @Persisted var int64: Int64 = .max
  @Persisted var bool = true
  @Persisted var float: Float = 1.5
  @Persisted var double: Double?
  @Persisted var string: String
  @Persisted var data = Data([1])
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var id: ObjectId
  @Persisted var decimal: Decimal128 = 1
  @Persisted var parcel: Parcel? = Parcel()
  @Persisted var label: Label? = Label()
  @Persisted private var secret: String
  @Persisted private(set) var visible: Int
  var plain = 5
  lazy var computed = plain + 1

  func hide(_ text: String) {
    secret = text
    visible += 1
  }
  var revealed: String { secret }
}

private class Packet: Object {
  @Persisted var head: Data
  @Persisted var tail: Data?
  @Persisted var parts: List<Data>
  @Persisted var bag: MutableSet<Data>
  @Persisted var named: Map<String, Data>
  @Persisted var any: AnyRealmValue
}

private class OptionalKey: Object {
  @Persisted(primaryKey: true) var key: String?
}

private class Indexed: Object {
  @Persisted(indexed: true) var int: Int?
  @Persisted(indexed: true) var string = ""
  @Persisted(indexed: true) var bool: Bool
  @Persisted(indexed: true) var date: Date
  @Persisted(indexed: true) var uuid: UUID
  @Persisted(indexed: true) var id: ObjectId
  @Persisted(indexed: true) var any: AnyRealmValue
  @Persisted(indexed: false) var plain: Int64 = 3
}

private class Watched: Object {
  @Persisted var level: Int = 0 {
    willSet { seen.append(newValue) }
    didSet { seen.append(oldValue) }
  }
  var seen: [Int] = []
}

private class Base: Object {
  @Persisted var first = 1
  @Persisted var second = 2
}

private class Middle: Base {
  @Persisted var third = 3
}

private class Last: Middle {
  @Persisted var fourth = 4
  required init() {
    super.init()
    first = 10
  }
}

@Suite struct PersistedTypeTests {
  @Test func everyTypeHasItsDefaultAndIsStored() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Parcel.self, Label.self, Everything.self]))
    let object = Everything()
    #expect(object.int == 0 && object.string.isEmpty && object.double == nil && object.parcel?.weight == 3)
    let (date, uuid, id) = (object.date, object.uuid, object.id)
    #expect(date == object.date && uuid == object.uuid && id == object.id)
    object.hide("s")
    try realm.write { realm.add(object) }
    #expect(object.int8 == -8 && object.int16 == nil && object.int32 == 32 && object.int64 == .max && object.bool)
    #expect(object.float == 1.5 && object.double == nil && object.data == Data([1]) && object.decimal == 1)
    #expect(abs(object.date.timeIntervalSince(date)) < 1e-6 && object.uuid == uuid && object.id == id)
    #expect(object.parcel?.weight == 3 && object.label?.text == "to" && object.parcel?.realm == realm)
    #expect(object.revealed == "s" && object.visible == 1 && object.plain == 5 && object.computed == 6)
    try realm.write {
      object.int16 = -1
      object.double = .nan
      object.hide("t")
    }
    #expect(object.int16 == -1 && object.double?.isNaN == true && object.revealed == "t" && object.visible == 2)
  }

  /// A part of other data has the positions of these, and shares their memory.
  @Test func ofAPartOfOtherDataTheBytesAreStored() throws {
    let whole = Data((0..<100).map { UInt8($0) })
    let part = whole[40..<80]
    func fill(_ packet: Packet) {
      packet.head = part
      packet.tail = part
      packet.parts.append(part)
      packet.bag.insert(part)
      packet.named["k"] = part
      packet.any = .data(part)
    }
    let realm = try Realm(configuration: .inMemory(objectTypes: [Packet.self]))
    let added = Packet()
    fill(added)
    try realm.write {
      realm.add(added)
      fill(realm.create(Packet.self))
      let values: [String: Any] = [
        "head": part, "tail": part, "parts": [part], "bag": [part], "named": ["k": part], "any": part,
      ]
      realm.create(Packet.self, value: values)
    }
    #expect(realm.objects(Packet.self).count == 3)
    for packet in realm.objects(Packet.self) {
      let stored: [Data?] = [
        packet.head, packet.tail, packet.parts[0], packet.bag[0], packet.named["k"], packet.any.dataValue,
      ]
      for data in stored {
        #expect(data == part && data?.startIndex == 0)
        let isShared = whole.withUnsafeBytes { whole in
          data?.withUnsafeBytes { $0.baseAddress == whole.baseAddress.map { $0 + part.startIndex } }
        }
        #expect(isShared == false)
      }
    }
  }

  @Test func theDefaultsOfTwoObjectsAreTheirOwn() {
    #expect(Everything().id != Everything().id && Everything().uuid != Everything().uuid)
    #expect(Everything().parcel !== Everything().parcel)
  }

  @Test func anOptionalKeyMayBeNull() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [OptionalKey.self]))
    let named = OptionalKey()
    named.key = "k"
    try realm.write { realm.add([OptionalKey(), named]) }
    #expect(realm.object(ofType: OptionalKey.self, forPrimaryKey: "k") == named)
    #expect(realm.object(ofType: OptionalKey.self, forPrimaryKey: String?.none)?.key == nil)
    #expect(throws: Realm.Error(.duplicatePrimaryKey)) { try realm.write { realm.add(OptionalKey()) } }
  }

  @Test func everyIndexableTypeIsIndexed() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Indexed.self]))
    let properties = try #require(realm.schema["Indexed"]?.properties)
    #expect(properties.filter(\.isIndexed).count == 7 && properties.last?.isIndexed == false)
    let object = Indexed()
    try realm.write {
      realm.add(object)
      object.any = .int(3)
      object.int = 3
    }
    #expect(object.int == 3 && object.any == .int(3))
  }

  @Test func observersOfPropertiesRunForManagedObjects() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Watched.self]))
    let object = Watched()
    object.level = 1
    try realm.write {
      realm.add(object)
      object.level = 2
    }
    #expect(object.seen == [1, 0, 2, 1])
  }

  @Test func subclassesHaveTheSuperclassesPropertiesFirst() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Base.self, Middle.self, Last.self]))
    #expect(realm.schema["Last"]?.properties.map(\.name) == ["first", "second", "third", "fourth"])
    #expect(realm.schema["Base"]?.properties.map(\.name) == ["first", "second"])
    let object = Last()
    try realm.write { realm.add(object) }
    #expect(object.first == 10 && object.third == 3 && object.fourth == 4)
    #expect(realm.objects(Base.self).isEmpty && realm.objects(Last.self).count == 1)
  }
}
