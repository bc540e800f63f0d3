import FiefGraph

/// Comparisons of one column with one value that need no query: `city == "Oslo"`, counted by an index.
package enum SimpleEquality {
  /// Whether a value has exactly the kind of a column, and the kind is one that an index can look up directly.
  package static func isSimple(_ value: Value, in type: ColumnType) -> Bool {
    if type.shape != .single { return false }
    switch (type.kind, value) {
    case (.int, .int), (.string, .string), (.objectId, .objectId), (.uuid, .uuid): return true
    default: return false
    }
  }

  /// The number of rows with a simple value in a column, if the primary key or an index gives it; otherwise nil.
  package static func count(of value: Value, in column: ColumnKey, by table: Table) -> Int? {
    if table.schema.primaryKey == column { return table.find(primaryKey: value) == nil ? 0 : 1 }
    return table.indexedCount(of: value, in: column)
  }
}
