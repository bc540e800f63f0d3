import FiefDurability
import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// The numbers of FORMAT.md as literals: a writer and a reader with the same error would agree with each other.
@Suite(.leavesNoFileOpen) struct FormatNumberTests {
  private func piece(_ kind: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [kind] + (0..<7).map { UInt8(truncatingIfNeeded: contents.count >> (8 * $0)) } + contents
  }

  private func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

  // MARK: Schema

  @Test func aSchemaIsWrittenInTheNumbersOfThePage() throws {
    let target = TableKey(rawValue: 5)
    var columns: [(type: ColumnType, rule: DeleteRule, bytes: [UInt8])] = []
    for (number, kind) in [
      ValueKind.bool, .int, .float, .double, .string, .data, .date, .objectId, .uuid, .decimal, .link, .any,
    ].enumerated() {
      columns.append((ColumnType(kind), .nullify, [UInt8(number), 0, 0, 8, 0, 0]))
    }
    for (number, shape) in [ColumnShape.single, .list, .set, .dictionary].enumerated() {
      columns.append((ColumnType(.int, shape: shape, isOptional: true), .nullify, [1, UInt8(number), 1, 8, 0, 0]))
    }
    for (number, width) in [(1, IntegerWidth.bits8), (2, .bits16), (4, .bits32), (8, .bits64)] {
      columns.append((ColumnType(.int, width: width), .nullify, [1, 0, 0, UInt8(number), 0, 0]))
    }
    for (number, rule) in [DeleteRule.nullify, .cascade, .deny].enumerated() {
      columns.append((.link(to: target), rule, [10, 0, 0, 8, 6, UInt8(number)]))
    }
    let keys = (0..<3).map { ColumnKey(rawValue: $0) }
    let row = TableSchema(
      key: TableKey(rawValue: 2), name: "Row", kind: .ordinary,
      columns: columns.enumerated().map { position, column in
        Column(
          key: ColumnKey(rawValue: UInt32(position)), name: "c\(position)", type: column.type, deleteRule: column.rule)
      }, primaryKey: keys[1],
      indexes: [IndexDefinition([keys[2], keys[1]]), IndexDefinition([keys[0]], isUnique: true), .fullText(keys[1])],
      nextColumn: 40)
    let others = [TableKind.embedded, .asymmetric].map { kind in
      TableSchema(key: TableKey(rawValue: 5), name: "Ä", kind: kind, columns: [], nextColumn: 300)
    }

    var contents: [UInt8] = [7, 3, 2] + text("Row") + [0, 40, 2, UInt8(columns.count)]
    for (position, column) in columns.enumerated() {
      contents += [UInt8(position)] + text("c\(position)") + column.bytes
    }
    contents += [3, 0, 2, 2, 1, 1, 1, 0, 2, 1, 1]
    for kind: UInt8 in [1, 2] { contents += [5] + text("Ä") + [kind, 0xAC, 2, 0, 0, 0] }
    let bytes = DeltaCodec.encode(Delta(schema: Schema(tables: [row] + others, nextTable: 7)))
    #expect(bytes == piece(1, contents))
    #expect(DeltaCodec.encode(try DeltaCodec.decode(bytes)) == bytes)
  }

  // MARK: New rows

