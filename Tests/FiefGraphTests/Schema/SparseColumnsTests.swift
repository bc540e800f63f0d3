import FiefGraph
import FiefTestSupport
import Testing

/// Columns with sparse keys, as a table has them after many changes.
struct SparseColumnsTests {
  private let far = TableSchema(
    key: TableKey(rawValue: 2), name: "T", kind: .ordinary,
    columns: [1_000_000, 5, 70_000].map {
      Column(key: ColumnKey(rawValue: $0), name: "c\($0)", type: ColumnType(.int))
    }, indexes: [IndexDefinition([ColumnKey(rawValue: 70_000)])], nextColumn: 1_000_001)

  @Test func columnsFarApartAreFound() {
    #expect(far.leaf(of: ColumnKey(rawValue: 1_000_000)) == 0)
    #expect(far.leaf(of: ColumnKey(rawValue: 5)) == 1)
    #expect(far.leaf(of: ColumnKey(rawValue: 70_000)) == 2)
    for missing: UInt32 in [0, 4, 6, 69_999, 999_999, 1_000_001, .max] {
      #expect(far.leaf(of: ColumnKey(rawValue: missing)) == nil)
    }
  }

  @Test func aTableOfThemIsSoundAndTakesRows() throws {
    let schema = Schema(tables: Schema.empty.tables + [far], nextTable: 3)
    #expect(schema.problems == [])
    var delta = Delta(schema: schema)
    delta.tables = [TableDelta(table: far.key, nextKey: 0)]
    let transaction = Transaction(try Graph.empty.applying(delta))
    try transaction.create(in: far.key) { try $0.set(7, ColumnKey(rawValue: 70_000)) }
    #expect(transaction.graph.checkInvariants() == [])
    #expect(transaction.value(Cell(far.key, ObjectKey(0), ColumnKey(rawValue: 70_000))) == .int(7))
  }

  @Test func anIndexThatIsThereTwiceIsAProblem() {
    let index = IndexDefinition([ColumnKey(rawValue: 5)])
    let schema = TableSchema(
      key: far.key, name: "T", kind: .ordinary, columns: far.columns, indexes: [index, index], nextColumn: 1_000_001)
    #expect(
      Schema(tables: Schema.empty.tables + [schema], nextTable: 3).problems == ["'T' has the same index twice."])
  }
}
