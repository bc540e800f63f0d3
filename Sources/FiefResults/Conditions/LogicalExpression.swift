import FiefQueries
import Foundation

/// A part of the tree of a `#Predicate` that joins conditions, or negates one.
///
/// A work list translates logic, because programs join conditions in loops. Other parts are only as deep as the source.
protocol LogicalExpression: TranslatableExpression {
  /// `and`, `or` or `not`.
  var joint: QueryPredicate.Node { get }
  var operands: [any PredicateExpression] { get }
}

extension LogicalExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    let condition = QueryPredicate(tree: self as Any) { part in
      if let logical = part as? any LogicalExpression { return .joined(logical.joint, logical.operands) }
      return (part as? any TranslatableExpression)?.translated(&translation)?.condition.map { .condition($0) }
    }
    return condition.map { .condition($0) }
  }
}
