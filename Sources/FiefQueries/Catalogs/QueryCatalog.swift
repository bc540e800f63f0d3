import FiefGraph

/// What a name means in a table.
public enum QueryProperty: Hashable, Sendable {
  /// A column of the table.
  case column(ColumnKey)
  /// The rows of another table that link here by a column: a collection that no column holds.
  case backlinks(origin: TableKey, column: ColumnKey)
}

/// Says what the names of properties mean: the one thing that a query must ask the room above.
///
/// Applications may know a column by another name than the stored one, and backlinks have a name only there. A catalog
/// is asked while a query is bound, never for each row.
public protocol QueryCatalog: Sendable {
  /// What `name` means in a table, or nil when it means nothing.
  func property(_ name: String, of table: TableSchema) -> QueryProperty?
  /// The table's name in messages.
  func name(of table: TableSchema) -> String
}

extension QueryCatalog {
  /// The table's stored name.
  public func name(of table: TableSchema) -> String { table.name }
}

/// The catalog in which columns have the names that they are stored under, and backlinks those that it is told.
public struct StoredNames: QueryCatalog {
  /// The names that tables have beside those of their columns, and which go before them.
  public var others: [TableKey: [String: QueryProperty]]

  /// A catalog of the stored names, with others beside them.
  public init(_ others: [TableKey: [String: QueryProperty]] = [:]) { self.others = others }

  /// What `name` means in a table, or nil when it means nothing.
  public func property(_ name: String, of table: TableSchema) -> QueryProperty? {
    if !others.isEmpty, let property = others[table.key]?[name] { return property }
    return table.column(named: name).map { .column($0.key) }
  }
}
