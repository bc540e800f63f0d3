import FiefCopying
import FiefGraph
import FiefQueries
import FiefSessions

/// Tests a single object or value against a condition. The kernel tests a managed object; this type tests an unmanaged
/// object or a value.
///
///     condition     [dogs.age > 3]  [name == "Kim"]  [and]
///     object        its properties by their names   ──▶ values ──▶ `ValueQuestion`, which is the kernel's
///
/// It tests one object at a time: it uses no index and no cluster, and keeps only the positions of subqueries.
struct ElementQuestion {
  private let predicate: QueryPredicate
  /// For each position at which subqueries begin, the positions of their nodes, the outermost first.
  private var openings: [Int: [Int]] = [:]
  private let starts: [Int]
  /// Whether comparisons with members of embedded objects must be written out for the class of the element.
  private let hasMembers: Bool

  init(_ predicate: QueryPredicate) {
    self.predicate = predicate
    starts = predicate.starts
    hasMembers = MemberWriting.isNeeded(for: predicate)
    for node in predicate.nodes.indices.reversed() {
      if case .subquery = predicate.nodes[node] { openings[starts[node], default: []].append(node) }
    }
  }

  /// Whether an element satisfies the condition.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the element.
  func isTrue(of element: Any?) throws(QueryError) -> Bool {
    let value = element.flatMap(flattened)
    if let value, DynamicValue.isObject(value), let object = value as? ObjectBase {
      if hasMembers {
        return try ElementQuestion(try MemberWriting.written(predicate, asking: object.model)).isTrue(of: object)
      }
      if let session = object.retainedSession, let link = object.link { return try isTrue(of: object, link, session) }
      return try isTrue(predicate.nodes.indices, [ElementScope(object)])
    }
    guard case .value(let stored) = try QueryArguments.operand(value).constant else {
      throw QueryError(.argument, "A condition can be asked about objects and about single values, not collections.")
    }
    return try isTrue(predicate.nodes.indices, [ElementScope(stored)])
  }

  private func isTrue(of object: ObjectBase, _ link: ObjectLink, _ session: Session) throws(QueryError) -> Bool {
    session.checkConfinement()
    if !object.hasRow { Misuse.invalidated(object) }
    try session.check(predicate)
    let query = try BoundQuery(
      predicate, of: link.table, in: session.layout, catalog: StoreCatalog(store: session.store))
    return session.read { query.matches(link.key, in: $0) }
  }

  /// How deep subqueries may be nested; queries of stores have the same limit.
  private static let subqueryLimit = 32

  /// Evaluates the nodes of one condition; those of subqueries are evaluated for the elements of their collections.
  private func isTrue(_ range: Range<Int>, _ scopes: [ElementScope]) throws(QueryError) -> Bool {
    var answers: [Bool] = []
    var node = range.lowerBound
    while node < range.upperBound {
      if let subquery = openings[node]?.first(where: { $0 < range.upperBound }) {
        answers.append(try isTrue(subqueryAt: subquery, scopes))
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
    return answers.last ?? true
  }

  private func isTrue(subqueryAt node: Int, _ scopes: [ElementScope]) throws(QueryError) -> Bool {
    guard case .subquery(let subquery) = predicate.nodes[node] else { return false }
    try subquery.checkClosed()
    guard scopes.count <= Self.subqueryLimit else {
      throw QueryError(
        .unsupported, "Subqueries are nested deeper than \(Self.subqueryLimit).", at: subquery.position)
    }
    let found = try PathReading(scopes).read(subquery.collection, at: subquery.position)
    guard found.isMany, found.model != nil else {
      throw QueryError(
        .unsupported, "SUBQUERY wants a collection of objects, and '\(subquery.collection)' is none.",
        at: subquery.position)
    }
    var count: Int64 = 0
    for case .object(let object) in found.values {
      let scope = ElementScope(object, model: found.model, variable: subquery.variable)
      if try isTrue(starts[node]..<node, scopes + [scope]) { count += 1 }
    }
    let number = QueryConstant.value(.int(subquery.count))
    let comparison = Comparison(.path(subquery.collection), subquery.relation, .constant(number))
    let subject = ValueQuestion.Subject(subquery.collection, .int, isAggregate: true, mayBeNull: false)
    return try ValueQuestion(comparison, number, of: subject).matches(.int(count))
  }
}

/// The start of paths: the tested element, or an element of a subquery's collection.
struct ElementScope {
  let start: SeenValue
  /// The class that defines the names of properties; nil for a value.
  let model: ModelClass?
  /// The variable of the subquery; nil for the tested element.
  let variable: String?

  init(_ object: ObjectBase, model: ModelClass? = nil, variable: String? = nil) {
    start = .object(object)
    self.model = model ?? object.model
    self.variable = variable
  }

  init(_ value: StoredValue) {
    start = .value(value)
    model = nil
    variable = nil
  }
}
