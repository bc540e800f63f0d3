import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen, .alsoEncrypted) struct ReadingTests {
  /// Creates a store in a folder, closed in order, with a snapshot and commits behind it.
  private func closedStore(in folder: URL) throws -> String {
    let path = folder.appendingPathComponent("a.realm").path
    let store = try StageStore(path)
    for _ in 0..<5 { try store.commit() }
    try store.checkpoint()
    for _ in 0..<3 { try store.commit() }
    try store.file.close()
    return path
  }

  @Test func readingChangesNoByteAndNeedsNoWritableFolder() throws {
    try TemporaryFolder.with { folder in
      let path = try closedStore(in: folder)
      try FileManager.default.removeItem(atPath: path + ".lock")
      let names = ["a.realm", "a.realm.journal"]
      let before = try names.map { try Data(contentsOf: folder.appendingPathComponent($0)) }
      for name in names {
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.path + "/" + name)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
      let stored = try StoreFile.read(path)
      #expect(stored.version == 8)
      #expect(stored.state == .closed)
      #expect(StageStore.isRight(stored.graph))
      #expect(try StoreFile.verify(path).isSound)
      #expect(try names.map { try Data(contentsOf: folder.appendingPathComponent($0)) } == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
    }
  }

  /// Root may write anywhere, so a disk that refuses writes stands in for a folder of another user.
  @Test func readingMakesNoCallThatWrites() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    for _ in 0..<3 { try store.commit() }
    process.kill()
    nonisolated(unsafe) var calls: Set<String> = []
    let reader = SimulatedProcess(disk) { operation, _ in calls.insert(operation.rawValue) }
    let before = disk.events.count
    #expect(try StoreFile.read(StageStore.path, on: reader).version == 3)
    #expect(calls.isSubset(of: ["open", "read", "inspect"]))
    #expect(disk.events.count == before)
    #expect(disk.openFiles == 0)
  }

  @Test func aStoreThatIsNotThereIsNotFound() throws {
    let process = SimulatedProcess(SimulatedDisk())
    #expect(StageStore.code { _ = try StoreFile.read(StageStore.path, on: process) } == .fileNotFound)
    #expect(StageStore.code { _ = try StoreFile.info(StageStore.path, on: process) } == .fileNotFound)
    #expect(try StoreFile.delete(StageStore.path, on: process) == false)
  }

  @Test func aCopyStandsAloneAndBecomesAStore() throws {
    try TemporaryFolder.with { folder in
      let path = try closedStore(in: folder)
      let copy = folder.appendingPathComponent("copy.realm").path
      let stored = try StoreFile.read(path)
      let size = try StoreFile.writeCopy(of: stored.graph, version: 8, userVersion: 3, to: copy)
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count == size)
      #expect(
        StageStore.code { try StoreFile.writeCopy(of: stored.graph, version: 8, userVersion: 3, to: copy) }
          == .fileExists)
      let read = try StoreFile.read(copy)
      #expect(read.version == 8)
      #expect(read.userVersion == 3)
      #expect(read.store != stored.store)
      #expect(Oracle.bytes(read.graph) == Oracle.bytes(stored.graph))
      let opened = try StageStore(copy)
      #expect(opened.stored.version == 8)
      try opened.commit()
      try opened.file.close()
      #expect(try StoreFile.read(copy).version == 9)
      // From now on it is an ordinary store, which needs its journal.
      try FileManager.default.removeItem(atPath: copy + ".journal")
      #expect(StageStore.code { _ = try StoreFile.open(copy) } == .damaged)
    }
  }

  @Test func deletingLeavesTheLockFileAlone() throws {
    try TemporaryFolder.with { folder in
      let path = try closedStore(in: folder)
      let open = try StageStore(path)
      #expect(StageStore.code { try StoreFile.delete(path) } == .alreadyOpen)
      try open.file.close()
      #expect(try StoreFile.delete(path))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.realm.lock"])
      #expect(try !StoreFile.delete(path))
      #expect(try StageStore(path).stored.state == .created)
    }
  }

  @Test func verifyingNamesEveryDamage() throws {
    try TemporaryFolder.with { folder in
      let path = try closedStore(in: folder)
      let url = URL(fileURLWithPath: path)
      var bytes = try Data(contentsOf: url)
      bytes[bytes.count / 2] ^= 4
      try bytes.write(to: url)
      let report = try StoreFile.verify(path)
      #expect(!report.isSound)
      #expect(report.info == nil)
      #expect(report.problems.contains { $0.contains(path) })
      let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
      #expect(error?.code == .damaged)
      #expect(error?.offset != nil)
      #expect(error?.message.contains("0 of its 1 blocks are whole, with 0 rows") == true)
      #expect(error?.file == path)
      #expect(try Data(contentsOf: url) == bytes)
    }
  }

  @Test func damageIsReportedWithTheReadablePart() throws {
    // It makes plain files by hand.
    if SimulatedDisk.usualKey != nil { return }
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    for _ in 0..<4000 { try transaction.create(in: table) { try $0.set(Int64.max, number) } }
    let header = Fixed.header(blockSize: 4096)
    var bytes = Snapshot.bytes(transaction.graph, header)
    let blocks = (bytes.count - 144 + 4095) / 4096
    // In the third block, which has only rows.
    bytes[64 + 2 * 4096 + 2000] ^= 4
    let journal = JournalWriter(JournalHeader(store: header.store, generation: 3, base: 17)).headerBytes
    let files = [StageStore.path: bytes, StageStore.journal: journal]
    let disk = SimulatedDisk(files: files)
    let error = #expect(throws: StoreError.self) {
      _ = try StoreFile.open(StageStore.path, on: SimulatedProcess(disk))
    }
    #expect(error?.code == .damaged)
    // Chunks of 256 rows, each of which takes half a block and some bytes: three of them touch one block.
    let rows = bytes.withUnsafeBytes { SnapshotScan($0) }.delta.tables.reduce(0) {
      $0 + $1.inserted.reduce(0) { $0 + $1.rows.count }
    }
    #expect(4000 - 3 * 256..<4000 ~= rows)
    #expect(
      error?.message.contains("\(blocks - 1) of its \(blocks) blocks are whole, with \(rows) rows") == true,
      "\(String(describing: error?.message))")
    // Recovering saves this number of rows.
    let target = SimulatedDisk.folder + "/saved.realm"
    _ = try StoreFile.recover(from: StageStore.path, to: target, on: SimulatedProcess(disk))
    #expect(try StoreFile.read(target, on: SimulatedProcess(disk)).graph.table(named: "Row")?.count == rows)
  }

  @Test func readersMaySeeACommitBeforeItIsSynchronized() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    try store.commit(.relaxed)
    #expect(try StoreFile.read(StageStore.path, on: SimulatedProcess(disk, number: 2)).version == 1)
    #expect(store.file.durableVersion == 0)
    process.kill()
  }
}
