import FiefGraph
import FiefValues

/// Resolves the names of a predicate in a graph's schema, checks every comparison and makes the tests.
struct Binder {
  /// The element in which names are resolved: a row of a table, or an element without a row.
  enum Scope {
    case row(TableSchema, variable: String?)
    case element(ColumnType)

    var variable: String? {
      if case .row(_, let variable) = self { return variable }
      return nil
    }
  }

  let graph: Graph
  let catalog: any QueryCatalog
  var scopes: [Scope]
  /// The number of memos that the tests use so far.
  var memos: Int
  /// The tables whose columns the predicate uses.
  private(set) var tables: [TableSchema] = []
  /// The condition that is bound, in postfix order, with its tests and what indexes can answer of them.
  private var steps: [BoundCondition.Step] = []
  private var tests: [Test] = []
  private var constraints: [Int: Constraint] = [:]

  /// - Parameter memos: the number of memos that other tests of the query use.
  init(_ graph: Graph, _ catalog: any QueryCatalog, _ scope: Scope, memos: Int = 0) {
    assert(memos >= 0, "Memos are counted from 0.")
    self.graph = graph
    self.catalog = catalog
    self.memos = memos
    scopes = [scope]
    if case .row(let table, _) = scope { tables = [table] }
  }

  /// The schema of a table; also records the table as used.
  mutating func facts(of key: TableKey) throws(QueryError) -> TableSchema {
    guard let table = graph[key]?.schema else {
      throw QueryError(.unknownProperty, "A path leads to a table that is gone.")
    }
    if !tables.contains(where: { $0 === table }) { tables.append(table) }
    assert(table.key == key, "A table has its own key.")
    return table
  }

  /// The maximal depth of nested subqueries. Each level adds a stack frame to the evaluation.
  static let subqueryLimit = 32
  /// The number of levels whose subqueries may use all elements around them.
  static let freeSubqueries = 6
  /// The number of outer elements that deeper subqueries may use. Evaluation tests a row once for each combination of
  /// them, so each further one multiplies the work by the number of links.
  static let outerElementLimit = 2

  /// Binds a predicate.
  mutating func bind(_ predicate: QueryPredicate) throws(QueryError) -> CompiledCondition {
    // Most queries are a single comparison.
    if predicate.nodes.count == 1, case .comparison(let comparison) = predicate.nodes[0] {
      let (test, constraint) = try bind(comparison)
      return CompiledCondition(test, constraint)
    }
    // The subqueries around the current node, and where their conditions begin.
    var outer: [(path: BoundPath, steps: Int, tests: Int)] = []
    let opens = try openings(of: predicate)
    for (index, node) in predicate.nodes.enumerated() {
      for subquery in opens[index] ?? [] {
        guard outer.count < Binder.subqueryLimit else {
          throw QueryError(
            .unsupported, "Subqueries are nested deeper than \(Binder.subqueryLimit).", at: subquery.position)
        }
        let path = try resolve(subquery.collection, at: subquery.position)
        guard path.hops.last?.isMany == true, case .row = path.end, let table = path.table else {
          throw QueryError(
            .unsupported, "SUBQUERY wants a collection of objects, and '\(subquery.collection)' is none.",
            at: subquery.position)
        }
        outer.append((path, steps.count, tests.count))
        scopes.append(.row(try facts(of: table), variable: subquery.variable))
      }
      switch node {
      case .constant(let value): steps.append(.constant(value))
      case .comparison(let comparison):
        let (test, constraint) = try bind(comparison)
        push(test, constraint)
      case .not: steps.append(.not)
      case .and: steps.append(.and)
      case .or: steps.append(.or)
      case .subquery(let subquery):
        let (path, firstStep, firstTest) = outer.removeLast()
        let own = steps[firstStep...].map { $0.following(-firstTest) }
        let program = Program(BoundCondition(own), tests: Array(tests[firstTest...]))
        for test in firstTest..<tests.count { constraints[test] = nil }
        steps.removeSubrange(firstStep...)
        tests.removeSubrange(firstTest...)
        scopes.removeLast()
        let test = SubqueryTest(
          path: path, program: program, relation: subquery.relation, count: subquery.count, level: scopes.count - 1,
          memo: memos)
        memos += 1
        guard test.level < Binder.freeSubqueries || test.levels.elementCount <= Binder.outerElementLimit else {
          throw QueryError(
            .unsupported,
            "A subquery in more than \(Binder.freeSubqueries - 1) others uses the elements of "
              + "\(Binder.outerElementLimit) of them at most, and SUBQUERY(\(subquery.collection), …) uses those of "
              + "\(test.levels.elementCount).",
            at: subquery.position)
        }
        push(.subquery(test), nil)
      }
    }
    assert(outer.isEmpty && scopes.count == 1, "Each subquery ends behind its condition.")
    return CompiledCondition(steps, tests: tests, constraints)
  }

  private mutating func push(_ test: Test, _ constraint: Constraint?) {
    constraints[tests.count] = constraint
    steps.append(.test(tests.count))
    tests.append(test)
  }

  /// The subqueries that begin before each node, outermost first.
  private func openings(of predicate: QueryPredicate) throws(QueryError) -> [Int: [QueryPredicate.Subquery]] {
    var opens: [Int: [QueryPredicate.Subquery]] = [:]
    guard predicate.nodes.contains(where: { if case .subquery = $0 { true } else { false } }) else { return opens }
    let starts = predicate.starts
    for index in predicate.nodes.indices.reversed() {
      guard case .subquery(let subquery) = predicate.nodes[index] else { continue }
      guard subquery.relation.flipped != nil else {
        throw QueryError(.unsupported, "The count of a SUBQUERY is compared with a number.", at: subquery.position)
      }
      try subquery.checkClosed()
      opens[starts[index], default: []].append(subquery)
    }
    return opens
  }
}

extension Graph {
  /// The schema of a table that is queried.
  ///
  /// - Throws: `QueryError` when the table does not exist.
  func schema(of table: TableKey) throws(QueryError) -> TableSchema {
    guard let schema = self[table]?.schema else {
      throw QueryError(.unknownProperty, "The table that is asked does not exist.")
    }
    return schema
  }
}
