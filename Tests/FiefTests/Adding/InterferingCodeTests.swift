import FiefGraph
import RealmSwift
import Testing

/// A block that the initialisers and conversions below run at their next call.
private enum Hook {
  @TaskLocal static var current: HookBox?

  static func run() { current?.run() }
}

/// Runs a block once. Used by one thread.
private final class HookBox: @unchecked Sendable {
  var body: (() -> Void)?
  var runs = 0
  var newest: Object?

  func run() {
    runs += 1
    guard let body else { return }
    self.body = nil
    body()
  }
}

private class Keyed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "default"
  @Persisted(indexed: .unique) var email: String?
  @Persisted var next: Keyed?
  @Persisted var parts: List<Part>

  required init() {
    super.init()
    Hook.run()
  }
}

private class Plain: Object {
  @Persisted var number = 0

  required init() {
    super.init()
    Hook.run()
  }
}

private class Seen: AsymmetricObject {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var part: Sighted?
}

private class Sighted: EmbeddedObject {
  @Persisted var size = 1

  required init() {
    super.init()
    Hook.run()
  }
}

private class Named: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""

  required init() {
    super.init()
    Hook.run()
  }
}

private class Part: EmbeddedObject {
  @Persisted var size = 1
  @Persisted var weight = 2
}

private struct Word: CustomPersistable {
  var text: String
  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String {
    Hook.run()
    return text
  }
}

private class Worded: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var word = Word("default")
  @Persisted var link: Worded?
  @Persisted var number = 1
}

/// A value that runs a block when its last reference goes.
private final class Parting: CustomPersistable, Hashable {
  var whenReleased: (() -> Void)?

  init() {}
  init(persistedValue: Part) {}
  var persistableValue: Part { Part() }
  deinit { whenReleased?() }

  static func == (a: Parting, b: Parting) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private class PartingPart: EmbeddedObject {
  @Persisted var size = 1
  @Persisted var parting = Parting()

  convenience init(_ size: Int, whenReleased: (() -> Void)? = nil) {
    self.init()
    self.size = size
    parting.whenReleased = whenReleased
  }
}

private class Holder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var part: PartingPart?
  @Persisted var parts: List<PartingPart>
  @Persisted var words: MutableSet<Worded>

  required init() {
    super.init()
    Hook.run()
  }

  convenience init(_ id: Int, _ part: PartingPart) {
    self.init()
    self.id = id
    self.part = part
  }
}

private class WordKey: Object {
  @Persisted(primaryKey: true) var id = Word("key")
  @Persisted var number = 1
  @Persisted var link: WordKey?
}

private class UniqueWord: Object {
  @Persisted(indexed: .unique) var number = 1
  @Persisted var word = Word("default")
  @Persisted var link: UniqueWord?
}

private class ListedWord: Object {
  @Persisted var number = 1
  @Persisted var word = Word("default")
  @Persisted var list: List<Int>

  required init() {
    super.init()
    list.append(1)
  }
}

private class ShownWord: Object {
  @Persisted var number = 1
  @Persisted var word = Word("default")

  required init() {
    super.init()
    Hook.current?.newest = self
  }
}

/// An enum whose raw values are computed by code of the application.
private enum Mood: PersistableEnum {
  case calm, wild

  init?(rawValue: String) {
    switch rawValue {
    case "calm": self = .calm
    case "wild": self = .wild
    default: return nil
    }
  }

  var rawValue: String {
    Hook.run()
    return switch self {
    case .calm: "calm"
    case .wild: "wild"
    }
  }
}

private class Moody: Object {
  @Persisted var number = 1
  @Persisted var mood = Mood.wild
  @Persisted var spare: Mood? = .calm
}

