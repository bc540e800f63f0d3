/// The schemas of all tables of a graph, in the order of their keys.
public struct Schema: Equatable, Sendable {
  /// The tables, in the order of their keys, including the two tables of nested collections.
  public let tables: [TableSchema]
  /// The key of the next new table.
  public let nextTable: UInt32

  /// How many tables a graph may have in its lifetime: each key takes an element of its array, even after its table was
  /// removed.
  static let tableLimit: UInt32 = 1 << 20

  /// Makes a schema of its parts. Nothing is checked here; `Schema.problems` checks it.
  public init(tables: [TableSchema], nextTable: UInt32) {
    self.tables = tables
    self.nextTable = nextTable
  }

  /// The table of that key, or nil. Logarithmic in the number of tables.
  public func table(_ key: TableKey) -> TableSchema? {
    var low = 0
    var high = tables.count
    while low < high {
      let middle = (low + high) / 2
      if tables[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < tables.count && tables[low].key == key ? tables[low] : nil
  }

  /// Whether all tables of an older schema are the same in this one, so that their rows can be compared.
  package func keepsTables(of older: Schema) -> Bool { older.tables.allSatisfy { table($0.key) == $0 } }

  /// The schema of a new graph: only the two tables of nested collections.
  public static let empty = Schema(
    tables: [
      TableSchema(
        key: .nestedLists, name: "any.list", kind: .embedded,
        columns: [Column(key: .nestedElements, name: "elements", type: ColumnType(.any, shape: .list))],
        nextColumn: 1),
      TableSchema(
        key: .nestedDictionaries, name: "any.dictionary", kind: .embedded,
        columns: [Column(key: .nestedElements, name: "elements", type: ColumnType(.any, shape: .dictionary))],
        nextColumn: 1),
    ], nextTable: 2)
}

extension ColumnKey {
  /// The only column of the two tables of nested collections.
  public static let nestedElements = ColumnKey(rawValue: 0)
}
