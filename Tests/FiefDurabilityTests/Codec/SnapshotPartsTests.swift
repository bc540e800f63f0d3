import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Synchronization
import Testing

/// Reading a snapshot on several threads: the same graph, and of a damaged file the same error.
@Suite(.leavesNoFileOpen) struct SnapshotPartsTests {
  /// The change that `parts` read; nil where they are fewer than two.
  private func delta(_ bytes: [UInt8], inParts parts: Int) throws -> Delta? {
    try bytes.withUnsafeBytes { try Snapshot.delta(of: $0, inParts: parts)?.1 }
  }

  @Test(arguments: Seeds.first(8), [UInt32(512), 4096])
  func anyNumberOfPartsReadsTheGraph(seed: Seed, blockSize: UInt32) throws {
    var store = try RandomStore(seed: seed)
    for _ in 0..<24 { _ = try store.step() }
    let bytes = Snapshot.bytes(store.graph, Fixed.header(blockSize: blockSize))
    for parts in [2, 3, 4, 7, 16, 1000] {
      let delta = try #require(try delta(bytes, inParts: parts))
      #expect(try Graph.empty.applying(delta) == store.graph)
    }
  }

  @Test func piecesThatFillManyBlocksBelongToThePartThatTheyBeginIn() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Text")
    let text = try transaction.addColumn(to: table, "text", ColumnType(.string))
    for length in [0, 5_000, 1, 0, 20_000, 700] {
      for _ in 0..<256 {
        try transaction.create(in: table) { try $0.set(.string(String(repeating: "a", count: length / 9)), text) }
      }
    }
    let graph = transaction.graph
    let bytes = Snapshot.bytes(graph, Fixed.header())
    for parts in [2, 3, 50, 100_000] {
      #expect(try Graph.empty.applying(try #require(try delta(bytes, inParts: parts))) == graph)
    }
  }

  @Test func aSmallFileIsReadInOnePart() throws {
    let bytes = Snapshot.bytes(.empty, Fixed.header())
    #expect(try delta(bytes, inParts: 8) == nil)
    #expect(try Snapshot(bytes).graph == .empty)
  }

  @Test func everyDamagedByteIsTheSameErrorInParts() throws {
    var store = try RandomStore(seed: Seed(11))
    for _ in 0..<3 { _ = try store.step() }
    let bytes = Snapshot.bytes(store.graph, Fixed.header())
    for position in stride(from: 0, to: bytes.count, by: 23) {
      var damaged = bytes
      damaged[position] ^= 0x40
      // The initializer of the tests compares the errors of several numbers of parts.
      #expect(throws: CodecError.self) { _ = try Snapshot(damaged) }
      #expect(throws: CodecError.self) { _ = try delta(damaged, inParts: 3) }
    }
  }

  /// Each part checks its rows, and the error is that of checking all of them in their order.
  @Test func rowsThatDoNotFitTheirTableAreTheSameErrorInParts() throws {
    func change(_ type: ColumnType, _ value: Value) throws -> Delta {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row")
      let column = try transaction.addColumn(to: table, "value", type)
      for _ in 0..<3000 { try transaction.create(in: table) { try $0.set(value, column) } }
      return Delta(from: .empty, to: transaction.graph)
    }
    func bytes(_ schema: Delta, _ rows: Delta) -> [UInt8] {
      let pieces = DeltaCodec.encode(Delta(schema: schema.schema, tables: rows.tables))
      let length = 8 + pieces[1..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
      return (pieces + [6] + pieces[1..<length]).withUnsafeBytes {
        Sealing.snapshot($0, Fixed.header(blockSize: 512))
      }
    }
    let (numbers, flags) = (try change(ColumnType(.int), .int(2)), try change(ColumnType(.bool), .bool(true)))
    #expect(try Graph.empty.applying(try #require(try delta(bytes(flags, flags), inParts: 3))).checkInvariants() == [])
    let mixed = bytes(flags, numbers)
    #expect(throws: CodecError.self) { _ = try delta(mixed, inParts: 3) }
    let error = #expect(throws: CodecError.self) { _ = try Snapshot(mixed) }
    #expect(error?.code == .unsound && error?.reason.contains("at slot 0 holds") == true, "\(error.debugDescription)")
  }

  @Test func aFileThatWasCutIsTheSameErrorInParts() throws {
    var store = try RandomStore(seed: Seed(12))
    for _ in 0..<3 { _ = try store.step() }
    let bytes = Snapshot.bytes(store.graph, Fixed.header())
    for count in stride(from: 0, to: bytes.count, by: 37) {
      #expect(throws: CodecError.self) { _ = try Snapshot(Array(bytes[..<count])) }
    }
    #expect(throws: CodecError.self) { _ = try Snapshot(bytes + [0]) }
  }

  /// A graph whose snapshot has more than two megabytes.
  private func largeGraph() throws -> Graph {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Text")
    let text = try transaction.addColumn(to: table, "text", ColumnType(.string))
    for number in 0..<600 {
      try transaction.create(in: table) { try $0.set(.string(String(repeating: "\(number) ", count: 900)), text) }
    }
    return transaction.graph.numbered(1)
  }

  @Test func aLargeFileIsReadBlockByBlock() throws {
    let graph = try largeGraph()
    let disk = SimulatedDisk()
    let size = try StoreFile.writeCopy(
      of: graph, version: 1, userVersion: 0, to: StageStore.path, on: SimulatedProcess(disk))
    let reads = Mutex(0)
    let reader = SimulatedProcess(disk) { operation, _ in if operation == .read { reads.withLock { $0 += 1 } } }
    #expect(try StoreFile.read(StageStore.path, on: reader).graph == graph)
    // For its rows, and for the digest of the whole.
    let blocks = size / (64 << 10)
    #expect(blocks > 30)
    if ProcessInfo.processInfo.activeProcessorCount > 1 { #expect(reads.withLock { $0 } >= 2 * blocks) }
  }

  @Test(arguments: Seeds.first(6)) func aDamagedLargeFileIsTheSameErrorAsItsBytes(seed: Seed) throws {
    var random = seed.random
    let graph = try largeGraph()
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a.realm").path
      let size = try StoreFile.writeCopy(of: graph, version: 1, userVersion: 0, to: path)
      #expect(try StoreFile.read(path).graph == graph)
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      bytes[100 + random.below(size - 100)] ^= UInt8(1 << random.below(8))
      if random.below(3) == 0 { bytes[100 + random.below(size - 100)] ^= 1 }
      if random.below(3) == 0 { bytes.removeLast(random.below(70_000)) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let expected = #expect(throws: CodecError.self) { _ = try Snapshot(bytes) }
      let error = #expect(throws: StoreError.self) { _ = try StoreFile.read(path) }
      #expect(error?.code == .damaged && error?.offset == expected.map { Int($0.offset) }, "\(error.debugDescription)")
    }
  }
}