/// Code of the application runs while objects are created and added, and may use the realm.
@Suite struct InterferingCodeTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(objectTypes: [
        Keyed.self, Plain.self, Part.self, Worded.self, WordKey.self, UniqueWord.self, ListedWord.self, ShownWord.self,
        Moody.self, Holder.self, PartingPart.self,
      ]))
  }

  /// Runs `body`, in which the first initialiser or conversion runs `interference`.
  private func interfered<Result>(
    _ interference: @escaping () -> Void, _ body: () throws -> Result
  ) rethrows -> (Result, Int) {
    let box = HookBox()
    box.body = interference
    let result = try Hook.$current.withValue(box, operation: body)
    return (result, box.runs)
  }

  nonisolated(unsafe) private static let values: [[String: Any]] = [
    ["id": 7, "name": "outer"],
    ["id": 7, "name": "outer", "parts": [["size": 2]]],
    ["id": 7, "name": "outer", "next": ["id": 8]],
  ]

  @Test(arguments: values.indices) func aKeyThatAnInitialiserTakesIsRefused(_ index: Int) throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        _ = interfered({ realm.create(Keyed.self, value: ["id": 7, "name": "inner"]) }) {
          realm.create(Keyed.self, value: Self.values[index])
        }
      }
    }
    #expect(error?.code == .duplicatePrimaryKey)
    #expect(realm.isEmpty && realm.graph.checkInvariants() == [])
  }

  @Test(arguments: values.indices) func aKeyThatAnInitialiserTakesIsUpdated(_ index: Int) throws {
    let realm = try realm()
    for policy in [Realm.UpdatePolicy.modified, .all] {
      try realm.write {
        let (made, _) = interfered({ realm.create(Keyed.self, value: ["id": 7, "email": "inner"]) }) {
          realm.create(Keyed.self, value: Self.values[index], update: policy)
        }
        #expect(made.name == "outer")
        #expect(made.email == "inner")
        #expect(realm.objects(Keyed.self).where { $0.id == 7 }.count == 1)
        realm.deleteAll()
      }
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test(arguments: values.indices) func aValidatedCreationRefusesTheKeyAtOnce(_ index: Int) throws {
    let realm = try realm()
    try realm.write {
      let (error, _) = interfered({ realm.create(Keyed.self, value: ["id": 7, "name": "inner"]) }) {
        #expect(throws: Realm.Error.self) { try realm.create(Keyed.self, validating: Self.values[index]) }
      }
      #expect(error?.code == .duplicatePrimaryKey)
    }
    #expect(realm.objects(Keyed.self).map(\.name) == ["inner"])
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func anInitialiserRunsOnceThoughTheValueNeedsThePlanner() throws {
    let realm = try realm()
    try realm.write {
      realm.create(Keyed.self, value: ["id": 1, "email": "a"])
      // The unique index refuses it only when the row is made.
      let (_, runs) = interfered({}) {
        #expect(throws: Realm.Error.self) { try realm.create(Keyed.self, validating: ["id": 2, "email": "a"]) }
      }
      #expect(runs == 1)
      let (_, others) = interfered({}) { realm.create(Keyed.self, value: ["id": 2, "parts": [["size": 4]]]) }
      #expect(others == 1)
    }
    #expect(realm.objects(Keyed.self).count == 2)
  }

  @Test func aRowThatAnInitialiserDeletesIsNotUpdated() throws {
    let realm = try realm()
    try realm.write {
      let old = realm.create(Keyed.self, value: ["id": 7, "name": "old"])
      let (made, _) = interfered({ realm.delete(old) }) {
        // The root is an update; its target is new, and the target's initialiser deletes the root.
        realm.create(Keyed.self, value: ["id": 7, "next": ["id": 8]], update: .modified)
      }
      #expect(made.id == 7 && made.name == "default" && made.next?.id == 8)
      #expect(realm.objects(Keyed.self).count == 2)
    }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func anObjectThatAnInitialiserDeletesIsNotLinkedTo() throws {
    let realm = try realm()
    try realm.write {
      let target = realm.create(Keyed.self, value: ["id": 1])
      let (error, _) = interfered({ realm.delete(target) }) {
        #expect(throws: Realm.Error.self) { try realm.create(Keyed.self, validating: ["id": 2, "next": target]) }
      }
      #expect("\(error as Any)".contains("deleted"))
    }
    #expect(realm.isEmpty && realm.graph.checkInvariants() == [])
  }

  @Test func aKeyThatAConversionTakesIsSeen() throws {
    let realm = try realm()
    for value in [["id": 7], ["id": 7, "link": ["id": 8]]] as [[String: Any]] {
      try realm.write {
        let (error, _) = interfered({ realm.create(Worded.self, value: ["id": 7, "word": "inner"]) }) {
          #expect(throws: Realm.Error.self) { try realm.create(Worded.self, validating: value) }
        }
        #expect(error?.code == .duplicatePrimaryKey)
        #expect(realm.objects(Worded.self).map(\.id) == [7])
        realm.deleteAll()
      }
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test func anAddedObjectMeetsTheKeyThatItsConversionTook() throws {
    let realm = try realm()
    for hasLink in [false, true] {
      let object = Worded(value: ["id": 7, "word": Word("outer")])
      if hasLink { object.link = Worded(value: ["id": 8]) }
      let error = #expect(throws: Realm.Error.self) {
        try realm.write {
          _ = interfered({ realm.create(Worded.self, value: ["id": 7, "word": "inner"]) }) { realm.add(object) }
        }
      }
      #expect(error?.code == .duplicatePrimaryKey)
      try realm.write {
        _ = interfered({ realm.create(Worded.self, value: ["id": 7, "word": "inner"]) }) {
          realm.add(object, update: .modified)
        }
        #expect(realm.objects(Worded.self).where { $0.id == 7 }.map(\.word.text) == ["outer"])
        realm.deleteAll()
      }
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test func anObjectThatItsConversionAddsIsThereOnce() throws {
    let realm = try realm()
    for hasLink in [false, true] {
      let object = Worded(value: ["id": 7])
      if hasLink { object.link = Worded(value: ["id": 8]) }
      try realm.write {
        _ = interfered({ realm.add(object) }) { realm.add(object) }
        #expect(object.isSameObject(as: realm.object(ofType: Worded.self, forPrimaryKey: 7)))
        #expect(realm.objects(Worded.self).count == (hasLink ? 2 : 1))
        realm.deleteAll()
      }
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test func aKeyWhoseConversionTakesItIsRefused() throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        _ = interfered({ realm.add(WordKey()) }) { realm.add(WordKey()) }
      }
    }
    #expect(error?.code == .duplicatePrimaryKey && realm.isEmpty)
  }

  @Test func aLinkThatTheConversionOfAKeySetsIsStored() throws {
    let realm = try realm()
    let (object, target) = (WordKey(value: ["id": Word("outer")]), WordKey(value: ["id": Word("target")]))
    try realm.write { _ = interfered({ object.link = target }) { realm.add(object) } }
    #expect(object.link?.id.text == "target" && realm.objects(WordKey.self).count == 2)
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func aBadValueThatTheConversionOfAKeySetsIsRefused() throws {
    let realm = try realm()
    let object = WordKey(value: ["id": Word("outer")])
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = interfered({ object["number"] = "text" }) { realm.add(object) } }
    }
    #expect(error?.code == .invalidValue && realm.isEmpty)
  }

  @Test func anObjectThatTheConversionOfItsKeyAddsToAnotherRealmIsRefused() throws {
    let (realm, other) = (try realm(), try realm())
    let object = WordKey(value: ["id": Word("outer")])
    other.beginWrite()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = interfered({ other.add(object) }) { realm.add(object) } }
    }
    try other.commitWrite()
    #expect(error?.code == .objectManagedByAnotherRealm && realm.isEmpty)
    #expect(object.isSameObject(as: other.objects(WordKey.self).first))
  }

  @Test func anObjectThatAConversionAddsToAnotherRealmIsRefused() throws {
    for hasLink in [false, true] {
      let (realm, other) = (try realm(), try realm())
      let object = Worded(value: ["id": 7])
      if hasLink { object.link = Worded(value: ["id": 8, "link": object]) }
      other.beginWrite()
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { _ = interfered({ other.add(object) }) { realm.add(object) } }
      }
      try other.commitWrite()
      #expect(error?.code == .objectManagedByAnotherRealm && realm.isEmpty)
      #expect(object.isSameObject(as: other.object(ofType: Worded.self, forPrimaryKey: 7)))
      #expect(realm.graph.checkInvariants() == [] && other.graph.checkInvariants() == [])
    }
  }

  @Test func anObjectThatAnotherRealmRefusesWithinItsConversionIsAddedOnce() throws {
    let (realm, other) = (try realm(), try realm())
    try other.write { other.create(UniqueWord.self, value: ["number": 8]) }
    let object = UniqueWord(value: ["number": 7])
    object.link = UniqueWord(value: ["number": 8, "link": object])
    #expect(throws: Realm.Error.self) {
      try other.write {
        try realm.write { _ = interfered({ other.add(object) }) { realm.add(object) } }
      }
    }
    #expect(object.isSameObject(as: realm.objects(UniqueWord.self).where { $0.number == 7 }.first))
    #expect(realm.objects(UniqueWord.self).count == 2 && other.objects(UniqueWord.self).count == 1)
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func anInstanceThatAConversionAddsToAnotherRealmIsNotMadeManagedTwice() throws {
    let values: [Any] = [["number": 3] as [String: Any], [3], [String: Any]?.some(["number": 3]) as Any]
    for value in values {
      let (realm, other) = (try realm(), try realm())
      let box = HookBox()
      box.body = { box.newest.map { other.add($0) } }
      other.beginWrite()
      realm.beginWrite()
      let error = Hook.$current.withValue(box) {
        #expect(throws: Realm.Error.self) { try realm.create(ShownWord.self, validating: value) }
      }
      try realm.commitWrite()
      try other.commitWrite()
      #expect("\(error as Any)".contains("ShownWord"))
      #expect(realm.isEmpty && other.objects(ShownWord.self).count == 1)
      #expect(realm.graph.checkInvariants() == [] && other.graph.checkInvariants() == [])
    }
  }

  @Test func theRawValueOfAnEnumMayUseTheRealm() throws {
    let realm = try realm()
    try realm.write {
      let object = Moody()
      _ = interfered({ realm.create(Plain.self) }) { realm.add(object) }
      #expect(object.mood == .wild && object.spare == .calm)
      for value in [["number": 3] as [String: Any], [3]] as [Any] {
        let (made, _) = interfered({ realm.create(Plain.self) }) { realm.create(Moody.self, value: value) }
        #expect(made.number == 3 && made.mood == .wild && made.spare == .calm)
      }
    }
    #expect(realm.objects(Plain.self).count == 3 && realm.objects(Moody.self).count == 3)
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func anObjectWhoseKeyIsTakenIsConvertedAtMostOnce() throws {
    let realm = try realm()
    try realm.write { realm.create(Worded.self, value: ["id": 7, "word": "inner"]) }
    let object = Worded(value: ["id": 7, "word": Word("outer")])
    #expect(throws: Realm.Error.self) {
      try realm.write {
        let (_, runs) = interfered({}) { realm.add(object) }
        #expect(runs == 0)
      }
    }
    try realm.write {
      let (_, runs) = interfered({}) { realm.add(object, update: .modified) }
      #expect(runs == 1)
    }
    #expect(realm.objects(Worded.self).map(\.word.text) == ["outer"])
  }

  @Test func aDefaultIsConvertedOnceThoughTheValueNeedsThePlanner() throws {
    let realm = try realm()
    try realm.write {
      let (made, runs) = interfered({}) { realm.create(ListedWord.self, value: ["number": 2] as [String: Any]) }
      #expect(runs == 1 && Array(made.list) == [1])
    }
  }

  @Test func aDefaultIsConvertedOnceThoughTheUniqueIndexRefusesTheObject() throws {
    let realm = try realm()
    try realm.write {
      realm.create(UniqueWord.self, value: ["number": 2])
      let before = realm.graph
      let messages = try [["number": 2] as [String: Any], [2]].map { (value: Any) -> String in
        let (error, runs) = interfered({}) {
          #expect(throws: Realm.Error.self) { try realm.create(UniqueWord.self, validating: value) }
        }
        #expect(runs == 1 && error?.code == .uniqueConstraint)
        return "\(try #require(error))"
      }
      #expect(messages[0] == messages[1] && realm.graph == before)
    }
  }

  @Test func anInitialiserMayCreateOtherObjects() throws {
    let realm = try realm()
    let box = HookBox()
    try realm.write {
      Hook.$current.withValue(box) {
        for value in [["number": 3], [3]] as [Any] {
          box.body = { realm.create(Plain.self) }
          #expect(throws: Never.self) { try realm.create(Plain.self, validating: value) }
        }
      }
    }
    #expect(realm.objects(Plain.self).map(\.number).sorted() == [0, 0, 3, 3])
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func anAccessorWhoseInitialiserMovesItsRowShowsTheRow() throws {
    let realm = try realm()
    try realm.write {
      for id in 0..<40 { realm.create(Keyed.self, value: ["id": id, "name": "\(id)"]) }
      let (found, _) = interfered({ realm.delete(realm.objects(Keyed.self).where { $0.id < 20 }) }) {
        realm.object(ofType: Keyed.self, forPrimaryKey: 30)
      }
      #expect(found.map { $0.id } == 30)
    }
  }

  @Test func aValueThatAnAdditionReleasesFindsTheReplacedObjectInvalidated() throws {
    let realm = try realm()
    try realm.write {
      realm.add(Holder(1, PartingPart(4)))
      let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
      let replaced = try #require(holder.part)
      #expect(replaced.size == 4)
      var seen: [Bool] = []
      let part = PartingPart(5) { seen.append(replaced.isInvalidated) }
      realm.add(Holder(1, part), update: .all)
      #expect(seen == [true] && holder.part?.size == 5)
    }
  }

  @Test func aValueThatAnAssignmentReleasesFindsTheReplacedObjectInvalidated() throws {
    let realm = try realm()
    try realm.write {
      realm.add(Holder(1, PartingPart(4)))
      let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
      let replaced = try #require(holder.part)
      #expect(replaced.size == 4)
      var seen: [Bool] = []
      holder.part = PartingPart(5) { seen.append(replaced.isInvalidated) }
      #expect(seen == [true] && holder.part?.size == 5)
    }
  }

  @Test func aValueThatAnUntypedAssignmentReleasesFindsTheReplacedObjectInvalidated() throws {
    let realm = try realm()
    try realm.write {
      let holder = realm.create(Holder.self, value: ["id": 1, "parts": [["size": 4]]])
      let replaced = holder.parts[0]
      #expect(replaced.size == 4)
      var seen: [Bool] = []
      let part = PartingPart(5) { seen.append(replaced.isInvalidated) }
      holder.setValue([part, ["size": 6]] as [Any], forKey: "parts")
      #expect(seen == [true] && holder.parts.map(\.size) == [5, 6])
    }
  }

  @Test func anInitialiserAfterAnUpdateReadsTheUpdatedValue() throws {
    let realm = try realm()
    try realm.write { realm.create(Holder.self, value: ["id": 1, "text": "old"] as [String: Any]) }
    try realm.write {
      let holder = try #require(realm.object(ofType: Holder.self, forPrimaryKey: 1))
      #expect(holder.text == "old")
      var seen: [String] = []
      let (updated, _) = interfered({ seen.append(holder.text) }) {
        realm.create(Holder.self, value: ["id": 1, "text": "new"] as [String: Any], update: .all)
      }
      #expect(seen == ["new"] && updated.text == "new")
    }
  }

  @Test func aConversionSeesASetThatIsBeingReplacedEmpty() throws {
    let realm = try realm()
    try realm.write {
      let holder = realm.create(Holder.self, value: ["id": 1])
      let words = holder.words
      words.insert(Worded(value: ["id": 1]))
      #expect(words.count == 1)
      var seen: [Int] = []
      _ = interfered({ seen.append(words.count) }) {
        words._replaceElements(byAny: [Worded(value: ["id": 2]), Worded(value: ["id": 3])])
      }
      #expect(seen == [0])
      #expect(words.map(\.id).sorted() == [2, 3])
    }
  }

  @Test func endingTheWriteInAnInitialiserTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Plain.self]))
      let box = HookBox()
      box.body = { realm.cancelWrite() }
      realm.beginWrite()
      Hook.$current.withValue(box) { _ = realm.create(Plain.self, value: ["number": 1] as [String: Any]) }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("ended while an object"))
  }

  @Test func endingTheWriteInAPartOfAnAsymmetricObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Seen.self, Sighted.self]))
      let box = HookBox()
      box.body = { realm.cancelWrite() }
      realm.beginWrite()
      Hook.$current.withValue(box) { realm.create(Seen.self, value: ["id": 1, "part": [String: Any]()]) }
      print("done, in a write: \(realm.isInWriteTransaction)")
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("ended while an object of class 'Seen'"))
  }

  @Test(arguments: ["an optional", "an update", "an object"])
  func endingTheWriteInTheInitialiserOfAnAccessorTraps(_ source: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [source = source as String] in
      let (realm, other) = (
        try Realm(configuration: .inMemory(objectTypes: [Plain.self, Named.self])),
        try Realm(configuration: .inMemory(objectTypes: [Plain.self, Named.self]))
      )
      let row = try other.write { other.create(Plain.self, value: ["number": 1]) }
      let box = HookBox()
      realm.beginWrite()
      realm.create(Named.self, value: ["id": 7])
      box.body = { realm.cancelWrite() }
      Hook.$current.withValue(box) {
        switch source {
        case "an update": realm.create(Named.self, value: ["id": 7, "name": "new"], update: .modified)
        case "an object": realm.create(Plain.self, value: row)
        default: realm.create(Plain.self, value: [String: Any]?.some(["number": 1]) as Any)
        }
      }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("ended while an object"))
  }
}
