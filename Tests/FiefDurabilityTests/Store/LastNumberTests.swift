import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Numbers at their end: forged files whose sums are right.
@Suite(.leavesNoFileOpen) struct LastNumberTests {
  private let last: UInt64 = 1 << 62
  private let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private func disk(generation: UInt64, version: UInt64, isSealed: Bool) -> SimulatedDisk {
    let snapshot = SnapshotHeader(store: store, generation: generation, version: version, userVersion: 0)
    var writer = JournalWriter(JournalHeader(store: store, generation: generation, base: version))
    let journal = writer.headerBytes + (isSealed ? writer.seal() : [])
    return SimulatedDisk(files: [
      StageStore.path: Snapshot.bytes(.empty, snapshot), StageStore.journal: journal,
    ])
  }

  @Test(arguments: [(7, UInt64.max), (7, 1 << 63), (UInt64.max, 7), (7, (1 << 62) + 1)] as [(UInt64, UInt64)])
  func aFileBeyondTheLastNumberIsDamagedForOpeningAndVerifying(generation: UInt64, version: UInt64) throws {
    for isSealed in [true, false] {
      let disk = disk(generation: generation, version: version, isSealed: isSealed)
      let process = SimulatedProcess(disk)
      #expect(StageStore.code { _ = try StoreFile.open(StageStore.path, on: process) } == .damaged)
      #expect(try !StoreFile.verify(StageStore.path, on: process).isSound)
    }
  }

  @Test func aStoreAtItsLastVersionOpensAndRefusesCommits() throws {
    let disk = disk(generation: 7, version: last, isSealed: true)
    let store = try StageStore(SimulatedProcess(disk))
    #expect(store.stored.version == last)
    #expect(StageStore.code { try store.commit() } == .fileOperationFailed)
    #expect(store.file.refusal == nil)
    try store.file.close()
    #expect(try StoreFile.verify(StageStore.path, on: SimulatedProcess(disk)).isSound)
  }

  @Test func aStoreAtItsLastGenerationIsRefusedBeforeAnythingIsWritten() throws {
    let disk = disk(generation: last, version: 7, isSealed: false)
    let before = disk.files
    let process = SimulatedProcess(disk)
    #expect(StageStore.code { _ = try StoreFile.open(StageStore.path, on: process) } == .damaged)
    #expect(disk.files.filter { !$0.key.hasSuffix(".lock") } == before)
  }

  @Test func aTableThatTheReaderWouldRefuseIsRefusedByTheWriter() throws {
    let tables = Schema.empty.tables
    let transaction = Transaction(.empty)
    try transaction.apply(Delta(schema: Schema(tables: tables, nextTable: (1 << 20) - 1)))
    // The last one that there can be is written and read.
    _ = try transaction.addTable("Last")
    let header = SnapshotHeader(store: store, generation: 0, version: 1, userVersion: 0)
    let bytes = Snapshot.bytes(transaction.graph.numbered(1), header)
    #expect(try bytes.withUnsafeBytes { try Snapshot(reading: $0) }.graph.table(named: "Last") != nil)
    let error = #expect(throws: GraphError.self) { _ = try transaction.addTable("One more") }
    #expect(error?.code == .invalidSchema)
    #expect(throws: GraphError.self) {
      try Transaction(.empty).apply(Delta(schema: Schema(tables: tables, nextTable: (1 << 20) + 1)))
    }
  }
}
