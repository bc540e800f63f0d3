/// A table as a class declares it: with names instead of keys.
package struct TableDeclaration: Sendable {
  let name: String
  let kind: TableKind
  let columns: [ColumnDeclaration]
  /// The name of the primary key's column.
  let primaryKey: String?
  /// The indexes, by names of columns. A primary key needs none.
  let indexes: [ColumnIndex<String>]

  /// A declaration from its parts.
  package init(
    name: String, kind: TableKind, columns: [ColumnDeclaration], primaryKey: String? = nil,
    indexes: [ColumnIndex<String>] = []
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
  let name: String
  /// The name in messages, which is that of the application.
  let label: String
  /// The type, without its target.
  let type: ColumnType
  /// The name of the table of links.
  let target: String?
  let deleteRule: DeleteRule

  /// A declaration from its parts.
  ///
  /// - Parameter label: the name in messages, when it is another.
  package init(
    _ name: String, label: String? = nil, _ type: ColumnType, target: String? = nil, deleteRule: DeleteRule = .nullify
  ) {
    self.name = name
    self.label = label ?? name
    self.type = type
    self.target = target
    self.deleteRule = deleteRule
  }
}
