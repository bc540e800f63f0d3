import FiefGraph
public import FiefQueries

/// What a `Query` stands for.
///
///     element ──▶ property ──▶ comparison        one plain property with one value: nothing but references to what is there
///        └─────▶ path ───────▶ condition         all others
///                              subquery
///
/// The upper row is what most conditions are. It becomes a path, and a condition, where it is joined with others, and
/// where a view wants more than to look one value up (`LookUp`).
@usableFromInline
enum QueryForm {
  /// The element that is asked.
  case element
  /// The value of one property of it, which holds one. Remembered ways live for ever, so that no reference is counted.
  case property(Unmanaged<PropertyWay>)
  /// A condition: that value, compared with another.
  case comparison(Unmanaged<PropertyWay>, Comparison.Operator, _StoredValue)
  /// A value: where it is read, and the way to the first property on it that holds several.
  case path(PropertyPath, over: [PropertyPath] = [])
  /// A condition, and the ways to all properties in it that hold several.
  case condition(QueryPredicate, over: [PropertyPath] = [])
  /// Conditions that are joined.
  case joined(QueryJoint)
  /// How many elements of a collection satisfy a condition.
  case subquery(PropertyPath, QueryPredicate)

  /// The value of a property of the element that is asked; the first time that a line says so, and always where it
  /// holds several, or is behind another.
  @usableFromInline
  static func beginning<Root: ObjectBase, V>(with keyPath: KeyPath<Root, V>) -> QueryForm {
    let (way, isRemembered) = PropertyWays.way(of: keyPath)
    if isRemembered && way.isPlain { return .property(.passUnretained(way)) }
    return .path(way.path, over: way.holdsSeveral ? [way.path] : [])
  }

  /// The ways to properties that hold several.
  var collections: [PropertyPath] {
    switch self {
    case .path(_, let ways), .condition(_, let ways): ways
    case .joined(let joint): joint.collections
    case .element, .property, .comparison, .subquery: []
    }
  }

  /// The condition; a value of type `Bool` is one by itself.
  var predicate: QueryPredicate {
    switch self {
    case .condition(let predicate, _): predicate
    case .joined(let joint): joint.predicate
    case .comparison(let way, let relation, let value): Self.predicate(way, relation, value)
    case .element, .property, .path: QueryPredicate(Comparison(.path(path), .equal, .constant(true)))
    case .subquery: fatalError("The count of a subquery must be compared with a number.")
    }
  }

  /// The condition that one plain property has a relation to a value.
  static func predicate(
    _ way: Unmanaged<PropertyWay>, _ relation: Comparison.Operator, _ value: StoredValue
  ) -> QueryPredicate {
    QueryPredicate(stated(way, relation, value))
  }

  static func stated(
    _ way: Unmanaged<PropertyWay>, _ relation: Comparison.Operator, _ value: StoredValue
  ) -> Comparison {
    Comparison(.path(way._withUnsafeGuaranteedRef { $0.path }), relation, .constant(.value(value)))
  }

  /// Where the value is read.
  var path: PropertyPath {
    switch self {
    case .element: .itself
    case .property(let way): way._withUnsafeGuaranteedRef { $0.path }
    case .path(let path, _): path
    case .comparison, .condition, .joined, .subquery: fatalError("A condition was used where a property is needed.")
    }
  }
}
