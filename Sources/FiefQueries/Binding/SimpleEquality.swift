import FiefGraph
import FiefRuntime

/// A query that asks for one value of one column, and nothing else: `city == "Oslo"`.
///
/// Most look-ups are that. It is bound without a binder and counted without a program, so that asking costs little more
/// than the index does; whatever else is asked of it makes its program, once.
package struct SimpleEquality: Sendable {
  let leaf: Int
  let type: ColumnType
  let column: ColumnKey
  /// Of the column's very kind, and not null.
  let value: Value

  /// The name and the value of a predicate that asks for one value of one property; nil for all others.
  private static func parts(of predicate: QueryPredicate) -> (name: String, value: Value)? {
    guard predicate.nodes.count == 1, case .comparison(let comparison) = predicate.nodes[0],
      comparison.relation == .equal, comparison.quantifier == .unspoken, comparison.options.isEmpty,
      case .path(let path) = comparison.left, path.variable == nil, path.components.count == 1,
      case .property(let name) = path.components[0], case .constant(.value(let value)) = comparison.right
    else { return nil }
    return (name, value)
  }

  /// The predicate as this; nil for all others, those with mistakes included, which the binder knows how to tell.
  init?(_ predicate: QueryPredicate, _ schema: TableSchema, _ catalog: some QueryCatalog) {
    guard let (name, value) = Self.parts(of: predicate),
      case .column(let column)? = catalog.property(name, of: schema), let leaf = schema.leaf(of: column)
    else { return nil }
    self.init(value, column: column, leaf: leaf, type: schema.columns[leaf].type)
  }

  /// A value wanted in a column; nil unless it is simple there.
  private init?(_ value: Value, column: ColumnKey, leaf: Int, type: ColumnType) {
    guard Self.isSimple(value, in: type) else { return nil }
    self.leaf = leaf
    self.type = type
    self.column = column
    self.value = value
  }

  /// Whether a value is of a column's very kind, and one that an index finds by itself.
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

  /// How many rows there are, if an index has counted them.
  func count(by table: Table) -> Int? { Self.count(of: value, in: column, by: table) }

  /// How many rows have a simple value in a column, if an index has counted them.
  package static func count(of value: Value, in column: ColumnKey, by table: Table) -> Int? {
    if table.schema.primaryKey == column { return table.find(primaryKey: value) == nil ? 0 : 1 }
    return table.indexedCount(of: value, in: column)
  }
}
