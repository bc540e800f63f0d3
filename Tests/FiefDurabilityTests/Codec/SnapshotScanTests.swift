import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// The readable parts of a damaged snapshot.
@Suite(.leavesNoFileOpen) struct SnapshotScanTests {
  private func dogs(_ count: Int) throws -> Graph {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Dog")
    let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
    for number in 0..<count { try transaction.create(in: table) { try $0.set("dog\(number)", name) } }
    return transaction.graph
  }

  private func scan(_ bytes: [UInt8]) -> SnapshotScan { bytes.withUnsafeBytes { SnapshotScan($0) } }

  @Test func ofASoundSnapshotEverythingIsThere() throws {
    let graph = try dogs(5000)
    let scan = scan(Snapshot.bytes(graph, Fixed.header(blockSize: 4096)))
    #expect(scan.damages == [])
    #expect(scan.header == Fixed.header(blockSize: 4096))
    #expect(scan.soundBlockCount == scan.blockCount)
    #expect(try Graph.empty.applying(scan.delta) == graph)
  }

  @Test func ofADamagedOneEveryChunkIsThereThatIsWhole() throws {
    let graph = try dogs(5000)
    let bytes = Snapshot.bytes(graph, Fixed.header(blockSize: 4096))
    let blocks = scan(bytes).blockCount
    for block in 0..<blocks {
      var damaged = bytes
      damaged[64 + block * 4096 + min(100, (bytes.count - 64 - 80 - block * 4096) / 2)] ^= 0xFF
      let scan = scan(damaged)
      #expect(scan.damages.count == 1)
      #expect(scan.damages.first?.offset == UInt64(64 + block * 4096))
      #expect(scan.soundBlockCount == blocks - 1)
      #expect(scan.delta.schema != nil)
      // Without links, no row depends on a lost one, so the remaining rows are a graph.
      let saved = try Graph.empty.applying(scan.delta)
      let rows = saved[TableKey(rawValue: 2)]?.count ?? 0
      #expect(rows >= 5000 - 4 * 256 && rows <= 5000)
      #expect(saved.checkInvariants() == [])
    }
  }

  @Test func aHeaderIsReadFromTheEndWhenItIsLostAtTheBeginning() throws {
    let graph = try dogs(1000)
    let bytes = [UInt8](repeating: 0, count: 64) + Snapshot.bytes(graph, Fixed.header())[64...]
    let scan = scan(bytes)
    #expect(scan.header == Fixed.header())
    #expect(scan.damages.count == 1)
    #expect(try Graph.empty.applying(scan.delta) == graph)
  }

  @Test func aSnapshotThatWasCutHoldsWhatIsBeforeTheCut() throws {
    let bytes = Snapshot.bytes(try dogs(5000), Fixed.header())
    let scan = scan(Array(bytes[..<(bytes.count / 2)]))
    #expect(!scan.damages.isEmpty)
    #expect(try Graph.empty.applying(scan.delta)[TableKey(rawValue: 2)]?.count ?? 0 > 1500)
  }
}
