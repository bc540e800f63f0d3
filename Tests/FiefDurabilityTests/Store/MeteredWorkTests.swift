import FiefDurability
import FiefGraph
import FiefRuntime
import FiefTestSupport
import Foundation
import Testing

/// What reading and writing files counts in the meter of its task.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct MeteredWorkTests {
  /// A graph of 10,000 rows.
  private func graph() throws -> Graph {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
    for number in 0..<10_000 {
      try transaction.create(in: table) { try $0.set(.string("row number \(number)"), name) }
    }
    return transaction.graph.numbered(1)
  }

  /// Runs a work with a meter.
  private func metered<Result>(_ body: () throws -> Result) rethrows -> (result: Result, state: WorkMeter.State) {
    let meter = WorkMeter()
    let result = try WorkMeter.$current.withValue(meter, operation: body)
    return (result, meter.state)
  }

  private func expect(_ state: WorkMeter.State, _ stage: WorkMeter.Stage) {
    #expect(state.stage == stage && state.total == 10_000 && state.done == 10_000, "\(state)")
  }

  private func size(_ path: String) -> Int {
    [path, path + ".journal"].reduce(0) { $0 + ((try? Data(contentsOf: URL(fileURLWithPath: $1)))?.count ?? 0) }
  }

  /// Nearly all: the beginnings and ends of files are not counted.
  private func expectNearlyAll(_ state: WorkMeter.State, of size: Int) {
    #expect(state.stage == .reading && state.total == size)
    #expect(state.done * 100 >= size * 98 && state.done <= size, "\(state)")
  }

  @Test func readingCountsTheBytesOfASnapshotAndOfAJournal() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let graph = try graph()
      expect(try metered { try StoreFile.writeCopy(of: graph, version: 1, userVersion: 0, to: path) }.state, .writing)
      let snapshot = try metered { try StoreFile.read(path) }
      #expect(snapshot.result.graph == graph)
      expectNearlyAll(snapshot.state, of: size(path))
      // One commit with as many rows again, which stays in the journal.
      let (file, _) = try StoreFile.open(path)
      let transaction = Transaction(graph)
      let table = try #require(graph.table(named: "Row")?.schema.key)
      for _ in 0..<10_000 { try transaction.create(in: table) { _ in } }
      let next = transaction.graph.numbered(2)
      try file.commit(Delta(from: graph, to: next), version: 2, userVersion: 0, durability: .full)
      try file.close()
      let both = try metered { try StoreFile.read(path) }
      #expect(both.result.graph == next)
      expectNearlyAll(both.state, of: size(path))
      expectNearlyAll(try metered { try StoreFile.info(path) }.state, of: size(path))
    }
  }

  @Test func verifyingChecksAfterReading() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      _ = try StoreFile.writeCopy(of: try graph(), version: 1, userVersion: 0, to: path)
      let (report, state) = try metered { try StoreFile.verify(path) }
      #expect(report.isSound)
      expect(state, .checking)
    }
  }

  @Test func recoveringAndCompactingEndWithWriting() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      _ = try StoreFile.writeCopy(of: try graph(), version: 1, userVersion: 0, to: path)
      let (report, state) = try metered { try StoreFile.recover(from: path, to: path + ".new") }
      #expect(report.isComplete)
      expect(state, .writing)
      let (file, stored) = try StoreFile.open(path)
      let next = stored.graph.numbered(2)
      try file.commit(Delta(from: stored.graph, to: next), version: 2, userVersion: 0, durability: .full)
      expect(try metered { try file.checkpoint(next, version: 2, userVersion: 0) }.state, .writing)
      try file.close()
    }
  }
}
