import Dispatch
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Synchronization
import Testing

private class Note: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = ""
}

private class Event: AsymmetricObject {
  @Persisted(primaryKey: true) var id: Int
}

/// The strings by number, as the changes of a realm say.
private struct NoteTexts {
  var texts: [Int: String] = [:]

  /// Applies changes, and records what does not fit to what came before.
  mutating func apply(_ changes: RealmChanges) -> [String] {
    var faults: [String] = []
    for note in changes["Note"]?.deletions ?? [] {
      let (id, text) = (note["id"] as? Int ?? -1, note["text"] as? String)
      if texts.removeValue(forKey: id) != text { faults.append("deleted \(id)") }
    }
    for note in changes["Note"]?.insertions ?? [] {
      let (id, text) = (note["id"] as? Int ?? -1, note["text"] as? String)
      if texts.updateValue(text ?? "", forKey: id) != nil { faults.append("inserted \(id)") }
    }
    for change in changes["Note"]?.modifications ?? [] {
      let (id, text) = (change.object["id"] as? Int ?? -1, change.object["text"] as? String)
      let old = texts.updateValue(text ?? "", forKey: id)
      if old != change.oldObject["text"] as? String { faults.append("modified \(id)") }
    }
    return faults
  }
}

private actor Reader {
  private(set) var ledger = NoteTexts()
  private(set) var faults: [String] = []
  private(set) var versions: [UInt64] = []
  private(set) var hasEnded = false

  func read(_ changes: RealmChangeSequence, _ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    for await change in changes {
      faults += ledger.apply(change)
      // The actor's own realm shows what the element led to.
      let shown = Dictionary(uniqueKeysWithValues: realm.objects(Note.self).map { ($0.id, $0.text) })
      if shown != ledger.texts { faults.append("the realm is at another version than the element") }
      versions.append(realm.version)
    }
    hasEnded = true
  }
}

@Suite("Sequences of a realm's changes")
struct RealmChangesTests {
  private static func change(_ realm: Realm, _ random: inout SeededRandom) {
    let id = random.below(30)
    switch (random.below(3), realm.object(ofType: Note.self, forPrimaryKey: id)) {
    case (0, let note?): realm.delete(note)
    case (_, let note?): note.text = "\(random.below(100))"
    case (_, nil): realm.create(Note.self, value: ["id": id, "text": "\(random.below(100))"])
    }
  }

  @Test(arguments: Seeds.first(8)) @MainActor
  func `every element leads from the version before, with and without an actor`(seed: Seed) async throws {
    var random = seed.random
    let configuration = Realm.Configuration.inMemory(objectTypes: [Note.self, Event.self])
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let reader = Reader()
    let changes = realm.changes
    let onActor = Task { try await reader.read(changes, configuration) }
    let free = Mutex((ledger: NoteTexts(), faults: [String]()))
    let withoutActor = Task.detached {
      for await change in changes { free.withLock { free in free.faults += free.ledger.apply(change) } }
    }
    for _ in 0..<60 {
      try realm.write { for _ in 0..<random.below(4) { Self.change(realm, &random) } }
      for _ in 0..<random.below(6) { await Task.yield() }
    }
    let shown = Dictionary(uniqueKeysWithValues: realm.objects(Note.self).map { ($0.id, $0.text) })
    #expect(await eventually { await reader.ledger.texts == shown })
    #expect(await eventually { free.withLock { $0.ledger.texts } == shown })
    #expect(await reader.faults == [] && free.withLock { $0.faults } == [])
    #expect(await reader.versions == reader.versions.sorted())
    onActor.cancel()
    withoutActor.cancel()
    #expect(await eventually { await reader.hasEnded })
    await withoutActor.value
  }

  @Test @MainActor func `commits while the loop is busy become one element`() async throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Note.self])
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    var iterator = realm.changes.makeAsyncIterator()
    for id in 0..<100 { try realm.write { realm.create(Note.self, value: ["id": id]) } }
    let first = await iterator.next(isolation: MainActor.shared)
    #expect(first?["Note"]?.insertions.count == 100)
    try realm.write { realm.deleteAll() }
    let second = await iterator.next(isolation: MainActor.shared)
    #expect(second?["Note"]?.deletions.count == 100)
  }

  @Test @MainActor func `a loop that keeps up retains no early version, with and without an actor`() async throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Note.self])
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    try realm.write { _ = realm.create(Note.self, value: ["id": 0]) }
    var live = realm.changes.makeAsyncIterator()
    var frozen = realm.changes.makeAsyncIterator()
    weak let first = realm.session.graph.table(named: "Note")
    weak var second: Table?
    for id in 1...5 {
      try realm.write { _ = realm.create(Note.self, value: ["id": id]) }
      if id == 1 { second = realm.session.graph.table(named: "Note") }
      _ = await live.next(isolation: MainActor.shared)
      _ = await frozen.next()
    }
    #expect(first == nil && second == nil)
    withExtendedLifetime((live, frozen)) {}
  }

  @Test @MainActor func `commits without changes of objects make no element`() async throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Note.self, Event.self])
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    var iterator = realm.changes.makeAsyncIterator()
    try realm.write { realm.create(Event.self, value: ["id": 1]) }
    try realm.write { _ = realm.create(Note.self, value: ["id": 1]) }
    let note = try #require(realm.object(ofType: Note.self, forPrimaryKey: 1))
    try realm.write { realm.delete(note) }
    try realm.write { _ = realm.create(Note.self, value: ["id": 2]) }
    let only = await iterator.next(isolation: MainActor.shared)
    #expect(only?.map(\.className) == ["Note"] && only?["Note"]?.insertions.map { $0["id"] as? Int } == [2])
  }

  @Test @MainActor func `it ends when the realm is invalidated`() async throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Note.self])
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let changes = realm.changes
    let loop = Task { @MainActor in
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    for _ in 0..<10 { await Task.yield() }
    realm.invalidate()
    #expect(await loop.value == 0)
  }

  @Test func `a frozen realm has no changes to come`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Note.self]))
      _ = realm.freeze().changes
    }
    expectSentence("The changes of a realm were asked for while frozen", of: result)
  }
}
