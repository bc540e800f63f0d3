import FiefGraph
import FiefObjects
public import FiefQueries
public import FiefRuntime

/// The content of a `Query`.
///
///     element ──▶ property ──▶ comparison        one plain property with one value, by references alone
///        └─────▶ path ───────▶ condition         all others
///                              subquery
///
/// Most conditions have the upper form. It becomes a path and a condition when it is joined with others, or when a view
/// needs more than the lookup of one value (`SimpleEquality`).
@usableFromInline
enum QueryForm {
  /// The tested element.
  case element
  /// The value of one plain property of it. Key paths in the table of `ResolvedKeyPaths` live for ever, so that no
  /// reference is counted.
  case property(Borrowed<ResolvedKeyPath>)
  /// A condition: the value of a plain property, compared with a constant.
  case comparison(Borrowed<ResolvedKeyPath>, Comparison.Operator, _StoredValue)
  /// A value: its path, and the prefixes of the path up to each property that holds several values.
  case path(PropertyPath, over: [PropertyPath] = [])
  /// A condition, and the paths to all properties in it that hold several values.
  case condition(QueryPredicate, over: [PropertyPath] = [])
  /// Conditions that are joined.
  case joined(QueryJoint)
  /// The number of elements of a collection that satisfy a condition.
  case subquery(PropertyPath, QueryPredicate)

  /// The value at a key path of the tested element. `Query.property` calls this if the key path is not among the most
  /// recent ones, as at the first call of a line, and always for key paths that are not plain.
  @usableFromInline
  static func value<Root: ObjectBase, V>(at keyPath: KeyPath<Root, V>) -> QueryForm {
    let (resolved, isRemembered) = ResolvedKeyPaths.resolve(keyPath)
    if isRemembered && resolved.isPlain { return unsafe .property(Borrowed(resolved)) }
    return .path(resolved.path, over: resolved.holdsSeveral ? [resolved.path] : [])
  }

  /// The paths to properties that hold several values; of a value the first one alone.
  var collections: [PropertyPath] {
    switch self {
    case .path(_, let paths): Array(paths.prefix(1))
    case .condition(_, let paths): paths
    case .joined(let joint): joint.collections
    case .element, .property, .comparison, .subquery: []
    }
  }

  /// The prefixes of the path of a value up to each property that holds several values.
  var passed: [PropertyPath] { if case .path(_, let paths) = self { paths } else { [] } }

  /// The condition; a value of type `Bool` is compared with true.
  var predicate: QueryPredicate { predicate(ofElementsOf: nil) }

  /// The condition, of an element of a collection if there is one: behind the collection an element has one value.
  func predicate(ofElementsOf collection: PropertyPath?) -> QueryPredicate {
    switch self {
    case .condition(let predicate, _): predicate
    case .joined(let joint): joint.predicate(ofElementsOf: collection)
    case .comparison(let resolved, let relation, let value): QueryPredicate(Comparison(resolved, relation, to: value))
    case .element, .property, .path: QueryPredicate(Comparison(.path(path), .equal, .constant(true)))
    case .subquery: fatalError("The count of a subquery must be compared with a number.")
    }
  }

  /// The condition that this one does not hold, or that a value of type `Bool` is false. A negation of a negation is
  /// what was negated, so that `!!$0.link.flag` means the same as `$0.link.flag`.
  var negated: QueryForm {
    if case .joined(let joint) = self, let operand = joint.negatedOperand { return operand }
    return .joined(QueryJoint(.not, of: self))
  }

  /// The comparison of a value of type `Bool` with false; nil for conditions and for several values.
  ///
  /// - Parameter collection: the collection of which one element is tested, if there is one.
  func comparedWithFalse(ofElementsOf collection: PropertyPath?) -> QueryPredicate? {
    switch self {
    case .path(_, let paths) where !paths.allSatisfy { $0 == collection }: nil
    case .element, .property, .path: QueryPredicate(Comparison(.path(path), .equal, .constant(false)))
    case .comparison, .condition, .joined, .subquery: nil
    }
  }

  /// The path to the value.
  var path: PropertyPath {
    switch self {
    case .element: .itself
    case .property(let resolved): resolved.with { $0.path }
    case .path(let path, _): path
    case .comparison, .condition, .joined, .subquery: fatalError("A condition was used where a property is needed.")
    }
  }
}

extension Comparison {
  /// The condition that one plain property has a relation to a value.
  init(_ property: Borrowed<ResolvedKeyPath>, _ relation: Operator, to value: StoredValue) {
    self.init(.path(property.with { $0.path }), relation, .constant(.value(value)))
  }
}
