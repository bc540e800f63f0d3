import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Testing

/// The encrypted forms of snapshots, journals and histories.
@Suite struct ContentCipherTests {
  @Test(arguments: Seeds.first(6), [512, 1024, 65536] as [UInt32])
  func anEncryptedSnapshotHoldsTheGraph(seed: Seed, blockSize: UInt32) throws {
    var store = try RandomStore(seed: seed)
    for _ in 0..<6 { _ = try store.step(operations: 40) }
    let key = try FileKey.standIn()
    var bytes: [UInt8] = []
    let header = Fixed.header(blockSize: blockSize)
    try Snapshot.write(store.graph, header, key: key) { bytes.append(contentsOf: $0) }
    for parts in [1, 2, 5] {
      let read = try bytes.withUnsafeBytes { try Snapshot(reading: $0, key: key, inParts: parts) }
      #expect(Oracle.bytes(read.graph) == Oracle.bytes(store.graph) && read.header.key == key.mark)
    }
    let scan = bytes.withUnsafeBytes { SnapshotScan($0, key: key) }
    #expect(scan.damages.isEmpty && scan.soundBlockCount == scan.blockCount)
    let locked = bytes.withUnsafeBytes { SnapshotScan($0) }
    #expect(locked.damages.isEmpty && locked.blockCount == scan.blockCount && locked.delta.tables.isEmpty)
  }

  @Test(arguments: Seeds.first(4)) func encryptedRecordsHoldTheChanges(seed: Seed) throws {
    var store = try RandomStore(seed: seed)
    let key = try FileKey.standIn()
    var writer = JournalWriter(Fixed.journal, key: key)
    var bytes = writer.headerBytes
    var states = [store.graph]
    for _ in 0..<8 {
      let delta = try store.step()
      bytes += try writer.commit(delta, userVersion: 5, durableTo: writer.lastCommit)
      states.append(store.graph)
    }
    bytes += try writer.seal()
    let found = try bytes.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(bytes, key: key)
      var found = [states[0]]
      while let record = scanner.next(bytes), record.kind == .commit {
        found.append(try found[found.count - 1].applying(record.change(in: bytes).delta))
      }
      #expect(scanner.next(bytes) == nil && scanner.end == .sealed)
      return found
    }
    #expect(found.map(Oracle.bytes) == states.map(Oracle.bytes))
    // Without the key the numbers and the end are known.
    let locked = try bytes.withUnsafeBytes { bytes in
      var scanner = try JournalScanner(withoutKey: bytes)
      while scanner.next(bytes) != nil {}
      return (scanner.lastCommit, scanner.end)
    }
    #expect(locked.0 == 25 && locked.1 == .sealed)
  }

  /// Strings of other lengths do not show, unless they differ by a grain.
  @Test func filesDoNotShowTheLengthOfAString() throws {
    func sizes(_ text: String) throws -> [Int] {
      let disk = try SimulatedDisk.$usualKey.withValue(.standIn()) { SimulatedDisk() }
      let (file, _) = try StoreFile.open(StageStore.path, on: SimulatedProcess(disk))
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row")
      let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
      try transaction.create(in: table) { try $0.set(text, name) }
      let graph = transaction.graph.numbered(1)
      try file.commit(Delta(from: .empty, to: graph), version: 1, userVersion: 0)
      let journal = disk.files[StageStore.journal]?.count ?? 0
      try file.checkpoint(graph, version: 1, userVersion: 0)
      try file.close()
      return [journal, disk.files[StageStore.path]?.count ?? 0, disk.files[StageStore.journal]?.count ?? 0]
    }
    /// How many sizes the files have for strings of many lengths.
    func counts(_ lengths: StrideTo<Int>) throws -> [Int] {
      let all = try lengths.map { try sizes(String(repeating: "x", count: $0)) }
      return (0..<3).map { file in Set(all.map { $0[file] }).count }
    }
    // A grain has 256 bytes, and longer ones have an eighth of their length.
    #expect(try counts(stride(from: 0, to: 1024, by: 8)) == [5, 5, 1])
    #expect(try counts(stride(from: 8192, to: 16384 - 512, by: 256)).allSatisfy { $0 <= 9 })
  }

  @Test func aCipherThatSaysOfItselfWhatNoCipherCanIsRefused() throws {
    struct Odd: FileCipher {
      var keyIdentifier = Data()
      var overhead = 16
      func seal(_ bytes: Data, authenticating data: Data) -> Data { bytes }
      func open(_ sealed: Data, authenticating data: Data) -> Data { sealed }
    }
    for odd in [Odd(overhead: -1), Odd(overhead: 257), Odd(overhead: .max), Odd(keyIdentifier: Data(count: 49))] {
      let error = #expect(throws: StoreError.self) { try FileKey(odd) }
      #expect(error?.code == .wrongKey)
    }
    #expect(try FileKey(Odd(keyIdentifier: Data(count: 48), overhead: 256)).mark.overhead == 256)
  }
}
