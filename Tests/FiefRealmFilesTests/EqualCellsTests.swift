import FiefGraph
import FiefRealmFileSamples
import FiefRealmFiles
import FiefValues
import Testing

private typealias Column = RealmFileWriter.Column

/// Nodes of equal values take no bytes, and become leaves that clusters share.
@Suite struct EqualCellsTests {
  private static let nullable: Int64 = 16, list: Int64 = 32

  /// Clusters of 256, 256 and 10 rows without values.
  private func file() throws -> RealmFile {
    var writer = RealmFileWriter()
    let rows = writer.clusters(of: 522) { writer, range in
      let zeros = [Int64](repeating: 0, count: range.count)
      let nulls = [String?](repeating: nil, count: range.count)
      return [
        writer.integers(zeros), writer.integers(zeros + [0]), writer.shortStrings(nulls), writer.shortStrings(nulls),
        writer.raw([], count: range.count, width: 0, scheme: .multiple, isFlagged: range.lowerBound == 256),
        writer.integers(zeros), writer.integers(zeros),
      ]
    }
    let columns = [
      Column("n", 0), Column("on", 0, Self.nullable), Column("s", 2), Column("os", 2, Self.nullable),
      Column("m", 11, Self.nullable), Column("next", 12, Self.nullable, opposite: 3), Column("l", 0, Self.list),
    ]
    return try RealmFile(
      writer.finish(top: writer.group([("class_A", writer.table(key: 3, columns, rows: rows))])))
  }

  private func values(_ graph: Graph, _ row: Int64) -> [Value?] {
    guard let schema = graph.table(named: "A")?.schema else { return [] }
    return schema.columns.dropLast().map { graph.value(Cell(schema.key, ObjectKey(row), $0.key)) }
  }

  @Test func theyAreReadInClustersOfEverySize() throws {
    let graph = try file().graph
    #expect(graph.checkInvariants() == [])
    #expect(graph.table(named: "A")?.count == 522)
    for row: Int64 in [0, 255, 256, 511, 512, 521] {
      // The decimals of the second cluster are zeros, those of the others null.
      let decimal = 256..<512 ~= row ? Value.decimal(Decimal128()) : .null
      #expect(values(graph, row) == [.int(0), .null, .string(""), .null, decimal, .null], "row \(row)")
    }
  }

  @Test func aChangeOfOneCellLeavesTheOthers() throws {
    let before = try file().graph
    let schema = try #require(before.table(named: "A")?.schema)
    let transaction = Transaction(before)
    for (column, value) in zip(schema.columns, [.int(7), .int(8), .string("x"), .string("y")] as [Value]) {
      try transaction.set(value, Cell(schema.key, ObjectKey(3), column.key))
    }
    let after = transaction.successor
    #expect(after.checkInvariants() == [])
    #expect(Array(values(after, 3).prefix(4)) == [.int(7), .int(8), .string("x"), .string("y")])
    for row: Int64 in [2, 4, 259, 515] { #expect(values(after, row) == values(before, row)) }
    #expect(values(before, 3).first == .int(0))
  }

  @Test func theyTakeLittleMemory() throws {
    // 522 rows of seven columns: a leaf for each form, not for each cluster.
    #expect(try file().report.charged < 100_000)
  }
}
