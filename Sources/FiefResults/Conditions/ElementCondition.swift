import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

/// Tests objects and values against a condition, one at a time: a managed object as a row of its store, and all else by
/// its properties.
///
///     condition     [dogs.age > 3]  [name == "Kim"]  [and]
///     element       its properties by their names   ──▶ values ──▶ `ValueMatcher`, as for rows
///
/// Outside a store it uses no index and no cluster, and keeps only the positions of subqueries.
struct ElementCondition {
  private let predicate: QueryPredicate
  /// For each position at which subqueries begin, the positions of their nodes, the outermost first.
  private let openings: [Int: [Int]]
  private let starts: [Int]
  /// Whether comparisons with members of embedded objects must be written out for the class of the element.
  private let comparesMembers: Bool

  init(_ predicate: QueryPredicate) {
    self.predicate = predicate
    starts = predicate.starts
    openings = predicate.openings
    comparesMembers = predicate.comparesMembers
  }

  /// Whether an element satisfies the condition.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the element.
  func isTrue(of element: Any?) throws(QueryError) -> Bool {
    let value = element.flatMap(flattened)
    var tested = 0
    if let value, DynamicValue.isObject(value), let object = value as? ObjectBase {
      if comparesMembers {
        return try ElementCondition(MemberWriting.written(predicate, asking: object.model)).isTrue(of: object)
      }
      if let session = object.retainedSession, let link = object.rowLink {
        return try isTrue(of: object, link, session)
      }
      let scope = PathReading.Scope(start: .object(object), model: object.model)
      return try isTrue(predicate.nodes.indices, in: [scope], tested: &tested)
    }
    guard case .value(let stored) = try QueryArguments.operand(value).constant else {
      throw QueryError(.argument, "A condition can be asked about objects and about single values, not collections.")
    }
    return try isTrue(predicate.nodes.indices, in: [PathReading.Scope(start: .value(stored))], tested: &tested)
  }

  private func isTrue(of object: ObjectBase, _ link: ObjectLink, _ session: Session) throws(QueryError) -> Bool {
    session.checkConfinement()
    if !object.hasRow { Misuse.invalidated(object) }
    session.noteReadOfAll()
    try session.check(predicate)
    let query = try CompiledQuery(
      predicate, of: link.table, in: session.layout, catalog: StoreCatalog(store: session.store))
    return session.read { query.matches(link.key, in: $0) }
  }

  // MARK: Outside a store

  /// How deep subqueries may be nested; queries of stores have the same limit.
  private static let subqueryLimit = 32

  /// How many elements the subqueries of one condition may test. Objects outside stores have no keys by which answers
  /// could be kept, so subqueries over a ring of objects take time that is exponential in their levels.
  private static let testLimit = 1_000_000

  /// Evaluates the nodes of one condition; those of subqueries are evaluated for the elements of their collections.
  ///
  /// - Parameter tested: the number of elements that subqueries have tested so far.
  private func isTrue(
    _ range: Range<Int>, in scopes: [PathReading.Scope], tested: inout Int
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
    subqueryAt node: Int, in scopes: [PathReading.Scope], tested: inout Int
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
    for element in found.values where element.model != nil {
      assert(tested >= 0 && tested <= Self.testLimit, "Elements are counted before they are tested.")
      tested += 1
      guard tested <= Self.testLimit else {
        throw QueryError(
          .unsupported, "The subqueries over an object outside a store test more than \(Self.testLimit) elements.",
          at: subquery.position)
      }
      let scope = PathReading.Scope(start: element, model: found.model, variable: subquery.variable)
      if try isTrue(starts[node]..<node, in: scopes + [scope], tested: &tested) { count += 1 }
    }
    return Meaning.holds(.int(count), subquery.relation, .int(subquery.count))
  }
}
