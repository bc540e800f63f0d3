/// The facts about one table, with what hot paths need to know worked out once.
///
/// Never changes: a schema change makes a new one. Column `i` of `columns` is leaf `i` of each of the table's
/// clusters.
public final class TableSchema: Sendable {
  /// The lasting name of the table.
  public let key: TableKey
  /// The name by which applications know it; unique in its graph.
  public let name: String
  /// How its rows live.
  public let kind: TableKind
  /// The columns, in the order of the leaves.
  public let columns: [Column]
  /// The column whose values name rows, if there is one.
  public let primaryKey: ColumnKey?
  /// The property indexes, compound ones included.
  public let indexes: [IndexDefinition]
  /// The number that the next new column gets.
  public let nextColumn: UInt32

  /// The types of the columns, apart: reading one from here touches no name.
  @usableFromInline let types: ContiguousArray<ColumnType>
  /// Leaf of the primary key, or -1.
  @usableFromInline let primaryKeyLeaf: Int
  /// Leaves of columns that can hold links.
  @usableFromInline let linkLeaves: [Int]
  /// For each leaf, the places in `indexes` of the indexes that it takes part in.
  @usableFromInline let indexesOfLeaf: [[Int]]
  /// Whether setting a leaf needs nothing but storing: no index, no primary key, no links.
  @usableFromInline let isPlainLeaf: [Bool]
  /// Whether setting a leaf needs nothing but storing and the backlinks: a single link to one table, in no index.
  @usableFromInline let isPlainLink: [Bool]
  /// Leaves that begin as null.
  @usableFromInline let nullableLeaves: [Int]
  /// For each number of a column, its leaf or -1; empty when the numbers are far apart.
  @usableFromInline let leafOfColumn: [Int32]
  /// The leaves of columns whose numbers are far apart, as they are after many changes.
  @usableFromInline let leafOfSparseColumn: [ColumnKey: Int]
  private let leafOfName: [String: Int]

  /// How many columns a table can have in its life.
  static let columnLimit: UInt32 = 1 << 20

  /// A table's facts from their parts. Nothing is checked here; `Schema.problems` does that.
  public init(
    key: TableKey, name: String, kind: TableKind, columns: [Column] = [], primaryKey: ColumnKey? = nil,
    indexes: [IndexDefinition] = [], nextColumn: UInt32 = 0
  ) {
    self.key = key
    self.name = name
    self.kind = kind
    self.columns = columns
    self.primaryKey = primaryKey
    self.indexes = indexes
    self.nextColumn = nextColumn
    // A schema may come from a damaged file: its keys take no more memory here than its columns, and a key beyond the
    // limit is a problem that `Schema.problems` tells, and none of a column that could be found.
    let highest = Int(columns.map(\.key.rawValue).max() ?? 0)
    let isDense = highest < 8 * columns.count + 64
    var leafOfColumn = [Int32](repeating: -1, count: isDense && !columns.isEmpty ? highest + 1 : 0)
    var leafOfSparseColumn: [ColumnKey: Int] = [:]
    var leafOfName: [String: Int] = [:]
    for (leaf, column) in columns.enumerated() {
      if isDense {
        leafOfColumn[Int(column.key.rawValue)] = Int32(leaf)
      } else if column.key.rawValue < Self.columnLimit {
        leafOfSparseColumn[column.key] = leaf
      }
      leafOfName[column.name] = leaf
    }
    func leaf(of column: ColumnKey) -> Int? {
      if !isDense { return leafOfSparseColumn[column] }
      let number = Int(column.rawValue)
      return number < leafOfColumn.count && leafOfColumn[number] >= 0 ? Int(leafOfColumn[number]) : nil
    }
    self.leafOfColumn = leafOfColumn
    self.leafOfSparseColumn = leafOfSparseColumn
    self.leafOfName = leafOfName
    types = ContiguousArray(columns.map(\.type))
    linkLeaves = columns.indices.filter { columns[$0].type.canLink }
    nullableLeaves = columns.indices.filter { columns[$0].type.hasNullBitmap }
    var indexesOfLeaf = [[Int]](repeating: [], count: columns.count)
    for (place, index) in indexes.enumerated() {
      for column in index.columns {
        if let leaf = leaf(of: column), indexesOfLeaf[leaf].last != place { indexesOfLeaf[leaf].append(place) }
      }
    }
    self.indexesOfLeaf = indexesOfLeaf
    let keyLeaf = primaryKey.flatMap { key in columns.firstIndex { $0.key == key } } ?? -1
    primaryKeyLeaf = keyLeaf
    isPlainLeaf = columns.indices.map { leaf in
      let type = columns[leaf].type
      return leaf != keyLeaf && indexesOfLeaf[leaf].isEmpty && !type.canLink && !type.isCollection
    }
    isPlainLink = columns.indices.map { leaf in
      let type = columns[leaf].type
      return indexesOfLeaf[leaf].isEmpty && type.kind == .link && type.hasNullBitmap
    }
  }

  /// The place of a column among the leaves, or nil when the table has no such column.
  @inlinable
  public func leaf(of column: ColumnKey) -> Int? {
    let number = Int(column.rawValue)
    guard number < leafOfColumn.count else { return leafOfSparseColumn.isEmpty ? nil : leafOfSparseColumn[column] }
    let leaf = Int(leafOfColumn[number])
    return leaf < 0 ? nil : leaf
  }

  /// The column of that key, or nil.
  public func column(_ key: ColumnKey) -> Column? { leaf(of: key).map { columns[$0] } }

  /// The column of that name, or nil.
  public func column(named name: String) -> Column? { leafOfName[name].map { columns[$0] } }

  /// The same table with some facts changed.
  func with(
    name: String? = nil, kind: TableKind? = nil, columns: [Column]? = nil, primaryKey: ColumnKey?? = nil,
    indexes: [IndexDefinition]? = nil, nextColumn: UInt32? = nil
  ) -> TableSchema {
    TableSchema(
      key: key, name: name ?? self.name, kind: kind ?? self.kind, columns: columns ?? self.columns,
      primaryKey: primaryKey ?? self.primaryKey, indexes: indexes ?? self.indexes,
      nextColumn: nextColumn ?? self.nextColumn)
  }
}

extension TableSchema: Equatable {
  /// Whether the two say the same in every fact.
  public static func == (a: TableSchema, b: TableSchema) -> Bool {
    a === b
      || a.key == b.key && a.name == b.name && a.kind == b.kind && a.columns == b.columns
        && a.primaryKey == b.primaryKey && a.indexes == b.indexes && a.nextColumn == b.nextColumn
  }
}
