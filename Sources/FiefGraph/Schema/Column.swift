import FiefValues

/// One column of a table: its permanent key, and the properties that may change.
public struct Column: Hashable, Sendable {
  /// The permanent key of the column, assigned when it is added.
  public let key: ColumnKey
  /// The name of the column in applications; unique in its table.
  public var name: String
  /// The type of the column.
  public var type: ColumnType
  /// The effect on linked rows of deleting the linking row; `.nullify` unless the type is a link to an ordinary table.
  public var deleteRule: DeleteRule

  /// Makes a column of its parts.
  public init(key: ColumnKey, name: String, type: ColumnType, deleteRule: DeleteRule = .nullify) {
    self.key = key
    self.name = name
    self.type = type
    self.deleteRule = deleteRule
  }
}

/// A property index: rows in the order of one or several columns, or by the words of a string column.
///
/// A table names its columns by keys (`IndexDefinition`), a class that declares one by names.
public struct ColumnIndex<Name: Hashable & Sendable>: Hashable, Sendable {
  /// The columns, most significant first. A full-text index has one, of strings.
  public var columns: [Name]
  /// Whether two rows must not have equal values. Rows in which one of the columns is null are exempt.
  public var isUnique: Bool
  /// Whether the index contains rows by each word of the string (`FullText`) rather than by the whole string.
  public private(set) var isFullText = false

  /// Makes an index over `columns`.
  public init(_ columns: [Name], isUnique: Bool = false) {
    self.columns = columns
    self.isUnique = isUnique
  }

  /// Makes an index over the words of a string column.
  public static func fullText(_ column: Name) -> ColumnIndex {
    var definition = ColumnIndex([column])
    definition.isFullText = true
    return definition
  }

  /// An index of this kind over other columns.
  func over<Other>(_ columns: [Other]) -> ColumnIndex<Other> {
    var definition = ColumnIndex<Other>(columns, isUnique: isUnique)
    definition.isFullText = isFullText
    assert(!isFullText || columns.count <= 1, "A full-text index is over one column.")
    return definition
  }

  /// Whether both find rows by the same columns in the same way; one of them may be unique.
  func finds(like other: ColumnIndex) -> Bool { columns == other.columns && isFullText == other.isFullText }
}

/// An index of a table.
public typealias IndexDefinition = ColumnIndex<ColumnKey>

/// The lifetime of the rows of a table.
public enum TableKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Rows live until they are deleted.
  case ordinary
  /// Rows have exactly one owner and are deleted with it.
  case embedded
  /// Rows are written and never read again. Other rows cannot link to them.
  case asymmetric
}