  private let id = ObjectId(words: 0x0102_0304, 0x0506_0708, 0x090A_0B0C)
  private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private let decimal = Decimal128(bitPatternHigh: 0x3040_0000_0000_0000, low: 7)
  private let decimalBytes: [UInt8] = [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x30]
  private let date = Timestamp(seconds: 1, nanoseconds: 2)
  private let dateBytes: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]

  /// Expects the bytes of the column of a table with one column and one row, which `fill` fills.
  private func expect(
    _ bytes: [UInt8], _ type: ColumnType, _ fill: (Transaction, Cell) throws -> Void
  ) throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let column = try transaction.addColumn(to: table, "value", type)
    let schema = DeltaCodec.encode(Delta(schema: transaction.graph.schema))
    try fill(transaction, Cell(table, try transaction.create(in: table), column))
    let delta = Delta(from: .empty, to: transaction.graph)
    let encoded = DeltaCodec.encode(delta)
    // The table and its next key; then its key, chunk 0, the first row, one column.
    let expected = schema + piece(2, [2, 2]) + piece(4, [2, 0, 0, 0, 1] + bytes)
    #expect(encoded == expected, "\(type.declaration)")
    #expect(try Graph.empty.applying(DeltaCodec.decode(expected)) == transaction.graph, "\(type.declaration)")
  }

  @Test func valuesOfNewRowsAreWrittenInTheFormsOfThePage() throws {
    let row = ObjectLink(TableKey(rawValue: 2), ObjectKey(0))
    for (type, value, bytes) in [
      (ColumnType(.bool), .bool(true), [1, 1]), (ColumnType(.int), .int(-2), [1, 0xFE]),
      (ColumnType(.int), .int(300), [2, 0x2C, 1]), (ColumnType(.int), .int(1 << 20), [3, 0, 0, 0x10, 0]),
      (ColumnType(.int), .int(1 << 40), [4, 0, 0, 0, 0, 0, 1, 0, 0]),
      (.link(to: row.table), .link(row), [1, 0]), (.link(to: row.table), .null, [0x81, 0, 0, 0]),
      (ColumnType(.float), .float(1.5), [5, 0, 0, 0xC0, 0x3F]),
      (ColumnType(.double), .double(1.5), [6, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]),
      (ColumnType(.string), .string("ab"), [7, 1, 2, 97, 98]),
      (ColumnType(.data), .data(Data([9, 8])), [8, 1, 2, 9, 8]),
      (ColumnType(.date), .date(date), [9] + dateBytes), (ColumnType(.objectId), .objectId(id), [10] + Array(1...12)),
      (ColumnType(.uuid), .uuid(uuid), [11] + Array(1...16)),
      (ColumnType(.decimal), .decimal(decimal), [12] + decimalBytes),
      (ColumnType(.int, isOptional: true), .null, [0x81, 0, 0, 0]),
    ] as [(ColumnType, Value, [UInt8])] {
      try expect(bytes, type) { try $0.set(value, $1) }
    }
  }

  @Test func collectionsOfNewRowsAreWrittenInTheFormsOfThePage() throws {
    for shape in [ColumnShape.list, .set, .dictionary] {
      try expect([14, 0], ColumnType(.int, shape: shape)) { _, _ in }
    }
    try expect([15, 1, 2, 1, 5, 6], ColumnType(.int, shape: .list)) { transaction, cell in
      for number: Int64 in [5, 6] { try transaction.append(.int(number), toList: cell) }
    }
    try expect([15, 1, 2, 13, 0, 3, 10], ColumnType(.int, shape: .list, isOptional: true)) { transaction, cell in
      for value in [Value.null, .int(5)] { try transaction.append(value, toList: cell) }
    }
    try expect([16, 1, 1, 7, 1, 2, 97, 98], ColumnType(.string, shape: .set)) { transaction, cell in
      try transaction.insert(.string("ab"), inSet: cell)
    }
    let entries: [UInt8] = [17, 1, 2, 1, 1, 2, 97, 98, 99, 3, 10, 3, 12]
    try expect(entries, ColumnType(.int, shape: .dictionary)) { transaction, cell in
      try transaction.set(.int(5), forKey: "a", inDictionary: cell)
      try transaction.set(.int(6), forKey: "bc", inDictionary: cell)
    }
  }

  @Test func anyValuesAreWrittenInTheNumbersOfThePage() throws {
    for (value, bytes) in [
      (.null, [0]), (.bool(false), [1]), (.bool(true), [2]), (.int(0), [3, 0]), (.int(-1), [3, 1]), (.int(1), [3, 2]),
      (.int(-2), [3, 3]), (.int(100), [3, 0xC8, 1]), (.float(1.5), [4, 0, 0, 0xC0, 0x3F]),
      (.double(1.5), [5, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]), (.string("ab"), [6, 2, 97, 98]),
      (.data(Data([9, 8])), [7, 2, 9, 8]), (.date(date), [8] + dateBytes), (.objectId(id), [9] + Array(1...12)),
      (.uuid(uuid), [10] + Array(1...16)), (.decimal(decimal), [11] + decimalBytes),
      (.link(ObjectLink(TableKey(rawValue: 2), ObjectKey(0))), [12, 2, 0]),
    ] as [(Value, [UInt8])] {
      try expect([13] + bytes, ColumnType(.any)) { try $0.set(value, $1) }
    }
  }

  @Test func rowsAreNumberedInTheThreeFormsOfBitmaps() throws {
    for (count, gone, bitmap) in [
      (3, [], [0, 2]), (3, [1], [2, 0, 2]), (32, [0], [31] + Array(1...31)),
      (41, [0], [32, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 1] + [UInt8](repeating: 0, count: 26)),
      (256, [], [0, 255]),
    ] as [(Int, [Int64], [UInt8])] {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row")
      let before = transaction.graph
      for _ in 0..<count { try transaction.create(in: table) }
      for key in gone { try transaction.delete(ObjectLink(table, ObjectKey(key))) }
      let next = HostileTests.varint(UInt64(count) * 2)
      let bytes = DeltaCodec.encode(Delta(from: before, to: transaction.graph))
      #expect(bytes == piece(2, [2] + next) + piece(4, [2, 0] + bitmap + [0]), "\(count) without \(gone)")
    }
  }

  // MARK: Changes

  private func change(
    _ type: ColumnType, _ before: (Transaction, Cell) throws -> Void, _ change: (Transaction, Cell) throws -> Void
  ) throws -> [UInt8] {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let column = try transaction.addColumn(to: table, "value", type)
    let cell = Cell(table, try transaction.create(in: table), column)
    try before(transaction, cell)
    let old = transaction.graph
    let next = Transaction(old)
    try change(next, cell)
    let bytes = DeltaCodec.encode(Delta(from: old, to: next.graph))
    #expect(try old.applying(DeltaCodec.decode(bytes)) == next.graph)
    return bytes
  }

  @Test func changesOfCellsAreWrittenInTheNumbersOfThePage() throws {
    // The column, one cell, of row 0; then the change.
    func cells(_ bytes: [UInt8]) -> [UInt8] { piece(2, [2, 2]) + piece(5, [0, 1, 0] + bytes) }
    let single = try change(ColumnType(.int), { try $0.set(.int(5), $1) }, { try $0.set(.int(6), $1) })
    #expect(single == cells([0, 3, 12]))
    let list = try change(
      ColumnType(.int, shape: .list), { for n: Int64 in [5, 7] { try $0.append(.int(n), toList: $1) } },
      { try $0.replaceSubrange(1..<2, with: [.int(6), .int(8)], inList: $1) })
    #expect(list == cells([1, 1, 1, 1, 2, 3, 12, 3, 16]))
    let set = try change(ColumnType(.int, shape: .set), { try $0.insert(.int(5), inSet: $1) }) {
      try $0.remove(.int(5), fromSet: $1)
      try $0.insert(.int(6), inSet: $1)
    }
    #expect(set == cells([2, 1, 3, 10, 1, 3, 12]))
    let dictionary = try change(
      ColumnType(.int, shape: .dictionary), { try $0.set(.int(5), forKey: "a", inDictionary: $1) }
    ) {
      try $0.remove(key: "a", fromDictionary: $1)
      try $0.set(.int(6), forKey: "b", inDictionary: $1)
    }
    #expect(dictionary == cells([3, 1] + text("a") + [1] + text("b") + [3, 12]))
  }

  @Test func rowsThatGoAreWrittenInTheirOwnPiece() throws {
    let bytes = try change(ColumnType(.int), { try $0.set(.int(5), $1) }) {
      try $0.delete(ObjectLink($1.table, ObjectKey(0)))
    }
    #expect(bytes == piece(2, [2, 2]) + piece(3, [1, 0, 0, 0]))
  }
}
