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

  /// - Parameter memos: the number of memos that other tests of the query use.
  init(_ graph: Graph, catalog: any QueryCatalog, scope: Scope, memos: Int = 0) {
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

  mutating func bind(_ predicate: QueryPredicate) throws(QueryError) -> CompiledCondition {
    // The condition, and those of the subqueries around the current node.
    var conditions = [BoundCondition()]
    var paths: [BoundPath] = []
    let openings = predicate.openings
    for (index, node) in predicate.nodes.enumerated() {
      for position in openings[index] ?? [] {
        guard case .subquery(let subquery) = predicate.nodes[position] else { continue }
        try subquery.check()
        guard paths.count < Binder.subqueryLimit else {
          throw QueryError(
            .unsupported, "Subqueries are nested deeper than \(Binder.subqueryLimit).", at: subquery.position)
        }
        let path = try resolve(subquery.collection, at: subquery.position)
        guard path.hops.last?.isMany == true, case .row = path.end, let table = path.table else {
          throw QueryError(
            .unsupported, "SUBQUERY wants a collection of objects, and '\(subquery.collection)' is none.",
            at: subquery.position)
        }
        paths.append(path)
        conditions.append(BoundCondition())
        scopes.append(.row(try facts(of: table), variable: subquery.variable))
      }
      let last = conditions.count - 1
      switch node {
      case .constant(let value): conditions[last].append(.constant(value))
      case .comparison(let comparison):
        let (test, constraint) = try bind(comparison)
        conditions[last].append(.test(test, constraint))
      case .not: conditions[last].negate()
      case .and: conditions[last].join(and: true)
      case .or: conditions[last].join(and: false)
      case .subquery(let subquery):
        scopes.removeLast()
        let test = SubqueryTest(
          path: paths.removeLast(), program: Program(conditions.removeLast()), relation: subquery.relation,
          count: subquery.count, level: scopes.count - 1, memo: memos)
        memos += 1
        guard test.level < Binder.freeSubqueries || test.levels.subtracting([0]).count <= Binder.outerElementLimit
        else {
          throw QueryError(
            .unsupported,
            "A subquery in more than \(Binder.freeSubqueries - 1) others uses the elements of "
              + "\(Binder.outerElementLimit) of them at most, and SUBQUERY(\(subquery.collection), …) uses those of "
              + "\(test.levels.subtracting([0]).count).",
            at: subquery.position)
        }
        conditions[last - 1].append(.test(.subquery(test), nil))
      }
    }
    assert(conditions.count == 1 && scopes.count == 1, "Each subquery ends behind its condition.")
    return CompiledCondition(conditions[0])
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
