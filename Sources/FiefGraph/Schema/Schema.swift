/// The facts about all tables of a graph, in the order of their keys.
public struct Schema: Equatable, Sendable {
  /// The tables, nested collections' two included, in the order of their keys.
  public let tables: [TableSchema]
  /// The number that the next new table gets.
  public let nextTable: UInt32

  /// How many tables a graph may ever have had: each key takes a place in it, also when its table is gone.
  static let tableLimit: UInt32 = 1 << 20

  /// A schema from its parts. Nothing is checked here; `Schema.problems` does that.
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

  /// The table of that name, or nil. Linear in the number of tables.
  public func table(named name: String) -> TableSchema? { tables.first { $0.name == name } }

  /// The schema of a graph in which nothing was declared: the two tables of nested collections alone.
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
  /// The one column of the two tables of nested collections.
  public static let nestedElements = ColumnKey(rawValue: 0)
}
