import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

/// Snapshots whose checksums are right and whose pieces are in no order that a writer gives them: each is refused.
@Suite(.leavesNoFileOpen) struct MisplacedPieceTests {
  /// The pieces of a snapshot of two tables, of which one has rows in three chunks: the schema, a table, its chunks, the other
  /// table, the copy of the schema.
  private func pieces() throws -> [[UInt8]] {
    let t = Transaction(.empty)
    let dogs = try t.addTable("Dog")
    let age = try t.addColumn(to: dogs, "age", ColumnType(.int))
    _ = try t.addTable("Cat")
    for number in 0..<600 { try t.create(in: dogs) { try $0.set(.int(Int64(number)), age) } }
    let all = try reading(Snapshot.bytes(t.graph, Fixed.header())) { raw throws(CodecError) in
      try Sealing.pieces(ofSnapshot: raw)
    }
    var (pieces, place) = ([[UInt8]](), 0)
    while place < all.count {
      let length = all[place + 1..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
      pieces.append(Array(all[place..<place + length]))
      place += length
    }
    #expect(pieces.map { $0[0] } == [1, 2, 4, 4, 4, 2, 6])
    return pieces
  }

  private func refusal(_ pieces: [[UInt8]]) -> CodecError? {
    let bytes = pieces.flatMap { $0 }.withUnsafeBytes { Sealing.snapshot($0, Fixed.header()) }
    do throws(CodecError) { _ = try Snapshot(bytes) } catch { return error }
    return nil
  }

  @Test func inTheirOrderTheyAreASnapshot() throws { #expect(refusal(try pieces()) == nil) }

  @Test(arguments: [
    (order: [0, 1, 3, 2, 4, 5, 6], "do not ascend"), ([0, 1, 2, 2, 3, 4, 5, 6], "do not ascend"),
    ([0, 5, 1, 2, 3, 4, 6], "do not ascend"), ([0, 1, 2, 3, 4, 5, 6, 6], "behind the last"),
    ([0, 1, 2, 3, 4, 5], "copy of the schema is missing"), ([0, 1, 2, 3, 4, 6], "tables are missing"),
    ([1, 2, 3, 4, 5, 6], ""), ([0, 2, 1, 3, 4, 5, 6], "wrong place"), ([0, 1, 0, 2, 3, 4, 5, 6], "not the first"),
    ([0, 5, 2, 3, 4, 6], ""),
  ])
  func inAnyOtherTheyAreRefused(order: [Int], words: String) throws {
    let pieces = try pieces()
    let error = refusal(order.map { pieces[$0] })
    #expect(error != nil)
    #expect(error?.reason.contains(words) ?? false || words.isEmpty, "\(String(describing: error))")
  }

  @Test func rowsThatASnapshotChangesAreRefused() throws {
    var pieces = try pieces()
    for kind in [UInt8(3), 5] {
      pieces[2][0] = kind
      #expect(refusal(pieces)?.reason == "a snapshot changes rows")
    }
    pieces[2][0] = 9
    #expect(refusal(pieces)?.code == .malformed)
  }

  @Test func aCopyOfAnotherSchemaIsRefused() throws {
    var pieces = try pieces()
    let name = try #require(pieces[6].firstIndex(of: UInt8(ascii: "D")))
    pieces[6][name] = UInt8(ascii: "F")
    #expect(refusal(pieces)?.reason == "the copy of the schema is another")
  }

  @Test func bytesBehindTheEndAreRefused() throws {
    let bytes = try pieces().flatMap { $0 }.withUnsafeBytes { Sealing.snapshot($0, Fixed.header()) } + [0]
    #expect(throws: CodecError.self) { _ = try Snapshot(bytes) }
  }
}
