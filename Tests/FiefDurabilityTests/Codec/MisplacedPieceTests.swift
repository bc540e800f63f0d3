import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport
import Testing

/// Snapshots with correct checksums whose pieces are in an order that no writer produces: each is refused.
@Suite(.leavesNoFileOpen) struct MisplacedPieceTests {
  /// The pieces of a snapshot of two tables, one of them with rows in three chunks: the schema, a table, its chunks,
  /// the other table, the copy of the schema.
  private func pieces() throws -> [[UInt8]] {
    let t = Transaction(.empty)
    let dogs = try t.addTable("Dog")
    let age = try t.addColumn(to: dogs, "age", ColumnType(.int))
    _ = try t.addTable("Cat")
    for number in 0..<600 { try t.create(in: dogs) { try $0.set(.int(Int64(number)), age) } }
    let all = try reading(Snapshot.bytes(t.graph, Fixed.header())) { raw throws(CodecError) in
      try Sealing.pieces(ofSnapshot: raw)
    }
    var (pieces, offset) = ([[UInt8]](), 0)
    while offset < all.count {
      let length = all[offset + 1..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
      pieces.append(Array(all[offset..<offset + length]))
      offset += length
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

  @Test func whatNothingSaysIsNotSpelt() throws {
    let pieces = try pieces()
    // The tables of every graph, without rows: with a next key they need a piece.
    for key: UInt8 in 0...1 {
      func with(nextKey: UInt8) -> [[UInt8]] {
        pieces[..<1] + [[2, 2, 0, 0, 0, 0, 0, 0, key, nextKey]] + pieces[1...]
      }
      #expect(refusal(with(nextKey: 0))?.reason == "it spells a table that nothing says")
      #expect(refusal(with(nextKey: 2)) == nil)
    }
    #expect(refusal([]) == nil)
    let schema = DeltaCodec.encode(Delta(schema: .empty))
    let error = refusal([schema, [6] + schema.dropFirst()])
    #expect(error?.code == .notCanonical)
    #expect(error?.reason == "it spells a schema that nothing says")
  }

  @Test func bytesBehindTheEndAreRefused() throws {
    let bytes = try pieces().flatMap { $0 }.withUnsafeBytes { Sealing.snapshot($0, Fixed.header()) } + [0]
    #expect(throws: CodecError.self) { _ = try Snapshot(bytes) }
  }
}

/// Misplaced pieces of a change in a journal.
@Suite(.leavesNoFileOpen) struct MisplacedChangeTests {
  private func piece(_ kind: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [kind, UInt8(contents.count), 0, 0, 0, 0, 0, 0] + contents
  }

  private func refusal(_ bytes: [UInt8]) -> CodecError? {
    do throws(CodecError) { _ = try DeltaCodec.decode(bytes) } catch { return error }
    return nil
  }

  @Test func tablesAscend() {
    let (two, three) = (piece(2, [2, 2]), piece(2, [3, 2]))
    #expect(refusal(two + three) == nil)
    for bytes in [three + two, two + two] {
      #expect(refusal(bytes)?.code == .notCanonical)
      #expect(refusal(bytes)?.reason == "tables do not ascend")
    }
  }

  @Test func chunksAscend() {
    let table = piece(2, [2, 2])
    // A chunk, its first row, and no columns.
    func rows(_ chunk: UInt8) -> [UInt8] { piece(4, [2, chunk, 0, 0, 0]) }
    // As signed numbers: -1, 0, 1.
    #expect(refusal(table + rows(1) + rows(0) + rows(2)) == nil)
    for bytes in [rows(0) + rows(0), rows(0) + rows(1), rows(2) + rows(0)] {
      #expect(refusal(table + bytes)?.reason == "chunks of rows do not ascend")
    }
    #expect(refusal(table + piece(3, [3, 1, 0, 0, 0, 0, 0, 2, 0, 0])) == nil)
    for chunks: [UInt8] in [[0, 0], [0, 1], [2, 0]] {
      let bytes = piece(3, [2, chunks[0], 0, 0, chunks[1], 0, 0])
      #expect(refusal(table + bytes)?.reason == "chunks of rows that go do not ascend")
    }
    #expect(refusal(table + piece(3, [0]))?.code == .notCanonical)
  }

  @Test func cellsAscend() {
    let table = piece(2, [2, 2])
    // Each key as the difference from the one before, and the change: null.
    func cells(_ distances: UInt8...) -> [UInt8] {
      piece(5, [0, UInt8(distances.count)] + distances.flatMap { distance -> [UInt8] in [distance, 0, 0] })
    }
    #expect(refusal(table + cells(6, 2, 4)) == nil)
    for bytes in [cells(6, 0), cells(6, 1), cells(0, 2, 3)] {
      #expect(refusal(table + bytes)?.code == .notCanonical)
      #expect(refusal(table + bytes)?.reason == "cells that change do not ascend")
    }
    #expect(refusal(table + cells())?.code == .notCanonical)
  }

  /// All rows could have one primary key between two changes of a column.
  @Test func aColumnChangesOnce() {
    func table(_ key: UInt8) -> [UInt8] { piece(2, [key, 2]) }
    // A column, one cell, and the change: null.
    func cells(_ column: UInt8) -> [UInt8] { piece(5, [column, 1, 0, 0, 0]) }
    #expect(refusal(table(2) + cells(1) + cells(0) + table(3) + cells(1)) == nil)
    for bytes in [cells(1) + cells(1), cells(1) + cells(0) + cells(1)] {
      #expect(refusal(table(2) + bytes)?.code == .notCanonical)
      #expect(refusal(table(2) + bytes)?.reason == "the cells of a column stand in two places")
    }
  }
}
