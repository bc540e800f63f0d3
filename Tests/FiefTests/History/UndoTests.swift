import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private class Note: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = ""
  @Persisted var next: Note?
  @Persisted var others: List<Note>
  @Persisted var tags: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var any: AnyRealmValue
  @Persisted var pin: Pin?
}

private class Pin: EmbeddedObject {
  @Persisted var color = ""
}

private class Retitled: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title = ""

  override class func propertiesMapping() -> [String: String] { ["id": "_id", "title": "stored_title"] }
}

private func configuration(_ history: Realm.Configuration.History = .versions(1_000)) -> Realm.Configuration {
  var configuration = Realm.Configuration.inMemory(objectTypes: [Note.self, Pin.self])
  configuration.history = history
  return configuration
}

/// Runs one random change.
private func change(_ realm: Realm, _ random: inout SeededRandom, _ ids: Range<Int>) {
  func pick() -> Note? { realm.object(ofType: Note.self, forPrimaryKey: ids.randomElement(using: &random) ?? 0) }
  guard let note = pick() else {
    let id = ids.first { realm.object(ofType: Note.self, forPrimaryKey: $0) == nil } ?? ids.lowerBound
    realm.create(Note.self, value: ["id": id, "text": "new", "pin": ["color": "red"]] as [String: Any], update: .all)
    return
  }
  switch Int.random(in: 0..<9, using: &random) {
  case 0: realm.delete(note)
  case 1: note.text += "x"
  case 2: note.next = pick()
  case 3: if let other = pick() { note.others.insert(other, at: 0) }
  case 4: if !note.others.isEmpty { note.others.remove(at: note.others.count - 1) }
  case 5: note.tags.insert("t\(Int.random(in: 0..<5, using: &random))")
  case 6: note.counts["k"] = Int.random(in: 0..<9, using: &random)
  case 7: note.pin = Bool.random(using: &random) ? nil : Pin(value: ["color": "blue"])
  default: note.any = Bool.random(using: &random) ? .int(3) : .string("s")
  }
}

@Suite("Undoing and redoing")
struct UndoTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `undoing everything gives the first version, and redoing everything the last`(seed: UInt64) throws {
    let realm = try Realm(configuration: configuration())
    var random = SeededRandom(seed: seed)
    try realm.write { for id in 0..<5 { realm.create(Note.self, value: ["id": id]) } }
    realm.removeAllUndo()
    var versions = [realm.graph]
    for _ in 0..<60 {
      try realm.write { for _ in 0..<3 { change(realm, &random, 0..<12) } }
      if realm.graph.version != versions.last?.version { versions.append(realm.graph) }
    }
    for _ in 0..<2 {
      for expected in versions.dropLast().reversed() {
        try realm.undo()
        #expect(Delta(from: expected, to: realm.graph).showsNothing)
        #expect(realm.graph.checkInvariants() == [])
      }
      #expect(!realm.canUndo)
      for expected in versions.dropFirst() {
        try realm.redo()
        #expect(Delta(from: expected, to: realm.graph).showsNothing)
        #expect(realm.graph.checkInvariants() == [])
      }
      #expect(!realm.canRedo)
    }
  }

  @Test func `a write of another realm elsewhere stays, and one of the same property refuses`() throws {
    let realm = try Realm(configuration: configuration())
    try realm.write { for id in 0..<2 { realm.create(Note.self, value: ["id": id]) } }
    try realm.write { realm.objects(Note.self)[0].text = "mine" }
    try realm.withoutUndo { try realm.write { realm.objects(Note.self)[1].text = "theirs" } }
    try realm.undo()
    #expect(Array(realm.objects(Note.self).map(\.text)) == ["", "theirs"])
    try realm.withoutUndo { try realm.write { realm.objects(Note.self)[0].text = "theirs" } }
    let before = realm.graph
    #expect(throws: Realm.Error(.undoConflict)) { try realm.redo() }
    #expect(throws: Realm.Error(.undoConflict)) { try realm.undo() }
    #expect(realm.graph.version == before.version && !realm.isInWriteTransaction && realm.canUndo)
  }

  @Test func `what links to an inserted object keeps it from being undone`() throws {
    let realm = try Realm(configuration: configuration())
    try realm.write { _ = realm.create(Note.self, value: ["id": 1]) }
    try realm.write { _ = realm.create(Note.self, value: ["id": 2]) }
    try realm.withoutUndo { try realm.write { realm.objects(Note.self)[0].next = realm.objects(Note.self)[1] } }
    #expect(throws: Realm.Error(.undoConflict)) { try realm.undo() }
    #expect(realm.objects(Note.self).count == 2)
  }

  @Test func `groups are undone together, and names are kept`() throws {
    let realm = try Realm(configuration: configuration())
    try realm.undoGroup("Add") {
      for id in 0..<3 { try realm.write { _ = realm.create(Note.self, value: ["id": id]) } }
    }
    try realm.write {
      realm.objects(Note.self)[0].text = "a"
      realm.nameUndo("Rename")
    }
    #expect(realm.undoName == "Rename" && realm.redoName == nil)
    try realm.undo()
    #expect(realm.undoName == "Add" && realm.redoName == "Rename")
    try realm.undo()
    #expect(realm.isEmpty && !realm.canUndo)
    try realm.redo()
    #expect(realm.objects(Note.self).count == 3)
    try realm.write { realm.objects(Note.self)[0].text = "b" }
    #expect(!realm.canRedo)
    #expect(throws: Realm.Error(.nothingToUndo)) { try realm.redo() }
  }

  @Test func `without a history there is nothing to undo`() throws {
    let realm = try Realm(configuration: configuration(.none))
    try realm.write { _ = realm.create(Note.self, value: ["id": 1]) }
    #expect(!realm.canUndo)
    #expect(throws: Realm.Error(.nothingToUndo)) { try realm.undo() }
    #expect(realm.objects(Note.self).count == 1)
  }
}

