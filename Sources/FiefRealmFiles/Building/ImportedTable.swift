import FiefGraph

/// A table of the file that becomes one of the graph.
struct ImportedTable {
  /// The key of the first table in the graph, after those of collections in any-values.
  static let firstKey = 2

  let file: FileTable
  /// Its key in the graph.
  let key: TableKey
  let rows: RowNumbers
  /// How many tombstones it has.
  let tombstones: Int
}

/// The tables that are imported, by their keys in the file.
struct ImportedTables {
  let tables: [ImportedTable]
  private let positions: [Int64: Int]

  init(_ tables: [ImportedTable]) {
    self.tables = tables
    positions = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.file.key, $0) })
  }

  /// The position of the table that the file gives `key`; nil if it is left out.
  func position(_ key: Int64) -> Int? { positions[key] }
}
