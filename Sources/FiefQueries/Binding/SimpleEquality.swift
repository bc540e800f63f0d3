import FiefGraph
import FiefRuntime

/// A condition that one column equals one value: `city == "Oslo"`, the most frequent of all.
///
/// An index or the primary key counts its rows without a binder, a program or a plan, so that a count costs little more
/// than the search in the index. Other requests compile the condition, once.
package struct SimpleEquality: Sendable {
  private let column: ColumnKey
  /// The value, of exactly the kind of the column.
  package let value: Value

  /// The equality of a column and a value; nil unless the value has exactly the kind of the column, and the kind is one
  /// that an index can look up directly.
  package init?(_ column: ColumnKey, of type: ColumnType, _ value: consuming Value) {
    if type.shape != .single { return nil }
    switch (type.kind, value) {
    case (.int, .int), (.string, .string), (.objectId, .objectId), (.uuid, .uuid): break
    default: return nil
    }
    self.column = column
    self.value = value
  }

  /// The equality that is the whole of a predicate; nil for other predicates, and for those that the binder refuses.
  init?(_ predicate: QueryPredicate, of schema: TableSchema, catalog: any QueryCatalog) {
    guard ShortCut.lookUps.isOn, predicate.nodes.count == 1, case .comparison(let comparison) = predicate.nodes[0],
      comparison.relation == .equal, comparison.quantifier == .unquantified, comparison.options.isEmpty,
      case .path(let path) = comparison.left, path.variable == nil, path.components.count == 1,
      case .property(let name) = path.components[0], case .constant(.value(let value)) = comparison.right,
      case .column(let column)? = catalog.property(name, of: schema), let leaf = schema.leaf(of: column)
    else { return nil }
    self.init(column, of: schema.columns[leaf].type, value)
  }

  /// The condition as the binder would have compiled it.
  func condition(in schema: TableSchema) -> CompiledCondition {
    guard let leaf = schema.leaf(of: column) else { preconditionFailure("A query has columns of its table.") }
    var condition = BoundCondition()
    condition.append(
      .test(
        Binder.cellTest(leaf: leaf, type: schema.columns[leaf].type, .equal, value: value, options: []),
        Constraint(column: column, wanted: .values([value]))))
    return CompiledCondition(condition)
  }

  /// The number of rows, if the primary key or an index gives it; otherwise nil.
  package func count(in table: Table) -> Int? {
    assert(!value.isNull, "Null is not looked up.")
    if table.schema.primaryKey == column { return table.find(primaryKey: value) == nil ? 0 : 1 }
    return table.indexedCount(of: value, in: column)
  }
}
