/// Identifies one row of a table for as long as the table exists.
///
/// Keys ascend by one with each new row and are never reused, so a key that outlives its row never refers to another
/// object. The upper bits are the number of the cluster that holds the row, the lower eight the row's bit in it.
@frozen
public struct ObjectKey: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the key, from 0.
  public let rawValue: Int64

  /// The key with the given number.
  @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The key with the given number.
  @inlinable public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The key of bit `bit` (0...255) in cluster `chunk`.
  @inlinable
  public init(chunk: Int64, bit: Int) {
    assert(0..<256 ~= bit, "A cluster has the bits 0 ..< 256.")
    rawValue = chunk << 8 | Int64(truncatingIfNeeded: bit)
  }

  /// The number of the cluster that holds the row.
  @inlinable public var chunk: Int64 { rawValue >> 8 }

  /// The bit in that cluster, 0...255.
  @inlinable public var bit: Int { Int(truncatingIfNeeded: rawValue & 255) }

  /// Keys are ordered by age: the older row first.
  @inlinable public static func < (a: ObjectKey, b: ObjectKey) -> Bool { a.rawValue < b.rawValue }

  /// The number as a string.
  public var description: String { "#\(rawValue)" }
}

/// Identifies a table of a graph; never reused in the lifetime of a graph.
@frozen
public struct TableKey: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the key: also the table's index in the graph's array of tables.
  public let rawValue: UInt32

  /// The key with the given number.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The table whose rows are the lists inside any-values.
  public static let nestedLists = TableKey(rawValue: 0)

  /// The table whose rows are the dictionaries inside any-values.
  public static let nestedDictionaries = TableKey(rawValue: 1)

  /// Whether this is one of the two tables that hold the collections inside any-values.
  @inlinable public var isNested: Bool { rawValue < 2 }
  @inlinable var index: Int { Int(rawValue) }

  /// Tables are ordered by age.
  @inlinable public static func < (a: TableKey, b: TableKey) -> Bool { a.rawValue < b.rawValue }

  /// The number as a string.
  public var description: String { "table \(rawValue)" }
}

/// Identifies a column of a table. Keys are never reused in the lifetime of that table, so a removed column and a new
/// one of the same name have different keys.
@frozen
public struct ColumnKey: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of the key.
  public let rawValue: UInt32

  /// The key with the given number.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Columns are ordered by age.
  @inlinable public static func < (a: ColumnKey, b: ColumnKey) -> Bool { a.rawValue < b.rawValue }

  /// The number as a string.
  public var description: String { "column \(rawValue)" }
}

/// One row of one table: the target of a link.
@frozen
public struct ObjectLink: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The row's table.
  public let table: TableKey
  /// The key of the row.
  public let key: ObjectKey

  /// The row `key` of `table`.
  @inlinable
  public init(_ table: TableKey, _ key: ObjectKey) {
    self.table = table
    self.key = key
  }

  /// Orders by table, then by age.
  @inlinable
  public static func < (a: ObjectLink, b: ObjectLink) -> Bool {
    a.table == b.table ? a.key < b.key : a.table < b.table
  }

  /// Table and row as a string.
  public var description: String { "\(table)\(key)" }
}

/// One column of one row, which holds a value or a collection.
@frozen
public struct Cell: Hashable, Sendable, CustomStringConvertible {
  /// The row's table.
  public let table: TableKey
  /// The key of the row.
  public let key: ObjectKey
  /// The key of the column.
  public let column: ColumnKey

  /// The cell of row `key` of `table` in `column`.
  @inlinable
  public init(_ table: TableKey, _ key: ObjectKey, _ column: ColumnKey) {
    self.table = table
    self.key = key
    self.column = column
  }

  /// The row that the cell is part of.
  @inlinable public var object: ObjectLink { ObjectLink(table, key) }

  /// Table, row and column as a string.
  public var description: String { "\(table)\(key).\(column)" }
}
