import FiefGraph
import FiefRuntime

/// A query whose whole condition is that one column equals one value: `city == "Oslo"`.
///
/// Most lookups have this form. It is bound without a binder and counted without a program, so a count costs little
/// more than the index lookup. Other requests make the program, once.
package struct SimpleEquality: Sendable {
  let leaf: Int
  let type: ColumnType
  let column: ColumnKey
  /// A value of the column's exact kind, never null.
  let value: Value

  /// The name and the value of a predicate that compares one property with one value by `==`; nil for other predicates.
  private static func parts(of predicate: QueryPredicate) -> (name: String, value: Value)? {
    guard predicate.nodes.count == 1, case .comparison(let comparison) = predicate.nodes[0],
      comparison.relation == .equal, comparison.quantifier == .unspoken, comparison.options.isEmpty,
      case .path(let path) = comparison.left, path.variable == nil, path.components.count == 1,
      case .property(let name) = path.components[0], case .constant(.value(let value)) = comparison.right
    else { return nil }
    return (name, value)
  }

  /// Binds a predicate of this form. Returns nil for all other predicates, and for invalid ones, which the binder
  /// reports.
  init?(_ predicate: QueryPredicate, _ schema: TableSchema, _ catalog: some QueryCatalog) {
    guard let (name, value) = Self.parts(of: predicate),
      case .column(let column)? = catalog.property(name, of: schema), let leaf = schema.leaf(of: column)
    else { return nil }
    self.init(value, column: column, leaf: leaf, type: schema.columns[leaf].type)
  }

  /// Binds a value to a column; nil when the value is not simple in the column.
  private init?(_ value: Value, column: ColumnKey, leaf: Int, type: ColumnType) {
    guard Self.isSimple(value, in: type) else { return nil }
    self.leaf = leaf
    self.type = type
    self.column = column
    self.value = value
  }

  /// Whether a value has exactly the kind of a column, and the kind is one that an index can look up directly.
  package static func isSimple(_ value: Value, in type: ColumnType) -> Bool {
    if type.shape != .single { return false }
    switch (type.kind, value) {
    case (.int, .int), (.string, .string), (.objectId, .objectId), (.uuid, .uuid): return true
    default: return false
    }
  }

  var test: Test {
    switch value {
    case .int(let number): return .integers(leaf: leaf, number...number, isInverted: false, ofNull: false)
    case .string(let text):
      return .sameText(
        leaf: leaf, text, short: SmallString.words(ofShort: text), isInverted: false,
        ofNull: false)
    default: return .cell(leaf: leaf, type, ValueMatcher(.equal, value, options: []))
    }
  }

  var constraints: Constraints {
    Constraints(single: [Constraint(column: column, wanted: .values([value]))], conjuncts: 1)
  }

  /// The number of rows with the value, if an index has counted them.
  func count(by table: Table) -> Int? { Self.count(of: value, in: column, by: table) }

  /// The number of rows with a simple value in a column, if the primary key or an index gives it; otherwise nil.
  package static func count(of value: Value, in column: ColumnKey, by table: Table) -> Int? {
    if table.schema.primaryKey == column { return table.find(primaryKey: value) == nil ? 0 : 1 }
    return table.indexedCount(of: value, in: column)
  }
}
