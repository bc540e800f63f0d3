import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// Numbers at their limits: forged files with correct checksums.
@Suite(.leavesNoFileOpen) struct LastNumberTests {
  private let last: UInt64 = 1 << 62
  private let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private func disk(generation: UInt64, version: UInt64, isSealed: Bool) -> SimulatedDisk {
    let snapshot = SnapshotHeader(store: store, generation: generation, version: version, userVersion: 0)
    var writer = JournalWriter(JournalHeader(store: store, generation: generation, base: version))
    let journal = writer.headerBytes + (isSealed ? try! writer.seal() : [])
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
    // The last possible table is written and read.
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

  @Test func aStoreAtItsLastGenerationIsNotCalledSoundUnlessItOpens() throws {
    for isSealed in [true, false] {
      let process = SimulatedProcess(disk(generation: last, version: 7, isSealed: isSealed))
      let report = try StoreFile.verify(StageStore.path, on: process)
      #expect(report.isSound == isSealed)
      #expect((StageStore.code { _ = try StoreFile.open(StageStore.path, on: process) } == nil) == isSealed)
    }
    // Just before the limit there is a next generation, whatever the random bits.
    for chance in 1...20 as ClosedRange<UInt64> {
      let files = disk(generation: last - 1, version: 7, isSealed: false).files
      let process = SimulatedProcess(SimulatedDisk(files: files, chance: chance))
      #expect(StageStore.code { _ = try StoreFile.open(StageStore.path, on: process) } == nil)
    }
  }

  /// A store of three tables, each of which has the next key `next`.
  private func disk(nextKey next: Int64) throws -> SimulatedDisk {
    let transaction = Transaction(.empty)
    let row = try transaction.addTable("Row")
    try transaction.addColumn(to: row, "name", ColumnType(.string))
    let other = try transaction.addTable("Other")
    try transaction.addColumn(to: other, "part", .link(to: try transaction.addTable("Part", kind: .embedded)))
    for table in transaction.graph.allTables where !table.schema.key.isNested {
      try transaction.apply(Delta(tables: [TableDelta(table: table.schema.key, nextKey: next)]))
    }
    let header = SnapshotHeader(store: store, generation: 7, version: 7, userVersion: 0)
    var writer = JournalWriter(JournalHeader(store: store, generation: 7, base: 7))
    return SimulatedDisk(files: [
      StageStore.path: Snapshot.bytes(transaction.graph.numbered(7), header),
      StageStore.journal: try writer.headerBytes + writer.seal(),
    ])
  }

  @Test func theLastKeyOfATableIsWrittenAndReadAndTheNextIsRefused() throws {
    let disk = try disk(nextKey: Int64(last) - 1)
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    // The stage makes a row of "Row" in each commit: here with the last possible key.
    try store.commit()
    let transaction = Transaction(store.graph)
    let row = try #require(store.graph.table(named: "Row")).schema.key
    let error = #expect(throws: GraphError.self) { try transaction.create(in: row) }
    #expect(error?.message.contains("'Row' has given out all its keys") == true)
    // The other tables still have one key each: the next commit works.
    let other = try #require(store.graph.table(named: "Other")).schema
    let made = try transaction.create(in: other.key)
    let part = try #require(store.graph.table(named: "Part")).schema.key
    try transaction.createOwned(in: part, by: Cell(other.key, made, other.columns[0].key), .value)
    #expect(throws: GraphError.self) { try transaction.create(in: other.key) }
    #expect(transaction.graph.checkInvariants() == [])
    let next = transaction.graph.numbered(store.graph.version + 1)
    try store.file.commit(
      Delta(from: store.graph, to: next), version: next.version, userVersion: 0, durability: .full)
    try store.file.close()
    #expect(try StoreFile.verify(StageStore.path, on: process).isSound)
    #expect(try StoreFile.open(StageStore.path, on: process).stored.graph == next)
  }

  @Test func aColumnThatTheReaderWouldRefuseIsRefusedByTheWriter() throws {
    let limit: UInt32 = 1 << 20
    let table = TableSchema(
      key: TableKey(rawValue: 2), name: "Row", kind: .ordinary, columns: [], nextColumn: limit - 1)
    let tables = Schema.empty.tables + [table]
    let transaction = Transaction(.empty)
    try transaction.apply(Delta(schema: Schema(tables: tables, nextTable: 3)))
    try transaction.addColumn(to: table.key, "last", ColumnType(.int))
    let header = SnapshotHeader(store: store, generation: 0, version: 1, userVersion: 0)
    let bytes = Snapshot.bytes(transaction.graph.numbered(1), header)
    #expect(try bytes.withUnsafeBytes { try Snapshot(reading: $0) }.graph == transaction.graph)
    #expect(throws: GraphError.self) { try transaction.addColumn(to: table.key, "more", ColumnType(.int)) }
    let facts = try #require(transaction.graph.table(named: "Row")).schema
    let more = TableSchema(
      key: facts.key, name: facts.name, kind: facts.kind,
      columns: facts.columns + [Column(key: ColumnKey(rawValue: limit), name: "more", type: ColumnType(.int))],
      nextColumn: limit + 1)
    #expect(throws: GraphError.self) { try transaction.declare([more]) }
    let far = TableSchema(key: TableKey(rawValue: limit), name: "Far", kind: .ordinary, columns: [], nextColumn: 0)
    #expect(throws: GraphError.self) { try transaction.declare([far]) }
    #expect(transaction.graph.checkInvariants() == [])
  }
}
