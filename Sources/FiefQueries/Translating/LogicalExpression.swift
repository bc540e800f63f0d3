import Foundation

/// A part of the tree of a `#Predicate` that joins conditions, or negates one.
///
/// A work list translates logic, because programs join conditions in loops. Other parts are only as deep as the source.
protocol LogicalExpression: TranslatableExpression {
  var joint: LogicalJoint { get }
  var operands: [any PredicateExpression] { get }
}

/// The operation of a logical expression.
enum LogicalJoint {
  case and, or, not
}

private enum LogicalWork {
  case expression(any PredicateExpression)
  case join(LogicalJoint)
}

extension LogicalExpression {
  func translated(_ translation: inout PredicateTranslation) -> PredicatePart? {
    var assembly = PredicateAssembly()
    assert(operands.count == (joint == .not ? 1 : 2), "An operator has its operands.")
    var work: [LogicalWork] = [.join(joint)] + operands.reversed().map { .expression($0) }
    while let next = work.popLast() {
      switch next {
      case .join(.not): assembly.negate()
      case .join(let joint): assembly.join(and: joint == .and)
      case .expression(let expression):
        if let logical = expression as? any LogicalExpression {
          work.append(.join(logical.joint))
          work += logical.operands.reversed().map { .expression($0) }
        } else {
          guard let condition = translation.condition(expression) else { return nil }
          assembly.append(condition)
        }
      }
    }
    return .condition(assembly.predicate)
  }
}
