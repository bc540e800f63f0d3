import FiefGraph
import FiefObjects
import FiefQueries
import Foundation

/// Turns a `#Predicate` into a condition that stores evaluate.
///
///     #Predicate<Dog> { $0.age > 3 && $0.owner?.name == "Kim" }
///         age > 3 AND owner.name == "Kim"
///
/// A predicate is a tree of generic types. The types that conform to `TranslatableExpression` become parts of a query
/// (`PredicatePart`). A tree with any other type, or with a part whose result would differ from Swift's, is not
/// translated at all.
struct PredicateTranslation {
  /// The values of variables: the tested object, elements of collections, values that are not null.
  private var variables: [PredicateExpressions.VariableID: PredicatePart] = [:]
  private var elements = 0

  /// The condition of a predicate, or nil if Swift has to evaluate it.
  static func condition<Element>(of predicate: Predicate<Element>) -> QueryPredicate? {
    var translation = PredicateTranslation()
    translation.variables[predicate.variable.key] = .path(.itself, Element.self)
    return translation.part(predicate.expression)?.condition
  }

  /// The translation of a part of the tree; nil if a query cannot express it.
  mutating func part(_ expression: any PredicateExpression) -> PredicatePart? {
    (expression as? any TranslatableExpression)?.translated(&self)
  }

  /// The translation of a part of the tree as a condition; nil if it is not one.
  mutating func condition(_ expression: any PredicateExpression) -> QueryPredicate? { part(expression)?.condition }

  func variable(_ id: PredicateExpressions.VariableID) -> PredicatePart? { variables[id] }

  /// The translation of a part of the tree in which a variable has a value.
  mutating func part(
    _ expression: any PredicateExpression, where variable: PredicateExpressions.VariableID, is value: PredicatePart
  ) -> PredicatePart? {
    assert(variables[variable] == nil, "A variable has one value at a time.")
    variables[variable] = value
    defer { variables[variable] = nil }
    return part(expression)
  }

  /// A condition on the elements of a collection, and its variable for an element.
  mutating func condition<Element>(
    _ test: any PredicateExpression, on variable: PredicateExpressions.VariableID, of type: Element.Type
  ) -> (name: String, condition: QueryPredicate)? {
    elements += 1
    assert(elements > 0, "Each element has a variable of its own.")
    let name = "element\(elements)"
    let element = PredicatePart.path(PropertyPath([], variable: name), Element.self)
    return part(test, where: variable, is: element)?.condition.map { (name, $0) }
  }

  /// The condition that an element of a collection satisfies a test.
  mutating func contains<Element>(
    _ collection: PropertyPath, where test: any PredicateExpression, on variable: PredicateExpressions.VariableID,
    of type: Element.Type, isNegated: Bool = false
  ) -> QueryPredicate? {
    guard let (name, found) = condition(test, on: variable, of: type) else { return nil }
    assert(!found.nodes.isEmpty, "A translated test is a condition.")
    if Element.self is ObjectBase.Type {
      let count = QueryPredicate.Subquery(collection, variable: name, count: .greater, 0)
      return QueryPredicate(count, where: isNegated ? !found : found)
    }
    // Elements that are not objects can only be tested by one comparison.
    guard found.nodes.count == 1, case .comparison(var comparison) = found.nodes[0], comparison.right.isConstant,
      comparison.left == .path(PropertyPath([], variable: name))
    else { return nil }
    comparison.left = .path(collection)
    comparison.quantifier = isNegated ? .all : .any
    return isNegated ? !QueryPredicate(comparison) : QueryPredicate(comparison)
  }
}

enum PredicatePart {
  /// A value: where it is read, and its Swift type.
  case path(PropertyPath, Any.Type)
  /// A value that does not depend on the object.
  case constant(Any?)
  case condition(QueryPredicate)
  /// The value at a path, or another where that is null.
  case choice(PropertyPath, Any.Type, otherwise: Any?)
  /// A condition on the value at a path, or null where that is null.
  case conditional(PropertyPath, QueryPredicate)
  /// The elements of a collection that satisfy a condition, with the condition's variable for an element.
  case filtered(PropertyPath, name: String, QueryPredicate)
  /// The number of such elements.
  case filteredCount(PropertyPath, name: String, QueryPredicate)
  /// A range between two bounds.
  case range(Any, Any, isClosed: Bool)

  /// The part as a condition, if it is one.
  var condition: QueryPredicate? {
    switch self {
    case .condition(let condition): condition
    case .path(let path, let type) where type == Bool.self:
      QueryPredicate(Comparison(.path(path), .equal, .constant(true)))
    case .constant(let value): (value as? Bool).map { QueryPredicate($0) }
    default: nil
    }
  }