@Suite("Changes since a version")
struct ChangesSinceTests {
  /// The values of all notes, by primary key.
  private func dump(_ objects: some Sequence<DynamicObject>) -> [Int: [String: String]] {
    var all: [Int: [String: String]] = [:]
    for object in objects { if let id = object["id"] as? Int { all[id] = cells(object) } }
    return all
  }

  private func cells(_ object: DynamicObject) -> [String: String] {
    ["text": "\(object["text"] ?? "nil")", "any": "\(object["any"] ?? "nil")"]
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `the changes are the difference of both versions`(seed: UInt64) throws {
    let realm = try Realm(configuration: configuration())
    var random = SeededRandom(seed: seed)
    var dumps: [UInt64: [Int: [String: String]]] = [realm.version: [:]]
    for _ in 0..<40 {
      try realm.write { for _ in 0..<3 { change(realm, &random, 0..<12) } }
      dumps[realm.version] = dump(realm.dynamicObjects("Note"))
    }
    let now = dump(realm.dynamicObjects("Note"))
    for (version, old) in dumps {
      let changes = realm.changes(since: version)
      #expect(changes.isComplete)
      let notes = changes["Note"]
      var rebuilt = old
      for gone in notes?.deletions ?? [] {
        guard let id = gone["id"] as? Int else { continue }
        #expect(rebuilt.removeValue(forKey: id) == cells(gone))
      }
      for modified in notes?.modifications ?? [] {
        guard let id = modified.object["id"] as? Int else { continue }
        for property in modified.properties where ["text", "any"].contains(property.name) {
          #expect(rebuilt[id]?[property.name] == "\(property.oldValue ?? "nil")")
          rebuilt[id]?[property.name] = "\(property.newValue ?? "nil")"
        }
      }
      for (id, values) in dump(notes?.insertions ?? []) { rebuilt[id] = values }
      #expect(rebuilt == now)
    }
    #expect(realm.changes(since: realm.version).isEmpty && realm.changes(since: realm.version).isComplete)
  }

  @Test func `changes name properties as the class does, and not as they are stored`() throws {
    var configuration = Realm.Configuration.inMemory(objectTypes: [Retitled.self])
    configuration.history = .versions(1)
    let realm = try Realm(configuration: configuration)
    try realm.write { _ = realm.create(Retitled.self, value: ["id": 1, "title": "old"] as [String: Any]) }
    let version = realm.version
    try realm.write { realm.objects(Retitled.self)[0].title = "new" }
    let changes = realm.changes(since: version)["Retitled"]?.modifications.flatMap(\.properties) ?? []
    #expect(changes.map(\.name) == ["title"])
    #expect(changes.first?.oldValue as? String == "old" && changes.first?.newValue as? String == "new")
  }

  @Test func `versions beyond the limit are not known, and later ones neither`() throws {
    let realm = try Realm(configuration: configuration(.versions(3)))
    let first = realm.version
    for id in 0..<5 { try realm.write { _ = realm.create(Note.self, value: ["id": id]) } }
    #expect(!realm.changes(since: first).isComplete && realm.changes(since: first).isEmpty)
    #expect(!realm.changes(since: realm.version + 1).isComplete)
    #expect(realm.changes(since: realm.version - 3)["Note"]?.insertions.count == 3)
    #expect(!realm.changes(since: realm.version - 4).isComplete)
    // Undoing makes versions, too, which replace the oldest ones.
    for _ in 0..<2 { try realm.undo() }
    #expect(!realm.canUndo && realm.objects(Note.self).count == 3)
  }
}
