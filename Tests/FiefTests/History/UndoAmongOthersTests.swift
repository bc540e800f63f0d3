import Fief
import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Line: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = ""
  @Persisted var number = 0
  @Persisted var next: Line?
  @Persisted var words: List<String>
}

/// The words of lines, and which own writes can be undone.
private struct TextOracle {
  /// One own write: the lines that it changed.
  typealias Step = [Int: (old: String, new: String)]

  var texts: [Int: String] = [:]
  var done: [Step] = []
  var undone: [Step] = []

  /// Undoes the last write of `done`.
  ///
  /// - Returns: false when one of its lines was changed since then.
  mutating func undo() -> Bool {
    guard let step = done.last, step.allSatisfy({ texts[$0.key] == $0.value.new }) else { return false }
    for (id, change) in step { texts[id] = change.old }
    undone.append(done.removeLast())
    return true
  }

  mutating func redo() -> Bool {
    guard let step = undone.last, step.allSatisfy({ texts[$0.key] == $0.value.old }) else { return false }
    for (id, change) in step { texts[id] = change.new }
    done.append(undone.removeLast())
    return true
  }
}

@Suite("Undoing among the writes of others")
struct UndoAmongOthersTests {
  /// The snapshot of a version. Keys that were assigned stay used, so both sides get the marks of the later one.
  private func bytes(_ graph: Graph, keysOf later: Graph) -> [UInt8] {
    let transaction = Transaction(graph)
    transaction.reserveKeys(Transaction(later).keyMarks)
    let id = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    return Snapshot.bytes(
      transaction.graph.numbered(1), SnapshotHeader(store: id, generation: 1, version: 1, userVersion: 0))
  }

  private func change(_ realm: Realm, _ random: inout SeededRandom) {
    let id = random.below(12)
    guard let line = realm.object(ofType: Line.self, forPrimaryKey: id) else {
      realm.create(Line.self, value: ["id": id, "text": "\(random.below(9))"])
      return
    }
    switch random.below(6) {
    case 0: realm.delete(line)
    case 1: line.text += "\(random.below(9))"
    case 2: line.number = random.below(3)
    case 3: line.next = realm.object(ofType: Line.self, forPrimaryKey: random.below(12))
    case 4: line.words.append("\(random.below(9))")
    default: if !line.words.isEmpty { line.words.remove(at: random.below(line.words.count)) }
    }
  }

  @Test(arguments: Seeds.first(6)) @MainActor
  func `undoing all of blocking and asynchronous writes gives the first version, byte for byte`(seed: Seed) async throws
  {
    var random = seed.random
    try await TemporaryFolder.with { folder in
      var configuration = Realm.Configuration(
        fileURL: folder.appendingPathComponent("a.realm"), objectTypes: [Line.self])
      configuration.history = .versions(200)
      let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
      try realm.withoutUndo {
        try realm.write { for id in 0..<5 { realm.create(Line.self, value: ["id": id, "text": "a"]) } }
      }
      let first = realm.graph
      for _ in 0..<40 {
        if random.below(2) == 0 {
          try realm.write { for _ in 0..<2 { change(realm, &random) } }
        } else {
          realm.beginWrite()
          for _ in 0..<2 { change(realm, &random) }
          realm.commitAsyncWrite()
        }
        if random.below(6) == 0, realm.canUndo { try realm.undo() }
      }
      let last = realm.graph
      var steps = 0
      while realm.canUndo {
        try realm.undo()
        steps += 1
      }
      let undone = realm.graph
      #expect(bytes(first, keysOf: undone) == bytes(undone, keysOf: undone))
      for _ in 0..<steps { try realm.redo() }
      #expect(bytes(last, keysOf: realm.graph) == bytes(realm.graph, keysOf: realm.graph))
    }
  }

  @Test(arguments: Seeds.first(12))
  func `an own write is undone unless somebody changed the same since then`(seed: Seed) throws {
    var random = seed.random
    var configuration = Realm.Configuration.inMemory(objectTypes: [Line.self])
    configuration.history = .versions(1_000)
    let realm = try Realm(configuration: configuration)
    let queue = DispatchQueue(label: "others")
    var oracle = TextOracle()
    try realm.withoutUndo {
      try realm.write { for id in 0..<8 { realm.create(Line.self, value: ["id": id, "text": "\(id)"]) } }
    }
    for id in 0..<8 { oracle.texts[id] = "\(id)" }
    var (undos, refusals) = (0, 0)
    for turn in 0..<120 {
      let ids = Set((0...random.below(3)).map { _ in random.below(8) })
      let text = "\(turn)"
      switch random.below(5) {
      case 0, 1:
        var step: TextOracle.Step = [:]
        try realm.write {
          for id in ids {
            realm.object(ofType: Line.self, forPrimaryKey: id)?.text = text
            step[id] = (oracle.texts[id] ?? "", text)
            oracle.texts[id] = text
          }
        }
        oracle.done.append(step)
        oracle.undone = []
      case 2:
        // Another realm of the store, on a queue.
        try queue.sync {
          let other = try Realm(configuration: configuration, queue: queue)
          try other.write { for id in ids { other.object(ofType: Line.self, forPrimaryKey: id)?.text = text } }
        }
        realm.refresh()
        for id in ids { oracle.texts[id] = text }
      case 3:
        let isPossible = !oracle.done.isEmpty
        #expect(realm.canUndo == isPossible)
        let before = realm.graph.version
        let expected = oracle.undo()
        if expected {
          try realm.undo()
          undos += 1
        } else {
          #expect(throws: Realm.Error(isPossible ? .undoConflict : .nothingToUndo)) { try realm.undo() }
          #expect(realm.graph.version == before)
          refusals += isPossible ? 1 : 0
        }
      default:
        #expect(realm.canRedo == !oracle.undone.isEmpty)
        let code: Realm.Error.Code = oracle.undone.isEmpty ? .nothingToUndo : .undoConflict
        if oracle.redo() { try realm.redo() } else { #expect(throws: Realm.Error(code)) { try realm.redo() } }
      }
      let shown = Dictionary(uniqueKeysWithValues: realm.objects(Line.self).map { ($0.id, $0.text) })
      try #require(shown == oracle.texts, "turn \(turn)")
      #expect(realm.graph.checkInvariants() == [])
    }
    #expect(undos + refusals > 0)
  }
}
