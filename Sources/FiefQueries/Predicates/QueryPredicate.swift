/// A condition on rows: the one form behind formats, typed queries, and whatever else will ask.
///
///     a == 1 AND NOT (b > 2 OR c == nil)
///
///     [a == 1] [b > 2] [c == nil] [or] [not] [and]        each operator after what it joins
///
/// A predicate is a flat array in postfix order, and not a tree of nodes, so that nothing here, down to freeing one,
/// recurses over a text of a million parentheses, and joining two appends. It knows no schema: `Query` binds it to one.
///
///     let young = QueryPredicate(Comparison(.path(PropertyPath("age")), .less, .constant(3)))
///     let both = young && !QueryPredicate(Comparison(.path(PropertyPath("name")), .equal, .constant(nil)))
public struct QueryPredicate: Equatable, Sendable {
  /// An element of the postfix array.
  public enum Node: Equatable, Sendable {
    /// A condition that is always, or never, true.
    case constant(Bool)
    /// A comparison.
    case comparison(Comparison)
    /// Turns the condition before it around.
    case not
    /// Joins the two conditions before it.
    case and
    /// Joins the two conditions before it.
    case or
    /// Counts the elements of a collection that satisfy the condition before it.
    case subquery(Subquery)
  }

  /// `SUBQUERY(collection, $variable, ...).@count relation number`: what is around the condition.
  public struct Subquery: Equatable, Sendable {
    /// The collection whose elements are counted.
    public var collection: PropertyPath
    /// The name, without its `$`, by which the condition speaks of an element.
    public var variable: String
    /// How the count is compared.
    public var relation: Comparison.Operator
    /// What the count is compared with.
    public var count: Int64
    /// The name, without its `$`, of the variable that will say so; nil when `count` does.
    public var openCount: String?
    /// Where it stood in the text, in bytes of UTF-8. Not part of equality.
    public var position: Int?

    /// A subquery from its parts.
    public init(
      _ collection: PropertyPath, variable: String, _ relation: Comparison.Operator, _ count: Int64,
      openCount: String? = nil, position: Int? = nil
    ) {
      self.openCount = openCount
      self.collection = collection
      self.variable = variable
      self.relation = relation
      self.count = count
      self.position = position
    }

    /// Whether the two say the same, wherever they were written.
    public static func == (a: Subquery, b: Subquery) -> Bool {
      a.collection == b.collection && a.variable == b.variable && a.relation == b.relation && a.count == b.count
        && a.openCount == b.openCount
    }
  }

  /// The conditions and what joins them, in postfix order; never empty, and one condition as a whole.
  public private(set) var nodes: [Node]

  /// A condition of nodes that are known to be one, in postfix order.
  package init(unchecked nodes: [Node]) { self.nodes = nodes }

  /// The condition that always, or never, holds.
  public init(_ constant: Bool) { nodes = constant ? Self.always : Self.never }

  private static let always: [Node] = [.constant(true)]
  private static let never: [Node] = [.constant(false)]

  /// One comparison.
  public init(_ comparison: Comparison) { nodes = [.comparison(comparison)] }

  /// The condition that so many elements of a collection satisfy `condition`, in which `subquery.variable` is an
  /// element.
  public init(_ subquery: Subquery, where condition: QueryPredicate) {
    nodes = condition.nodes
    nodes.append(.subquery(subquery))
  }

  /// Whether it says nothing: the condition that always holds.
  public var isAlwaysTrue: Bool { isConstant(true) }

  /// Both. Linear in the right side; one that always holds is left out.
  public static func && (a: QueryPredicate, b: QueryPredicate) -> QueryPredicate { a.joined(b, .and, neutral: true) }

  /// One of the two, or both. Linear in the right side; one that never holds is left out.
  public static func || (a: QueryPredicate, b: QueryPredicate) -> QueryPredicate { a.joined(b, .or, neutral: false) }

  /// All of some conditions; of none, the one that always holds. Linear.
  public static func all(of conditions: some Sequence<QueryPredicate>) -> QueryPredicate {
    joined(conditions, .and, neutral: true)
  }

  /// One of some conditions, or more; of none, the one that never holds. Linear.
  public static func any(of conditions: some Sequence<QueryPredicate>) -> QueryPredicate {
    joined(conditions, .or, neutral: false)
  }

  private static func joined(
    _ conditions: some Sequence<QueryPredicate>, _ joint: Node, neutral: Bool
  ) -> QueryPredicate {
    var nodes: [Node] = []
    for condition in conditions where !condition.isConstant(neutral) {
      let isFirst = nodes.isEmpty
      nodes += condition.nodes
      if !isFirst { nodes.append(joint) }
    }
    return nodes.isEmpty ? QueryPredicate(neutral) : QueryPredicate(unchecked: nodes)
  }

  /// The opposite.
  public static prefix func ! (a: QueryPredicate) -> QueryPredicate {
    var result = a
    result.nodes.append(.not)
    return result
  }

  private func isConstant(_ value: Bool) -> Bool {
    guard nodes.count == 1, case .constant(let constant) = nodes[0] else { return false }
    return constant == value
  }

  private consuming func joined(_ other: QueryPredicate, _ joint: Node, neutral: Bool) -> QueryPredicate {
    if isConstant(neutral) { return other }
    if other.isConstant(neutral) { return self }
    nodes.append(contentsOf: other.nodes)
    nodes.append(joint)
    return self
  }
}

extension QueryPredicate {
  /// The same condition with other nodes in the place of its own; each stays of its kind.
  package func mappingNodes(_ change: (Int, Node) -> Node) -> QueryPredicate {
    QueryPredicate(unchecked: nodes.enumerated().map { change($0, $1) })
  }

  /// The same condition with other comparisons in the place of its own.
  ///
  /// - Parameter change: gives the comparison that takes another's place.
  public func mappingComparisons(_ change: (Comparison) throws -> Comparison) rethrows -> QueryPredicate {
    QueryPredicate(
      unchecked: try nodes.map { node in
        if case .comparison(let comparison) = node { return .comparison(try change(comparison)) }
        return node
      })
  }
}
