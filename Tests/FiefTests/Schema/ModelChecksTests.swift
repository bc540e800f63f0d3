import FiefTestSupport
import RealmSwift
import Testing

// Each of these classes breaks one rule. None is in the default schema, which all of them would spoil.

private class Sound: Object {
  @Persisted var number: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Broken: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Empty: Broken {
  var nothing = 0
}

private class TwoKeys: Broken {
  @Persisted(primaryKey: true) var first: Int
  @Persisted(primaryKey: true) var second: Int
}

private class BoolKey: Broken {
  @Persisted var key: Bool
  override class func primaryKey() -> String? { "key" }
}

private class MissingKey: Broken {
  @Persisted var number: Int
  override class func primaryKey() -> String? { "nothing" }
  override class func indexedProperties() -> [String] { ["nowhere"] }
}

private class DoubleIndex: Broken {
  @Persisted var number: Double
  override class func indexedProperties() -> [String] { ["number"] }
}

private class RequiredLink: Broken {
  @Persisted var sound: Sound
}

private class OptionalAny: Broken {
  @Persisted var any: AnyRealmValue?
}

private class Repeating: Broken {
  @Persisted private var number: Int
  func use() -> Int { number }
}

private class Repeated: Repeating {
  @Persisted var number: Int
}

private class Missing: Broken {
  @Persisted var sound: Sound?
}

private class BadOrigin: Broken {
  @Persisted(originProperty: "nothing") var first: LinkingObjects<Sound>
  @Persisted(originProperty: "number") var second: LinkingObjects<Sound>
  @Persisted var third: LinkingObjects<Sound>
  @Persisted var own: Int
}

private class Part: EmbeddedObject {
  @Persisted(primaryKey: true) var key: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Piece: EmbeddedObject {
  @Persisted var text: String
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class SetOfPieces: Broken {
  @Persisted var pieces: MutableSet<Piece>
}

private class OptionalList: Broken {
  @Persisted var sounds: List<Sound?>
}

private class RequiredMap: Broken {
  @Persisted var sounds: Map<String, Sound>
}

private class Event: AsymmetricObject {
  @Persisted var sound: Sound?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class LinksToEvent: Broken {
  @Persisted var event: Event?
}

private class Mapped: Broken {
  @Persisted var a: Int
  @Persisted var b: Int
  @Persisted var c: Int
  override class func propertiesMapping() -> [String: String] {
    ["a": "b", "c": "long" + String(repeating: "g", count: 60)]
  }
}

private class LongName: Broken {
  @Persisted var number: Int
  override class func _realmObjectName() -> String? { String(repeating: "n", count: 58) }
}

private class NestedList: Broken {
  @Persisted var number: Int
  override class func _realmObjectName() -> String? { "any.list" }
}

private class Controlling: Broken {
  @Persisted var number: Int
  override class func _realmObjectName() -> String? { "a\nb" }
  override class func propertiesMapping() -> [String: String] { ["number": "\u{1B}[2J"] }
}

private class Lazy: Broken {
  @Persisted var number: Int
  lazy var list = List<Int>()
  lazy var fine = List<Int>()
  lazy var plain = 3
  override class func ignoredProperties() -> [String] { ["fine"] }
}

private class Ignoring: Broken {
  @Persisted var number: Int
  override class func ignoredProperties() -> [String] { ["number"] }
}

private enum First {
  class Twin: Object {
    @Persisted var number: Int
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

private enum Second {
  class Twin: Object {
    @Persisted var number: Int
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

private class Shared: Object {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var name: String
  @Persisted var number: Int8
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class AlsoShared: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int64
  @Persisted var added: Double
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Shared" }
  override class func propertiesMapping() -> [String: String] { ["id": "key"] }
}

private class WronglyShared: Broken {
  @Persisted var name: Int
  @Persisted(indexed: true) var number: Int8
  override class func _realmObjectName() -> String? { "Shared" }
}

private class ComesBack: Broken {
  @Persisted var number: Int
  required init() {
    super.init()
    self["number"] = 1
  }
}

private class OpensARealm: Broken {
  @Persisted var number: Int
  required init() {
    super.init()
    _ = try? Realm(configuration: .inMemory(objectTypes: [Sound.self]))
  }
}

@Suite struct ModelChecksTests {
  /// The message with which a realm of these classes is refused.
  private func refusal(_ types: ObjectBase.Type...) -> String {
    do {
      _ = try Realm(configuration: .inMemory(objectTypes: types))
      return "none"
    } catch let error as Realm.Error {
      #expect(error.code == .fail)
      return error.localizedDescription
    } catch {
      return "another error: \(error)"
    }
  }

  @Test func aSoundSchemaIsTaken() { #expect(refusal(Sound.self) == "none") }

  @Test func aClassWithoutPropertiesIsRefused() { #expect(refusal(Empty.self).contains("'Empty' has no properties")) }

  @Test func badPrimaryKeysAreRefused() {
    #expect(refusal(TwoKeys.self).contains("'TwoKeys' has more than one primary key: 'first', 'second'"))
    #expect(refusal(BoolKey.self).contains("'BoolKey.key' cannot be the primary key"))
    #expect(refusal(MissingKey.self).contains("'nothing' does not exist on class 'MissingKey'"))
    #expect(refusal(Part.self).contains("'Part' cannot have a primary key ('key')"))
  }

  @Test func badIndexesAreRefused() {
    #expect(refusal(DoubleIndex.self).contains("'DoubleIndex.number' cannot be indexed"))
    #expect(refusal(MissingKey.self).contains("'nowhere' does not exist on class 'MissingKey'"))
  }

  @Test func linksOfTheWrongFormAreRefused() {
    #expect(
      refusal(RequiredLink.self, Sound.self).contains("'RequiredLink.sound' links to one object and must be optional"))
    #expect(refusal(OptionalList.self, Sound.self).contains("'OptionalList.sounds'"))
    #expect(refusal(RequiredMap.self, Sound.self).contains("'RequiredMap.sounds'"))
    #expect(
      refusal(SetOfPieces.self, Piece.self).contains(
        "'SetOfPieces.pieces' cannot be a set of the embedded class 'Piece'"))
    #expect(refusal(Missing.self).contains("'Missing.sound' links to class 'Sound', which is missing"))
    #expect(
      refusal(LinksToEvent.self, Event.self, Sound.self).contains(
        "'LinksToEvent.event' cannot link to the asymmetric class 'Event'"))
  }

  @Test func anOptionalAnyValueIsRefused() { #expect(refusal(OptionalAny.self).contains("'OptionalAny.any'")) }

  @Test func aPropertyThatIsThereTwiceIsRefused() {
    #expect(refusal(Repeated.self).contains("'Repeated.number' is declared twice"))
  }

  @Test func badOriginsAreRefusedAllInOneMessage() {
    let message = refusal(BadOrigin.self, Sound.self)
    #expect(message.contains("'Sound.nothing' declared as origin of 'BadOrigin.first' does not exist"))
    #expect(
      message.contains("'Sound.number' declared as origin of 'BadOrigin.second' does not link to class 'BadOrigin'"))
    #expect(message.contains("'BadOrigin.third' is LinkingObjects without an origin"))
    #expect(message.split(separator: "\n").count == 4)
  }

  @Test func anAsymmetricClassNeedsAKeyAndLinksToNoObjects() {
    let message = refusal(Event.self, Sound.self)
    #expect(message.contains("'Event' must have a primary key"))
    #expect(message.contains("'Event.sound' of an asymmetric class cannot link to 'Sound'"))
  }

  @Test func badNamesAreRefused() {
    let message = refusal(Mapped.self)
    #expect(message.contains("'Mapped.a' is stored as 'b', which is the name of another property"))
    #expect(message.contains("'Mapped.c' must have 1 to 63 bytes"))
    #expect(refusal(LongName.self).contains("must have 1 to 57 bytes"))
    #expect(refusal(NestedList.self).contains("'any.list' is taken by the collections in any-values"))
    let controlling = refusal(Controlling.self)
    #expect(controlling.contains("Class name 'a\\u{A}b' contains the control character \\u{A}"))
    #expect(controlling.contains("'a\\u{A}b.\\u{1B}[2J' contains the control character \\u{1B}"))
  }

  @Test func lazyPropertiesAreRefused() {
    let message = refusal(Lazy.self)
    #expect(message.contains("'Lazy.list' cannot be lazy"))
    #expect(!message.contains("fine") && !message.contains("plain"))
  }

  @Test func aClassThatIgnoresAllItsPropertiesIsRefused() {
    #expect(refusal(Ignoring.self).contains("Class 'Ignoring' has no properties to keep"))
  }

  @Test func theBasesAreNoModels() {
    #expect(refusal(Object.self).contains("'Object' in objectTypes is the base of model classes"))
  }

  @Test func twoClassesOfOneNameAreDistinguished() {
    let message = refusal(First.Twin.self, Second.Twin.self)
    #expect(message.contains("have one name, 'Twin'") && message.contains("First") && message.contains("Second"))
    #expect(refusal(First.Twin.self) == "none")
  }

  @Test func twoClassesCanShareATable() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Shared.self, AlsoShared.self]))
    let shared = Shared()
    shared.key = 3
    shared.number = 4
    try realm.write { realm.add(shared) }
    let also = try #require(realm.object(ofType: AlsoShared.self, forPrimaryKey: 3))
    #expect(also.number == 4 && also.added == 0)
    try realm.write { also.number = 5 }
    #expect(shared.number == 5 && realm.objects(AlsoShared.self).count == 1)
    #expect(realm.schema.objectSchema.filter { $0.className == "Shared" }.count == 2)
  }

  @Test func classesOverOneTableMustAgree() {
    let message = refusal(Shared.self, WronglyShared.self)
    #expect(message.contains("must have the same primary key"))
    #expect(message.contains("'Shared.name' and 'WronglyShared.name'") && message.contains("of different types"))
    #expect(message.contains("'WronglyShared.number'") && message.contains("must both be indexed or both not"))
  }

  @Test func oneErrorNamesEveryProblemOfEveryClass() {
    let message = refusal(Empty.self, TwoKeys.self, RequiredLink.self, Sound.self)
    #expect(message.contains("'Empty'") && message.contains("'TwoKeys'") && message.contains("'RequiredLink.sound'"))
  }

  @Test func aClassOfAnotherRealmIsRefusedWhenItIsUsed() async {
    // In an asynchronous function, `Realm(configuration:)` would be the asynchronous initialiser of the main actor.
    let open = { try Realm(configuration: .inMemory(objectTypes: [Sound.self])) }
    let realm = try? open()
    #expect(throws: Realm.Error(.invalidValue)) { try realm?.write { realm?.add(Shared()) } }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Sound.self]))
      print(realm.objects(Shared.self).count)
    }
    expectSentence("Object type 'Shared' is not managed by the Realm", of: result)
  }

  @Test func initialisersThatComeBackAreStopped() async {
    let byName = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(ComesBack().objectSchema)
    }
    expectSentence("uses its own properties by name while they are being found out", of: byName)
    let opening = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: .inMemory(objectTypes: [OpensARealm.self]))
    }
    expectSentence("opens a realm while the schema is being built", of: opening)
  }
}
