import FiefGraph

/// The meaning of a property's name in a table.
package enum QueryProperty: Hashable, Sendable {
  case column(ColumnKey)
  /// The rows of another table that link to the row by a column. No column stores this collection.
  case backlinks(origin: TableKey, column: ColumnKey)
}

/// Resolves the names of properties. It is the only interface by which a query calls the module above.
///
/// Applications may use another name for a column than the stored one, and only they name backlinks. A query calls its
/// catalog while it is bound, never for each row.
package protocol QueryCatalog: Sendable {
  /// The property that `name` denotes in a table, or nil when it does not exist.
  func property(_ name: String, of table: TableSchema) -> QueryProperty?
  /// Whether a scan of many rows may use all processors.
  var usesAllProcessors: Bool { get }
  /// Advice on a name that the table does not have, as the end of a sentence.
  func advice(on name: String, in table: TableSchema) -> String
}

extension QueryCatalog {
  package var usesAllProcessors: Bool { true }

  /// The nearest of the stored names, or all of them.
  package func advice(on name: String, in table: TableSchema) -> String {
    SchemaNames.advice(on: name, among: table.columns.map(\.name))
  }
}

/// A catalog in which columns have their stored names, and backlinks have the names given at initialization.
package struct StoredNames: QueryCatalog {
  /// The additional names of tables. They take precedence over the names of columns.
  package var others: [TableKey: [String: QueryProperty]]

  /// A catalog of the stored names and some additional names.
  package init(_ others: [TableKey: [String: QueryProperty]] = [:]) { self.others = others }

  /// The property that `name` denotes in a table, or nil when it does not exist.
  package func property(_ name: String, of table: TableSchema) -> QueryProperty? {
    if !others.isEmpty, let property = others[table.key]?[name] { return property }
    return table.column(named: name).map { .column($0.key) }
  }
}
