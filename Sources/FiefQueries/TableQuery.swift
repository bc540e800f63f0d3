import FiefGraph
import FiefRuntime
import Synchronization

/// A condition and its modifiers, bound to one table: the part of a `CompiledQuery` that concerns the table.
final class TableQuery: Sendable {
  let table: TableKey
  let predicate: QueryPredicate
  let modifiers: [BoundQueryModifier]
  private let memos: Int
  private let usesAllProcessors: Bool
  /// The schema of the table, and those of the other tables that the query uses.
  private let schema: TableSchema
  private let others: [TableSchema]
  /// The whole condition, while nothing but its count is asked for.
  private let equality: SimpleEquality?
  private let compiled = AtomicLazyReference<CompiledCondition>()

  /// The compiled condition, for rows and for indexes.
  var condition: CompiledCondition {
    if let condition = compiled.load() { return condition }
    guard let equality else { fatalError("A query has neither a compiled condition nor an equality.") }
    return compiled.storeIfNil(equality.condition(in: schema))
  }

  /// Binds a condition and the modifiers of its result.
  ///
  /// - Throws: `QueryError` for a query that does not fit the schema.
  init(_ query: ParsedQuery, of table: TableKey, in graph: Graph, catalog: any QueryCatalog) throws(QueryError) {
    let schema = try graph.schema(of: table)
    self.table = table
    self.schema = schema
    predicate = query.predicate
    usesAllProcessors = catalog.usesAllProcessors
    if query.modifiers.isEmpty, let equality = SimpleEquality(query.predicate, of: schema, catalog: catalog) {
      self.equality = equality
      modifiers = []
      memos = 0
      others = []
      return
    }
    var binder = Binder(graph, catalog: catalog, scope: .row(schema, variable: nil))
    let condition = try binder.bind(query.predicate)
    modifiers = query.modifiers.isEmpty ? [] : try binder.bind(query.modifiers)
    memos = binder.memos
    others = binder.tables.filter { $0 !== schema }
    equality = nil
    _ = compiled.storeIfNil(condition)
  }

  /// The query with a further condition, joined by AND, and further modifiers, which alone are bound here.
  ///
  /// - Throws: `QueryError` for additions that do not fit the schema.
  func adding(_ more: ParsedQuery, in graph: Graph, catalog: any QueryCatalog) throws(QueryError) -> TableQuery {
    var binder = Binder(graph, catalog: catalog, scope: .row(try graph.schema(of: table), variable: nil), memos: memos)
    let condition = try binder.bind(more.predicate)
    let modifiers = more.modifiers.isEmpty ? [] : try binder.bind(more.modifiers)
    return TableQuery(self, adding: more.predicate, condition: condition, modifiers: modifiers, boundBy: binder)
  }

  private init(
    _ query: TableQuery, adding predicate: QueryPredicate, condition: CompiledCondition,
    modifiers: [BoundQueryModifier], boundBy binder: Binder
  ) {
    assert(binder.memos >= query.memos, "Conditions that are joined have different memos.")
    table = query.table
    schema = query.schema
    self.predicate = query.predicate && predicate
    self.modifiers = query.modifiers + modifiers
    memos = binder.memos
    usesAllProcessors = query.usesAllProcessors
    let known = query.others + [query.schema]
    others = query.others + binder.tables.filter { table in !known.contains { $0 === table } }
    equality = nil
    _ = compiled.storeIfNil(query.condition.and(condition))
  }

  /// Whether the tables of the query have the schemas to which it was bound.
  func fits(_ graph: Graph) -> Bool {
    func fits(_ schema: TableSchema) -> Bool {
      graph[schema.key].map { $0.schema === schema || $0.schema == schema } ?? false
    }
    return fits(schema) && others.allSatisfy(fits)
  }

  /// The table in a version, and the state of an evaluation. Traps when the query does not fit the version.
  func begin(_ graph: Graph) -> (table: Table, run: QueryRun) {
    (asked(graph), QueryRun(graph, memos: memos, usesAllProcessors: usesAllProcessors))
  }

  private func asked(_ graph: Graph) -> Table {
    guard fits(graph), let table = graph[table] else {
      fatalError("A query was asked of a graph with another schema than the one it was bound to.")
    }
    return table
  }

  /// The number of rows that a limit needs if it is the first modifier; otherwise unbounded.
  private var leadingLimit: Int {
    guard case .limit(let count, let offset)? = modifiers.first else { return .max }
    let (sum, isOver) = count.addingReportingOverflow(offset)
    return isOver ? .max : sum
  }

  // MARK: Running

  /// The rows that satisfy the condition, without modifiers.
  ///
  /// - Parameter wanted: the number of rows that are needed; nil for those that the modifiers need.
  func selection(in graph: Graph, upTo wanted: Int? = nil) -> RowSelection {
    assert(wanted ?? 0 >= 0, "A number of rows is wanted.")
    let (table, run) = begin(graph)
    return run.select(condition, in: table, upTo: wanted ?? leadingLimit)
  }

  /// The row with the lowest key that satisfies the condition, or nil.
  func first(in graph: Graph) -> ObjectKey? {
    let (table, run) = begin(graph)
    return run.first(condition, in: table)
  }

  /// A test whether the row with a key satisfies the condition; false when the row does not exist.
  func test(in graph: Graph) -> (ObjectKey) -> Bool {
    let (table, run) = (table, begin(graph).run)
    let program = condition.program
    return { key in run.location(of: key, in: table).map { run.matches(program, $0) } ?? false }
  }

  /// The number of rows that satisfy the condition.
  func count(in graph: Graph) -> Int {
    if let count = countByIndex(graph) { return count }
    let (table, run) = begin(graph)
    return run.count(condition, in: table)
  }

  /// The number of rows that satisfy the condition, if it takes much less time than finding them; otherwise nil.
  func countIfCheap(in graph: Graph) -> Int? {
    if let count = countByIndex(graph) { return count }
    let (table, run) = begin(graph)
    if condition.program.isAlwaysTrue { return table.count }
    return run.cheapCount(
      condition, in: table, by: QueryPlanner(table: table, conjunction: condition.conjunction, isCounting: true).plan())
  }

  /// The number of rows of a simple equality, if an index gives it.
  private func countByIndex(_ graph: Graph) -> Int? {
    guard let equality else { return nil }
    return ShortCut.lookUps.attempt { equality.count(in: asked(graph)) }
  }

  /// A description of the plan. The query is planned but not run.
  func plan(in graph: Graph) -> String {
    let table = asked(graph)
    let plan = QueryPlanner(table: table, conjunction: condition.conjunction).plan()
    return "\(table.schema.name), \(table.count) rows. Plan: \(plan.sentence(for: table)) Test: \(predicate)"
  }

  /// Runs the query and explains the execution.
  func explanation(in graph: Graph, wanting wanted: Int) -> QueryExplanation {
    let (table, run) = begin(graph)
    let plan = QueryPlanner(table: table, conjunction: condition.conjunction).plan()
    let limit = modifiers.isEmpty ? wanted : leadingLimit
    assert(limit >= 0, "A limit is not negative.")
    var found = run.select(condition, in: table, upTo: limit).count
    // Rows beyond the limit count as found, though the run did not examine them.
    if found >= limit { found = begin(graph).run.select(condition, in: table).count }
    return QueryExplanation(
      table: table.schema.name, plan: plan.sentence(for: table), indexes: plan.indexes(of: table),
      rowsExamined: run.examined, rowsInTable: table.count,
      rowsFound: found, predicate: predicate.description)
  }
}
