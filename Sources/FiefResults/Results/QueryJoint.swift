import FiefObjects
import FiefQueries

/// Joined conditions of a typed query, or a negated condition or value: the result of `&&`, `||` and `!`.
///
///     ((a && b) || c) || d        a joint for each operator, whatever its operands are
///
/// Joining takes constant time, so that a loop may join conditions one by one. The flat form of a predicate is made of
/// the whole tree when it is needed.
@usableFromInline
final class QueryJoint {
  /// `and`, `or` or `not`.
  private let kind: QueryPredicate.Node
  private var operands: [QueryForm]

  init(_ kind: QueryPredicate.Node, of operands: QueryForm...) { (self.kind, self.operands) = (kind, operands) }

  /// Frees the operands one by one: a chain of any length is freed without recursion.
  deinit {
    var waiting: [QueryJoint] = []
    detach(into: &waiting)
    while var joint = waiting.popLast() {
      if isKnownUniquelyReferenced(&joint) { joint.detach(into: &waiting) }
    }
  }

  private func detach(into waiting: inout [QueryJoint]) {
    for case .joined(let joint) in operands { waiting.append(joint) }
    operands = []
  }

  /// The negated operand; nil if several are joined.
  var negatedOperand: QueryForm? { kind == .not ? operands.first : nil }

  /// The whole as a predicate, of an element of a collection if there is one. Linear.
  func predicate(ofElementsOf collection: PropertyPath?) -> QueryPredicate {
    let whole = QueryPredicate(tree: QueryForm.joined(self)) { form in
      guard case .joined(let joint) = form else { return .condition(form.predicate) }
      if let isFalse = joint.negatedOperand?.comparedWithFalse(ofElementsOf: collection) { return .condition(isFalse) }
      return .joined(joint.kind, joint.operands)
    }
    guard let whole else { fatalError("A joint has operands.") }
    return whole
  }

  /// The paths to all properties in it that hold several values, from left to right. Linear.
  var collections: [PropertyPath] {
    var found: [PropertyPath] = []
    var waiting = [QueryForm.joined(self)]
    while let form = waiting.popLast() {
      if case .joined(let joint) = form { waiting += joint.operands.reversed() } else { found += form.collections }
    }
    return found
  }
}
