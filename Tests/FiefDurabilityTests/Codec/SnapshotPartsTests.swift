import FiefDurability
import FiefGraph
import FiefTestSupport
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

  @Test func aFileThatWasCutIsTheSameErrorInParts() throws {
    var store = try RandomStore(seed: Seed(12))
    for _ in 0..<3 { _ = try store.step() }
    let bytes = Snapshot.bytes(store.graph, Fixed.header())
    for count in stride(from: 0, to: bytes.count, by: 37) {
      #expect(throws: CodecError.self) { _ = try Snapshot(Array(bytes[..<count])) }
    }
    #expect(throws: CodecError.self) { _ = try Snapshot(bytes + [0]) }
  }
}
