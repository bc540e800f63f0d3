import FiefGraph

/// A condition that one column equals one value: `city == "Oslo"`.
///
/// An index or the primary key counts its rows without a binder, a program or a plan, so that a count costs little more
/// than the search in the index. Other requests compile the condition, once.
package struct SimpleEquality: Sendable {
  private let column: ColumnKey
  private let leaf: Int
  private let type: ColumnType
  /// A value of exactly the column's kind, never null.
  private let value: Value

  /// The equality that is the whole of a predicate; nil for other predicates, and for those that the binder refuses.
  init?(_ predicate: QueryPredicate, _ schema: TableSchema, _ catalog: any QueryCatalog) {
    guard ShortCut.lookUps.isOn, predicate.nodes.count == 1, case .comparison(let comparison) = predicate.nodes[0],
      comparison.relation == .equal, comparison.quantifier == .unspoken, comparison.options.isEmpty,
      case .path(let path) = comparison.left, path.variable == nil, path.components.count == 1,
      case .property(let name) = path.components[0], case .constant(.value(let value)) = comparison.right,
      case .column(let column)? = catalog.property(name, of: schema), let leaf = schema.leaf(of: column)
    else { return nil }
    type = schema.columns[leaf].type
    guard Self.isSimple(value, in: type) else { return nil }
    self.column = column
    self.leaf = leaf
    self.value = value
  }

  /// The condition as the binder would have compiled it.
  var condition: CompiledCondition {
    CompiledCondition(
      Binder.cellTest(leaf, type, .equal, value, []), Constraint(column: column, wanted: .values([value])))
  }

  /// The number of rows, if the primary key or an index gives it; otherwise nil.
  func count(by table: Table) -> Int? { Self.count(of: value, in: column, by: table) }

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
