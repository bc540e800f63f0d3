/// The schema of one table, with facts for hot paths computed once.
///
/// It is immutable: a schema change makes a new one. Column `i` of `columns` is leaf `i` of each of the table's
/// clusters.
public final class TableSchema: Sendable {
  /// The permanent key of the table.
  public let key: TableKey
  /// The name of the table in applications; unique in its graph.
  public let name: String
  /// The lifetime of its rows.
  public let kind: TableKind
  /// The columns, in the order of the leaves.
  public let columns: [Column]
  /// The column of the primary key, if the table has one.
  public let primaryKey: ColumnKey?
  /// The property indexes, compound ones included.
  public let indexes: [IndexDefinition]
  /// The key of the next new column.
  public let nextColumn: UInt32

  /// The types of the columns, stored separately: reading one from here loads no name.
  @usableFromInline let types: ContiguousArray<ColumnType>
  /// Leaf of the primary key, or -1.
  @usableFromInline let primaryKeyLeaf: Int
  /// Whether the primary key is an integer that is never null, whose hash identifies it.
  let hasIntegerKey: Bool
  /// Leaves of columns that can hold links.
  @usableFromInline let linkLeaves: [Int]
  /// For each leaf, the positions in `indexes` of the indexes that contain its column.
  @usableFromInline let indexesOfLeaf: [[Int]]
  /// Whether setting a leaf requires only a store: no index, no primary key, no links.
  @usableFromInline let isPlainLeaf: [Bool]
  /// Whether changing a leaf requires only a store and the update of backlinks: a single link to one table, in no
  /// index, or a list of such links.
  @usableFromInline let isPlainLink: [Bool]
  /// Leaves that are null initially.
  @usableFromInline let nullableLeaves: [Int]
  /// For each column key, its leaf or -1; empty if the keys are sparse.
  @usableFromInline let leafOfColumn: [Int32]
  /// The leaves of columns whose keys are sparse, as they are after many changes.
  @usableFromInline let leafOfSparseColumn: [ColumnKey: Int]
  private let leafOfName: [String: Int]

  /// How many columns a table can have at once. A file that asks for more would make every row of it large.
  package static let widest = 4096

  /// How many columns a table can have in its lifetime.
  static let columnLimit: UInt32 = 1 << 20

  /// Makes a table schema of its parts. Nothing is checked here; `Schema.problems` checks it.
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
    // A schema may come from a damaged file. Its keys must not allocate more memory here than its columns do. A key
    // beyond the limit is reported by `Schema.problems`, and its column cannot be found.
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
    assert(leafOfColumn.isEmpty || leafOfSparseColumn.isEmpty, "The leaf of a column is found in one way.")
    self.leafOfColumn = leafOfColumn
    self.leafOfSparseColumn = leafOfSparseColumn
    self.leafOfName = leafOfName
    types = ContiguousArray(columns.map(\.type))
    linkLeaves = columns.indices.filter { columns[$0].type.canLink }
    nullableLeaves = columns.indices.filter { columns[$0].type.hasNullBitmap }
    var indexesOfLeaf = [[Int]](repeating: [], count: columns.count)
    for (number, index) in indexes.enumerated() {
      for column in index.columns {
        if let leaf = leaf(of: column), indexesOfLeaf[leaf].last != number { indexesOfLeaf[leaf].append(number) }
      }
    }
    self.indexesOfLeaf = indexesOfLeaf
    let keyLeaf = primaryKey.flatMap { key in columns.firstIndex { $0.key == key } } ?? -1
    primaryKeyLeaf = keyLeaf
    hasIntegerKey = keyLeaf >= 0 && columns[keyLeaf].type.kind == .int && !columns[keyLeaf].type.isOptional
    isPlainLeaf = columns.indices.map { leaf in
      let type = columns[leaf].type
      return leaf != keyLeaf && indexesOfLeaf[leaf].isEmpty && !type.canLink && !type.isCollection
    }
    isPlainLink = columns.indices.map { leaf in
      let type = columns[leaf].type
      return indexesOfLeaf[leaf].isEmpty && type.kind == .link && (type.hasNullBitmap || type.shape == .list)
    }
  }

  /// The index of a column among the leaves, or nil if the table has no such column.
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

  /// This schema with some properties changed.
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
  /// Whether both are equal in every property.
  public static func == (a: TableSchema, b: TableSchema) -> Bool {
    a === b
      || a.key == b.key && a.name == b.name && a.kind == b.kind && a.columns == b.columns
        && a.primaryKey == b.primaryKey && a.indexes == b.indexes && a.nextColumn == b.nextColumn
  }
}
