/// The difference between two graphs, in terms of tables, rows and cells.
///
///     delta(a, b).apply(a) == b         delta(b, a) is the inverse of delta(a, b)
///     delta(.empty, b) is a snapshot    delta(a, a) is empty
///
/// The difference is found by walking both graphs side by side and skipping shared nodes, so the cost is proportional
/// to the changes. A delta contains what is needed to make the new version from the old one, and no derived data: no
/// backlinks, no indexes. New rows are clusters, column by column. If a whole table is new, its clusters are those of
/// the graph.
public struct Delta: Sendable {
  /// The new schema, if it differs from the old one.
  public var schema: Schema?
  /// The tables with differences, in the order of their keys. A table that the schema removes is not among them.
  public var tables: [TableDelta]
  /// How many nodes, clusters and leaves were visited to find the difference.
  public internal(set) var nodesVisited: Int

  /// Makes a delta of its parts.
  public init(schema: Schema? = nil, tables: [TableDelta] = []) {
    self.schema = schema
    self.tables = tables
    nodesVisited = 0
  }

  /// Whether the two versions are equal.
  public var isEmpty: Bool { schema == nil && tables.isEmpty }

  /// Whether the versions differ in nothing visible: at most in the keys of the next new rows.
  package var showsNothing: Bool {
    schema == nil && tables.allSatisfy { $0.inserted.isEmpty && $0.deleted.isEmpty && $0.updated.isEmpty }
  }

  /// The number of inserted rows and changed cells: the steps in which it is applied.
  ///
  /// - Complexity: linear in the chunks of rows and the columns.
  package var stepCount: Int {
    tables.reduce(0) { sum, table in
      sum + table.inserted.reduce(0) { $0 + $1.rows.count } + table.updated.reduce(0) { $0 + $1.cells.count }
    }
  }
}

/// The differences of one table.
public struct TableDelta: Sendable {
  /// The key of the table.
  public var table: TableKey
  /// The key of the next new row.
  public var nextKey: Int64
  /// The deleted rows.
  public var deleted: [DeletedRows] = []
  /// The new rows, with their cells.
  public var inserted: [InsertedRows] = []
  /// The changed cells of rows that both versions have, by column.
  public var updated: [ColumnDelta] = []

  /// Makes a delta of `table` that contains only the next key.
  public init(table: TableKey, nextKey: Int64) {
    self.table = table
    self.nextKey = nextKey
  }
}

/// Deleted rows of one chunk of keys.
public struct DeletedRows: Hashable, Sendable {
  /// The chunk.
  public var chunk: Int64
  /// The rows, by bit; never empty.
  public var rows: Bitmap256

  /// Makes the deletion of the rows `rows` of `chunk`.
  public init(chunk: Int64, rows: Bitmap256) {
    self.chunk = chunk
    self.rows = rows
  }
}

/// Changed cells of one column.
public struct ColumnDelta: Sendable {
  /// The key of the column.
  public var column: ColumnKey
  /// The cells, ascending by row, and the change of each.
  public var cells: [(key: ObjectKey, change: CellChange)]

  /// Makes the changes `cells` of `column`.
  public init(column: ColumnKey, cells: [(key: ObjectKey, change: CellChange)]) {
    self.column = column
    self.cells = cells
  }
}

/// The change of one cell.
public enum CellChange: Sendable {
  /// The new value of a single cell.
  case value(Value)
  /// The replaced ranges of a list, ascending; positions are those of the old list.
  case list([ListSplice])
  /// The removed and the inserted elements of a set. An element that is replaced by an equal one of other bits is in
  /// both.
  case set(removed: [Value], inserted: [Value])
  /// The removed keys of a dictionary, and its new and changed entries.
  case dictionary(removed: [String], set: [DictionaryEntry])
}

/// New elements that replace a range of old ones.
public struct ListSplice: Sendable {
  /// The replaced positions of the old list.
  public var range: Range<Int>
  /// The new elements.
  public var values: [Value]

  /// Makes the replacement of `range` by `values`.
  public init(range: Range<Int>, values: [Value]) {
    self.range = range
    self.values = values
  }
}
