/// One column of a table: its lasting key, and the facts that may change.
public struct Column: Hashable, Sendable {
  /// The lasting name of the column, given when it is added.
  public let key: ColumnKey
  /// The name by which applications know it; unique in its table.
  public var name: String
  /// What it holds.
  public var type: ColumnType
  /// What becomes of linked rows when the linking row is deleted; `.nullify` for what holds no shared links.
  public var deleteRule: DeleteRule

  /// A column from its parts.
  public init(key: ColumnKey, name: String, type: ColumnType, deleteRule: DeleteRule = .nullify) {
    self.key = key
    self.name = name
    self.type = type
    self.deleteRule = deleteRule
  }
}

/// A property index: rows in the order of one column, or of several, the first counting most.
public struct IndexDefinition: Hashable, Sendable {
  /// The columns, most significant first.
  public var columns: [ColumnKey]
  /// Whether no two rows may have equal values. Rows in which one of the columns is null are free.
  public var isUnique: Bool

  /// An index over `columns`.
  public init(_ columns: [ColumnKey], isUnique: Bool = false) {
    self.columns = columns
    self.isUnique = isUnique
  }
}

/// How the rows of a table live.
public enum TableKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Rows live until they are deleted.
  case ordinary
  /// Rows have exactly one owner and go with it.
  case embedded
  /// Rows are written and never read again; nothing links to them.
  case asymmetric
}
