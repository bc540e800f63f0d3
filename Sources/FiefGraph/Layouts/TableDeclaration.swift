/// A table as a class declares it: with names instead of keys.
package struct TableDeclaration: Sendable {
  let name: String
  let kind: TableKind
  let columns: [ColumnDeclaration]
  /// The name of the primary key's column.
  let primaryKey: String?
  /// The indexes over several columns.
  let indexes: [CompoundDeclaration]

  /// A declaration from its parts.
  package init(
    name: String, kind: TableKind, columns: [ColumnDeclaration], primaryKey: String?, indexes: [CompoundDeclaration]
  ) {
    self.name = name
    self.kind = kind
    self.columns = columns
    self.primaryKey = primaryKey
    self.indexes = indexes
  }
}

/// A column as a class declares it.
package struct ColumnDeclaration: Sendable {
  /// The index that a column has by itself. A primary key needs none.
  package enum Index: Sendable {
    case none, plain, unique
  }

  let name: String
  /// The name in messages, which is that of the application.
  let label: String
  /// The type, without its target.
  let type: ColumnType
  /// The name of the table of links.
  let target: String?
  let deleteRule: DeleteRule
  let index: Index
  /// Whether it has a full-text index.
  let hasWordIndex: Bool

  /// A declaration from its parts.
  package init(
    name: String, label: String, type: ColumnType, target: String?, deleteRule: DeleteRule, index: Index,
    hasWordIndex: Bool
  ) {
    self.name = name
    self.label = label
    self.type = type
    self.target = target
    self.deleteRule = deleteRule
    self.index = index
    self.hasWordIndex = hasWordIndex
  }
}

/// An index over several columns as a class declares it.
package struct CompoundDeclaration: Sendable {
  let columns: [String]
  let isUnique: Bool

  /// An index over columns with these names, the most significant first.
  package init(columns: [String], isUnique: Bool) {
    self.columns = columns
    self.isUnique = isUnique
  }
}
