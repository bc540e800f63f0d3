import FiefObjects
import FiefQueries

/// Two joined conditions of a typed query, or a negated one: the result of `&&`, `||` and `!`.
///
///     ((a && b) || c) || d        a joint for each operator, whatever its operands are
///
/// Joining takes constant time, so that a loop may join conditions one by one. The flat form of a predicate is made of
/// the whole tree when it is needed.
@usableFromInline
final class QueryJoint {
  /// `and`, `or` or `not`.
  private let kind: QueryPredicate.Node
  private var left: QueryForm?
  private var right: QueryForm?

  init(_ kind: QueryPredicate.Node, of left: QueryForm, _ right: QueryForm? = nil) {
    self.kind = kind
    self.left = left
    self.right = right
  }

  /// Frees the operands one by one: a chain of any length is freed without recursion.
  deinit {
    var waiting: [QueryJoint] = []
    detach(into: &waiting)
    while var joint = waiting.popLast() {
      if isKnownUniquelyReferenced(&joint) { joint.detach(into: &waiting) }
    }
  }

  private func detach(into waiting: inout [QueryJoint]) {
    if case .joined(let joint)? = left { waiting.append(joint) }
    if case .joined(let joint)? = right { waiting.append(joint) }
    (left, right) = (nil, nil)
  }

  /// The whole as a predicate. Linear.
  var predicate: QueryPredicate {
    var nodes: [QueryPredicate.Node] = []
    walk { form in
      switch form {
      case .condition(let predicate, _): nodes += predicate.nodes
      case .comparison(let resolved, let relation, let value):
        nodes.append(.comparison(Comparison(resolved, relation, to: value)))
      default: nodes += form.predicate.nodes
      }
    } leaving: {
      nodes.append($0)
    }
    return QueryPredicate(unchecked: nodes)
  }

  /// The paths to all properties in it that hold several values. Linear.
  var collections: [PropertyPath] {
    var found: [PropertyPath] = []
    walk {
      found += $0.collections
    } leaving: { _ in
    }
    return found
  }

  /// Visits the joined conditions from left to right, and each joint after its operands.
  private func walk(_ meet: (QueryForm) -> Void, leaving leave: (QueryPredicate.Node) -> Void) {
    enum Work {
      case form(QueryForm)
      case leave(QueryPredicate.Node)
    }
    var work: [Work] = [.form(.joined(self))]
    while let next = work.popLast() {
      switch next {
      case .leave(let kind): leave(kind)
      case .form(.joined(let joint)):
        work.append(.leave(joint.kind))
        if let right = joint.right { work.append(.form(right)) }
        if let left = joint.left { work.append(.form(left)) }
      case .form(let form): meet(form)
      }
    }
  }
}
