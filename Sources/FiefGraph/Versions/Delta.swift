/// What leads from one version to another: the difference of two graphs, in terms of tables, rows and cells.
///
///     delta(a, b).apply(a) == b         delta(b, a) is the inverse of delta(a, b)
///     delta(.empty, b) is a snapshot    delta(a, a) is empty
///
/// It is found by walking both graphs side by side and skipping whatever they share, so it costs what changed. It holds
/// what a reader needs to make the new version from the old one and nothing that follows from it: no backlinks, no
/// indexes. Rows that are new come as clusters, column by column; the clusters of a graph that is new altogether are
/// the graph's own.
public struct Delta: Sendable {
  /// The new facts about the tables, when they differ from the old ones.
  public var schema: Schema?
  /// The tables in which something differs, in the order of their keys. A table that goes with the schema is not among
  /// them.
  public var tables: [TableDelta]
  /// How many nodes, clusters and leaves were looked at to find the difference.
  public internal(set) var nodesVisited: Int

  /// A delta from its parts.
  public init(schema: Schema? = nil, tables: [TableDelta] = []) {
    self.schema = schema
    self.tables = tables
    nodesVisited = 0
  }

  /// Whether the two versions are equal.
  public var isEmpty: Bool { schema == nil && tables.isEmpty }

  /// Whether the two versions differ in nothing that can be seen: in no more than the keys that new rows get.
  package var showsNothing: Bool {
    schema == nil && tables.allSatisfy { $0.inserted.isEmpty && $0.deleted.isEmpty && $0.updated.isEmpty }
  }
}

/// What differs in one table.
public struct TableDelta: Sendable {
  /// The table.
  public var table: TableKey
  /// The number that the next new row gets.
  public var nextKey: Int64
  /// The rows that are gone.
  public var deleted: [DeletedRows] = []
  /// The rows that are new, with their cells.
  public var inserted: [InsertedRows] = []
  /// The cells that differ in rows that stayed, by column.
  public var updated: [ColumnDelta] = []

  /// A delta of `table` in which nothing but the next key is said.
  public init(table: TableKey, nextKey: Int64) {
    self.table = table
    self.nextKey = nextKey
  }
}

/// Rows of one chunk of keys that are gone.
public struct DeletedRows: Hashable, Sendable {
  /// The chunk.
  public var chunk: Int64
  /// The rows, by bit; never none.
  public var rows: Bitmap256

  /// The rows `rows` of `chunk`.
  public init(chunk: Int64, rows: Bitmap256) {
    self.chunk = chunk
    self.rows = rows
  }
}

/// Rows of one chunk of keys that are new.
public struct InsertedRows: Sendable {
  /// The chunk.
  public var chunk: Int64
  /// The rows and their cells: a leaf for each column of the new schema.
  public var rows: Cluster

  /// The rows of `rows`, in `chunk`.
  public init(chunk: Int64, rows: Cluster) {
    self.chunk = chunk
    self.rows = rows
  }
}

/// Cells of one column that differ.
public struct ColumnDelta: Sendable {
  /// The column.
  public var column: ColumnKey
  /// The cells, ascending by row, and what differs in each.
  public var cells: [(key: ObjectKey, change: CellChange)]

  /// The changes `cells` of `column`.
  public init(column: ColumnKey, cells: [(key: ObjectKey, change: CellChange)]) {
    self.column = column
    self.cells = cells
  }
}

/// What differs in one cell.
public enum CellChange: Sendable {
  /// The new value of a single cell.
  case value(Value)
  /// The new contents of parts of a list, ascending; positions are those of the old list.
  case list([ListSplice])
  /// The elements that left a set, and those that came; an element replaced by an equal one of other bits is in both.
  case set(removed: [Value], inserted: [Value])
  /// The keys that left a dictionary, and the entries that came or changed.
  case dictionary(removed: [String], set: [DictionaryEntry])
}

/// New elements in the place of a range of old ones.
public struct ListSplice: Sendable {
  /// The positions, in the old list, of what goes.
  public var range: Range<Int>
  /// What comes in its place.
  public var values: [Value]

  /// `values` in the place of `range`.
  public init(range: Range<Int>, values: [Value]) {
    self.range = range
    self.values = values
  }
}
