import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// The initial inputs of the fuzzers, and those that once revealed a bug, also run as tests (goal G13).
///
/// `FIEF_WRITE_GOLDEN=1` rewrites the initial inputs.
@Suite(.leavesNoFileOpen) struct CorpusTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fuzz/Corpus")

  static var isWriting: Bool { ProcessInfo.processInfo.environment["FIEF_WRITE_GOLDEN"] == "1" }

  private func inputs(_ name: String, _ seeds: [String: [UInt8]]) throws -> [URL] {
    let folder = Self.folder.appendingPathComponent(name)
    if Self.isWriting {
      for (name, bytes) in seeds { try Data(bytes).write(to: folder.appendingPathComponent("seed-\(name)")) }
    }
    return Replay.files(at: folder)
  }

  @Test func everyInputOfTheSnapshotFuzzerIsTried() throws {
    let graph = JournalHarness.base
    var seeds: [String: [UInt8]] = [:]
    for (name, graph) in [("empty", Graph.empty), ("kennel", graph)] {
      let file = Snapshot.bytes(graph, Fixed.header())
      seeds["\(name)-file"] = [0] + file
      seeds["\(name)-pieces"] = [1] + (try file.withUnsafeBytes { try Sealing.pieces(ofSnapshot: $0) })
    }
    let files = try inputs("Snapshots", seeds)
    var accepted = 0
    for file in files where try Data(contentsOf: file).withUnsafeBytes({ SnapshotHarness.run($0) }) { accepted += 1 }
    #expect(files.count >= seeds.count)
    #expect(accepted >= seeds.count)
    Trials.report("\(files.count) inputs of the snapshot fuzzer, \(accepted) of them snapshots")
  }

  @Test func everyInputOfTheJournalFuzzerIsTried() throws {
    let graph = JournalHarness.base
    var writer = JournalWriter(JournalHeader(store: Fixed.store, generation: 3, base: 17))
    let transaction = Transaction(graph)
    let row = TableKey(rawValue: 4)
    func cell(_ key: Int64, _ column: UInt32) -> Cell { Cell(row, ObjectKey(key), ColumnKey(rawValue: column)) }
    var states = [graph]
    try transaction.set(5, cell(1, 0))
    states.append(transaction.graph)
    try transaction.delete(ObjectLink(row, ObjectKey(2)))
    try transaction.create(in: row)
    states.append(transaction.graph)
    try transaction.removeAll(from: cell(0, 3))
    try transaction.set(.null, forKey: "other", inDictionary: cell(0, 7))
    _ = try transaction.insert(.double(9), inSet: cell(0, 6))
    states.append(transaction.graph)
    try transaction.addColumn(to: row, "late", ColumnType(.uuid, isOptional: true))
    states.append(transaction.graph)
    var raw: [UInt8] = [0]
    var payloads: [UInt8] = [1]
    for (before, after) in zip(states, states.dropFirst()) {
      let delta = Delta(from: before, to: after)
      raw += writer.commit(delta, userVersion: 5, durableTo: writer.lastCommit)
      let payload = [5] + DeltaCodec.encode(delta)
      payloads += [UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    }
    raw += writer.seal()
    let files = try inputs("Journals", ["file": raw, "payloads": payloads])
    var applied = 0
    for file in files { applied += try Data(contentsOf: file).withUnsafeBytes { JournalHarness.run($0) } }
    #expect(applied >= 8)
    Trials.report("\(files.count) inputs of the journal fuzzer, \(applied) changes of them carried out")
  }
}
