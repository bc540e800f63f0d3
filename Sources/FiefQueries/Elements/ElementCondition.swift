/// Tests values and objects outside any store against a condition, one at a time.
///
///     condition     [dogs.age > 3]  [name == "Kim"]  [and]
///     element       its properties by their names   ──▶ values ──▶ `ValueMatcher`, as for rows
///
/// It uses no index and no cluster, and keeps only the positions of subqueries.
package struct ElementCondition<Element: QueriedValue> {
  private let predicate: QueryPredicate
  /// For each position at which subqueries begin, the positions of their nodes, the outermost first.
  private let openings: [Int: [Int]]
  private let starts: [Int]

  /// A condition without comparisons with members of embedded objects.
  package init(_ predicate: QueryPredicate) {
    self.predicate = predicate
    starts = predicate.starts
    openings = predicate.openings
  }

  /// Whether an element satisfies the condition.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the element.
  package func isTrue(of element: Element) throws(QueryError) -> Bool {
    var tested = 0
    return try isTrue(
      predicate.nodes.indices, in: [ElementScope(element, element.objectClass, variable: nil)], tested: &tested)
  }

  /// How deep subqueries may be nested; queries of stores have the same limit.
  private static var subqueryLimit: Int { 32 }

  /// How many elements the subqueries of one condition may test. Objects outside stores have no keys by which answers
  /// could be kept, so subqueries over a ring of objects take time that is exponential in their levels.
  private static var testLimit: Int { 1_000_000 }

  /// Evaluates the nodes of one condition; those of subqueries are evaluated for the elements of their collections.
  ///
  /// - Parameter tested: the number of elements that subqueries have tested so far.
  private func isTrue(
    _ range: Range<Int>, in scopes: [ElementScope<Element>], tested: inout Int
  ) throws(QueryError) -> Bool {
    var answers: [Bool] = []
    assert(!range.isEmpty && !scopes.isEmpty, "A condition has nodes, and a row that it tests.")
    var node = range.lowerBound
    while node < range.upperBound {
      if let subquery = openings[node]?.first(where: { $0 < range.upperBound }) {
        answers.append(try isTrue(subqueryAt: subquery, in: scopes, tested: &tested))
        node = subquery + 1
        continue
      }
      switch predicate.nodes[node] {
      case .constant(let value): answers.append(value)
      case .comparison(let comparison): answers.append(try PathReading(scopes).isTrue(comparison))
      case .not: answers.append(!answers.removeLast())
      case .and:
        let right = answers.removeLast()
        answers.append(answers.removeLast() && right)
      case .or:
        let right = answers.removeLast()
        answers.append(answers.removeLast() || right)
      case .subquery: break
      }
      node += 1
    }
    assert(answers.count == 1, "One condition has one answer.")
    return answers.last ?? true
  }

  private func isTrue(
    subqueryAt node: Int, in scopes: [ElementScope<Element>], tested: inout Int
  ) throws(QueryError) -> Bool {
    guard case .subquery(let subquery) = predicate.nodes[node] else { return false }
    try subquery.check()
    guard scopes.count <= Self.subqueryLimit else {
      throw QueryError(.unsupported, "Subqueries are nested deeper than \(Self.subqueryLimit).", at: subquery.position)
    }
    let found = try PathReading(scopes).read(subquery.collection, at: subquery.position)
    guard found.isMany, found.model != nil else {
      throw QueryError(
        .unsupported, "SUBQUERY wants a collection of objects, and '\(subquery.collection)' is none.",
        at: subquery.position)
    }
    var count: Int64 = 0
    for element in found.values where element.objectClass != nil {
      assert(tested >= 0 && tested <= Self.testLimit, "Elements are counted before they are tested.")
      tested += 1
      guard tested <= Self.testLimit else {
        throw QueryError(
          .unsupported, "The subqueries over an object outside a store test more than \(Self.testLimit) elements.",
          at: subquery.position)
      }
      let scope = ElementScope(element, found.model, variable: subquery.variable)
      if try isTrue(starts[node]..<node, in: scopes + [scope], tested: &tested) { count += 1 }
    }
    return Meaning.holds(.int(count), subquery.relation, .int(subquery.count))
  }
}

/// The start of paths: the tested element, or an element of a subquery's collection.
struct ElementScope<Element: QueriedValue> {
  let start: Element
  /// The class that defines the names of properties; nil for a value.
  let model: Element.Class?
  /// The variable of the subquery; nil for the tested element.
  let variable: String?

  init(_ start: Element, _ model: Element.Class?, variable: String?) {
    self.start = start
    self.model = model
    self.variable = variable
  }
}