  /// The condition that a value is not null.
  static func isThere(_ path: PropertyPath) -> QueryPredicate {
    QueryPredicate(Comparison(.path(path), .notEqual, .constant(.null)))
  }
}

// MARK: - Comparisons

extension PredicateTranslation {
  /// The condition that one expression has a relation to another; nil if a query cannot express it.
  mutating func compared(
    _ a: any PredicateExpression, _ relation: Comparison.Operator, _ b: any PredicateExpression
  ) -> PredicatePart? {
    guard let a = part(a), let b = part(b) else { return nil }
    return compared(a, relation, b).map { .condition($0) }
  }

  /// The condition that one part has a relation to another; nil if a query cannot express it, or gives another result.
  func compared(_ a: PredicatePart, _ relation: Comparison.Operator, _ b: PredicatePart) -> QueryPredicate? {
    switch (a, b) {
    case (.path(let path, let type), .constant(let value)): return compared(path, type: type, relation, value: value)
    case (.constant, .path), (.constant, .choice), (.constant, .filteredCount), (.constant, .conditional):
      return relation.flipped.flatMap { compared(b, $0, a) }
    case (.path(let a, let type), .path(let b, _)):
      // Queries order NaN before other numbers, and 1 equals 1.0 among any-values; not so in Swift.
      if isFloating(type) || type == AnyRealmValue.self { return nil }
      return QueryPredicate(Comparison(.path(a), relation, .path(b)))
    case (.choice(let path, let type, let otherwise), .constant(let value)):
      guard let there = compared(path, type: type, relation, value: value), let first = constant(otherwise),
        let second = constant(value), !first.isNotANumber
      else { return nil }
      let isTrueOtherwise = QueryPredicate(Meaning.holds(first, relation, second))
      return (PredicatePart.isThere(path) && there) || (!PredicatePart.isThere(path) && isTrueOtherwise)
    case (.path, .choice(let path, let type, let otherwise)):
      guard let there = compared(a, relation, .path(path, type)),
        let isTrueOtherwise = compared(a, relation, .constant(otherwise))
      else { return nil }
      return (PredicatePart.isThere(path) && there) || (!PredicatePart.isThere(path) && isTrueOtherwise)
    case (.choice, .path): return relation.flipped.flatMap { compared(b, $0, a) }
    case (.conditional(let path, let condition), .constant(let value))
    where relation == .equal || relation == .notEqual:
      let equal: QueryPredicate
      switch constant(value) {
      case .null: equal = !PredicatePart.isThere(path)
      case .bool(let wanted): equal = PredicatePart.isThere(path) && (wanted ? condition : !condition)
      default: return nil
      }
      return relation == .equal ? equal : !equal
    case (.filteredCount(let path, let name, let condition), .constant(let value)):
      guard case .int(let number)? = constant(value) else { return nil }
      return QueryPredicate(.init(path, variable: name, count: relation, number), where: condition)
    default:
      guard let a = a.condition, let b = b.condition else { return nil }
      let same = (a && b) || (!a && !b)
      return relation == .equal ? same : relation == .notEqual ? !same : nil
    }
  }

  private func compared(
    _ path: PropertyPath, type: Any.Type, _ relation: Comparison.Operator, value: Any?
  ) -> QueryPredicate? {
    guard let operand = try? QueryArguments.operand(value), case .value(let constant) = operand.constant else {
      return nil
    }
    let condition = QueryPredicate(
      Comparison(.path(path), relation, .constant(operand.constant), origins: operand.origins))
    guard isFloating(type) else { return condition }
    if constant.isNotANumber { return nil }
    // In Swift, NaN is not less than any number.
    let isNumber = QueryPredicate(Comparison(.path(path), .greaterOrEqual, .constant(.value(.double(-.infinity)))))
    return relation == .less || relation == .lessOrEqual ? isNumber && condition : condition
  }

  /// A value as it would be stored.
  private func constant(_ value: Any?) -> StoredValue? {
    guard case .value(let constant)? = (try? QueryArguments.operand(value))?.constant else { return nil }
    return constant
  }
}

extension Comparison.Operand {
  fileprivate var isConstant: Bool { if case .constant = self { true } else { false } }
}

extension StoredValue {
  fileprivate var isNotANumber: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    default: false
    }
  }
}

/// Whether a type is stored as floating-point numbers, among which Swift has no order for NaN.
func isFloating(_ type: Any.Type) -> Bool {
  let kind = (type as? any _Persistable.Type)?._facts.kind
  return kind == .float || kind == .double
}
