/// A condition on rows, to which format strings and typed queries are converted.
///
///     a == 1 AND NOT (b > 2 OR c == nil)
///
///     [a == 1] [b > 2] [c == nil] [or] [not] [and]        each operator after its operands
///
/// A predicate is a flat array in postfix order and not a tree of nodes. So no operation recurses over a format with a
/// million parentheses, not even deallocation, and joining two predicates appends arrays. A predicate does not refer to
/// a schema: `CompiledQuery` binds it to one.
///
///     let young = QueryPredicate(Comparison(.path(PropertyPath("age")), .less, .constant(3)))
///     let both = young && !QueryPredicate(Comparison(.path(PropertyPath("name")), .equal, .constant(nil)))
public struct QueryPredicate: Equatable, Sendable {
  /// An element of the postfix array.
  package enum Node: Equatable, Sendable {
    /// A condition that is always true, or never.
    case constant(Bool)
    case comparison(Comparison)
    /// Negates the condition before it.
    case not
    /// The conjunction of the two conditions before it.
    case and
    /// The disjunction of the two conditions before it.
    case or
    /// Counts the elements of a collection that satisfy the condition before it.
    case subquery(Subquery)
  }

  /// `SUBQUERY(collection, $variable, ...).@count relation number`, without the condition.
  package struct Subquery: Equatable, Sendable {
    /// The collection whose elements are counted.
    package var collection: PropertyPath
    /// The name of the variable for an element in the condition, without its `$`.
    package var variable: String
    /// The relation between the count and the number.
    package var relation: Comparison.Operator
    /// The number with which the count is compared.
    package var count: Int64
    /// The name, without its `$`, of a variable that will supply the number; nil when `count` is the number.
    package var openCount: String?
    /// The position in the parsed format, in bytes of UTF-8. It does not affect equality.
    package var position: Int?

    /// A subquery over the elements of a collection.
    package init(
      _ collection: PropertyPath, variable: String, count relation: Comparison.Operator, _ count: Int64,
      openCount: String? = nil, position: Int? = nil
    ) {
      self.openCount = openCount
      self.collection = collection
      self.variable = variable
      self.relation = relation
      self.count = count
      self.position = position
    }

    /// Whether the two subqueries are equal, regardless of their positions.
    package static func == (a: Subquery, b: Subquery) -> Bool {
      a.collection == b.collection && a.variable == b.variable && a.relation == b.relation && a.count == b.count
        && a.openCount == b.openCount
    }
  }

  /// The nodes in postfix order: never empty, and one condition as a whole.
  package private(set) var nodes: [Node]

  /// A condition of these nodes, which the caller guarantees to be one condition in postfix order.
  package init(unchecked nodes: [Node]) {
    assert(Self.isCondition(nodes), "The nodes are one condition in postfix order.")
    self.nodes = nodes
  }

  /// Whether nodes are one condition in postfix order. Linear.
  private static func isCondition(_ nodes: [Node]) -> Bool {
    var count = 0
    for node in nodes {
      switch node {
      case .constant, .comparison: count += 1
      case .not, .subquery: if count < 1 { return false }
      case .and, .or:
        if count < 2 { return false }
        count -= 1
      }
    }
    return count == 1
  }

  /// The condition that always holds, or never.
  package init(_ constant: Bool) { nodes = constant ? Self.always : Self.never }

  private static let always: [Node] = [.constant(true)]
  private static let never: [Node] = [.constant(false)]

  package init(_ comparison: Comparison) { nodes = [.comparison(comparison)] }

  /// The condition that a number of elements of a collection satisfy `condition`. In it, `subquery.variable` is the
  /// element.
  package init(_ subquery: Subquery, where condition: QueryPredicate) {
    nodes = condition.nodes
    nodes.append(.subquery(subquery))
    assert(!subquery.variable.isEmpty, "An element has a name in the condition of a subquery.")
  }

  package var isAlwaysTrue: Bool { isConstant(true) }

  /// The conjunction. Takes time in the size of the right side. A constant that always holds is left out.
  package static func && (a: consuming QueryPredicate, b: QueryPredicate) -> QueryPredicate {
    a.join(b, by: .and)
    return a
  }

  /// The disjunction. Takes time in the size of the right side. A constant that never holds is left out.
  package static func || (a: consuming QueryPredicate, b: QueryPredicate) -> QueryPredicate {
    a.join(b, by: .or)
    return a
  }

  /// The conjunction of some conditions. Without conditions it always holds. Takes linear time.
  package static func all(of conditions: some Sequence<QueryPredicate>) -> QueryPredicate {
    conditions.reduce(into: QueryPredicate(true)) { $0.join($1, by: .and) }
  }

  /// The disjunction of some conditions. Without conditions it never holds. Takes linear time.
  package static func any(of conditions: some Sequence<QueryPredicate>) -> QueryPredicate {
    conditions.reduce(into: QueryPredicate(false)) { $0.join($1, by: .or) }
  }

  package static prefix func ! (a: consuming QueryPredicate) -> QueryPredicate {
    a.nodes.append(.not)
    return a
  }

  private func isConstant(_ value: Bool) -> Bool {
    if nodes.count == 1, case .constant(value) = nodes[0] { true } else { false }
  }

  private mutating func join(_ other: QueryPredicate, by joint: Node) {
    assert(joint == .and || joint == .or, "Two operators join conditions.")
    if other.isConstant(joint == .and) { return }
    if isConstant(joint == .and) { return self = other }
    nodes.append(contentsOf: other.nodes)
    nodes.append(joint)
  }
}

extension QueryPredicate {
  /// Replaces each comparison by another one.
  ///
  /// - Parameter change: returns the replacement of a comparison.
  package func mappingComparisons(_ change: (Comparison) throws -> Comparison) rethrows -> QueryPredicate {
    QueryPredicate(
      unchecked: try nodes.map { node in
        if case .comparison(let comparison) = node { return .comparison(try change(comparison)) }
        return node
      })
  }
}
