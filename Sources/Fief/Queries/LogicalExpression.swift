import FiefQueries
import Foundation

/// A part of the tree of a `#Predicate` that joins conditions, or turns one around.
///
/// Logic is translated by a work list, as programs join conditions in loops; other parts are as deep as somebody wrote.
protocol LogicalExpression: TranslatableExpression {
  var joint: LogicalJoint { get }
  var operands: [any PredicateExpression] { get }
}

/// What a logical expression does with its operands.
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
