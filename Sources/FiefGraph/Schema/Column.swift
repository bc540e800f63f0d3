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

/// A property index: rows in the order of one column, or of several, the first counting most; or under the words of a
/// text.
public struct IndexDefinition: Hashable, Sendable {
  /// The columns, most significant first. A full-text index has one, of texts.
  public var columns: [ColumnKey]
  /// Whether no two rows may have equal values. Rows in which one of the columns is null are free.
  public var isUnique: Bool
  /// Whether rows stand under each word of the text (`FullText`) and not under the whole of it.
  public private(set) var isFullText = false

  /// An index over `columns`.
  public init(_ columns: [ColumnKey], isUnique: Bool = false) {
    self.columns = columns
    self.isUnique = isUnique
  }

  /// An index over the words of a column of texts.
  public static func fullText(_ column: ColumnKey) -> IndexDefinition {
    var definition = IndexDefinition([column])
    definition.isFullText = true
    return definition
  }

  /// The same kind of index over other columns.
  func over(_ columns: [ColumnKey]) -> IndexDefinition {
    var definition = self
    definition.columns = columns
    return definition
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
