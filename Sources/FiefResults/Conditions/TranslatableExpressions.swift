import FiefObjects
import FiefQueries
import Foundation

/// A type in the tree of a `#Predicate` that a query can express.
protocol TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart?
}

// MARK: - Values

extension PredicateExpressions.Variable: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? { translation.variable(key) }
}

extension PredicateExpressions.Value: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? { .constant(nil) }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    switch translation.part(root) {
    case .path(let path, let type):
      switch KeyPathMeaning(keyPath, from: type) {
      case .property(let name): return .path(path.appending(.property(name)), Output.self)
      case .count: return .path(path.appending(.aggregate(.count)), Int.self)
      case .isEmpty:
        return .condition(QueryPredicate(Comparison(.path(path.appending(.aggregate(.count))), .equal, .constant(0))))
      case nil: break
      }
      if type == String.self && keyPath == \String.isEmpty {
        return .condition(QueryPredicate(Comparison(.path(path), .equal, .constant(""))))
      }
      return nil
    case .filtered(let path, let name, let condition):
      let isCount = KeyPathMeaning(keyPath, from: Root.Output.self) == .count
      return isCount ? .filteredCount(path, name: name, condition) : nil
    default: return nil
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard case .path(let path, _)? = translation.part(wrapped) else { return nil }
    switch translation.part(transform, where: variable.key, is: .path(path, Wrapped.self)) {
    // Behind a null link every property of one value is null, as in Swift. A collection is empty there and has a count.
    case .path(let inner, let type)? where type != Bool.self:
      guard case .property? = inner.components.last, !(type is any CountedByKeyPath.Type) else { return nil }
      return .path(inner, type)
    case let part?: return part.condition.map { .conditional(path, $0) }
    case nil: return nil
    }
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    switch (translation.part(lhs), translation.part(rhs)) {
    case (.path(let path, let type)?, .constant(let otherwise)?): return .choice(path, type, otherwise: otherwise)
    case (.conditional(let path, let condition)?, let otherwise?):
      guard let otherwise = otherwise.condition else { return nil }
      let isThere = PredicatePart.isThere(path)
      return .condition((isThere && condition) || (!isThere && otherwise))
    default: return nil
    }
  }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    translation.compared(lhs, .equal, rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    translation.compared(lhs, .notEqual, rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    let relation: Comparison.Operator
    switch op {
    case .lessThan: relation = .less
    case .lessThanOrEqual: relation = .lessOrEqual
    case .greaterThan: relation = .greater
    case .greaterThanOrEqual: relation = .greaterOrEqual
    @unknown default: return nil
    }
    return translation.compared(lhs, relation, rhs)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard case .range(let low, let high, let isClosed)? = translation.part(range),
      let value = translation.part(element),
      let above = translation.compared(value, .greaterOrEqual, .constant(low)),
      let below = translation.compared(value, isClosed ? .lessOrEqual : .less, .constant(high))
    else { return nil }
    return .condition(above && below)
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    bounds(lower, upper, isClosed: false, in: &translation)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    bounds(lower, upper, isClosed: true, in: &translation)
  }
}

private func bounds(
  _ lower: any PredicateExpression, _ upper: any PredicateExpression, isClosed: Bool,
  in translation: inout PredicateTranslation
) -> PredicatePart? {
  guard case .constant(let low?)? = translation.part(lower), case .constant(let high?)? = translation.part(upper) else {
    return nil
  }
  return .range(low, high, isClosed: isClosed)
}

// MARK: - Logic

extension PredicateExpressions.Conjunction: LogicalExpression {
  var joint: QueryPredicate.Node { .and }
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Disjunction: LogicalExpression {
  var joint: QueryPredicate.Node { .or }
  var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Negation: LogicalExpression {
  var joint: QueryPredicate.Node { .not }
  var operands: [any PredicateExpression] { [wrapped] }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard let test = translation.condition(test), let yes = translation.condition(trueBranch),
      let no = translation.condition(falseBranch)
    else { return nil }
    return .condition((test && yes) || (!test && no))
  }
}

// MARK: - Strings

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    textual(.contains, in: translation.part(base), for: translation.part(other))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    textual(.beginsWith, in: translation.part(base), for: translation.part(prefix))
  }
}

private func textual(_ relation: Comparison.Operator, in text: PredicatePart?, for other: PredicatePart?)
  -> PredicatePart?
{
  guard case .path(let path, let type)? = text, type == String.self, case .constant(let value)? = other,
    let value = value as? String
  else { return nil }
  // In Swift every string contains an empty one.
  if value.isEmpty { return .condition(QueryPredicate(true)) }
  return .condition(QueryPredicate(Comparison(.path(path), relation, .constant(.value(.string(value))))))
}

// MARK: - Collections

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard let sequence = translation.part(sequence), let element = translation.part(element) else { return nil }
    switch (sequence, element) {
    case (.constant(let values?), .path(let path, let type)):
      guard !isFloating(type), let operand = try? QueryArguments.operand(values), case .list = operand.constant
      else { return nil }
      return .condition(
        QueryPredicate(Comparison(.path(path), .in, .constant(operand.constant), origins: operand.origins)))
    case (.path(let path, let type), .constant(let value)):
      if type == String.self {
        return textual(.contains, in: sequence, for: .constant((value as? Character).map { String($0) }))
      }
      guard type is any CountedByKeyPath.Type, !isFloating(LHS.Output.Element.self),
        let operand = try? QueryArguments.operand(value), case .value = operand.constant
      else { return nil }
      return .condition(
        QueryPredicate(
          Comparison(.path(path), .equal, .constant(operand.constant), quantifier: .any, origins: operand.origins)))
    default: return nil
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard case .path(let path, _)? = translation.part(sequence) else { return nil }
    return translation.contains(path, where: test, on: variable.key, of: LHS.Output.Element.self).map { .condition($0) }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard case .path(let path, _)? = translation.part(sequence) else { return nil }
    return translation.contains(path, where: test, on: variable.key, of: LHS.Output.Element.self, isNegated: true)
      .map { .condition(!$0) }
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    guard case .path(let path, _)? = translation.part(sequence),
      LHS.Output.Element.self is ObjectBase.Type,
      let (name, condition) = translation.condition(filter, on: variable.key, of: LHS.Output.Element.self)
    else { return nil }
    return .filtered(path, name: name, condition)
  }
}
