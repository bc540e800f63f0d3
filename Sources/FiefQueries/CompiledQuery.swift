import FiefGraph
import FiefValues
import Synchronization

/// A condition and its modifiers, bound to a table. It is checked against the schema once and runs on any version with
/// that schema.
///
///     let query = try CompiledQuery(ParsedQuery("age > 2 SORT(name ASC)"), of: dogs, in: graph)
///     query.count(in: graph)                  // counts without collecting
///     query.rows(in: graph)                   // a QueryResult: keys, in order
///     query.rows(in: graph, among: list)      // of a list, a set or backlinks, keeping their order
///     print(query.explanation(in: graph))
///
/// A query is a value that does not refer to a version. Live versions, frozen versions and open transactions are all
/// graphs, and a query runs on any of them, from any thread. If a table that it uses has another schema in a graph, the
/// query does not `fit` the graph, and running it traps.
package struct CompiledQuery: Sendable {
  /// The table whose rows are queried.
  package var table: TableKey { bound.table }
  /// The condition as it was passed.
  package var predicate: QueryPredicate { bound.predicate }
  /// The compiled condition, for rows and for indexes.
  var condition: CompiledCondition { bound.condition }
  var constraints: Constraints { condition.constraints }
  var modifiers: [BoundQueryModifier] { bound.modifiers }

  /// All state behind one reference, so that copying a query retains one object.
  private let bound: Bound

  private final class Bound: Sendable {
    let table: TableKey
    let predicate: QueryPredicate
    let modifiers: [BoundQueryModifier]
    let memos: Int
    /// The schema of the table, and those of the other tables that the query uses.
    let schema: TableSchema
    let others: [TableSchema]
    /// The whole condition, while nothing but its count is asked for.
    let equality: SimpleEquality?
    private let compiled = AtomicLazyReference<CompiledCondition>()

    var condition: CompiledCondition {
      if let condition = compiled.load() { return condition }
      guard let equality else { fatalError("A query has neither a compiled condition nor an equality.") }
      return compiled.storeIfNil(equality.condition)
    }

    init(_ schema: TableSchema, _ predicate: QueryPredicate, _ equality: SimpleEquality) {
      table = schema.key
      self.schema = schema
      self.predicate = predicate
      self.equality = equality
      modifiers = []
      memos = 0
      others = []
    }

    init(
      _ schema: TableSchema, _ predicate: QueryPredicate, _ condition: CompiledCondition,
      _ modifiers: [BoundQueryModifier], _ binder: Binder
    ) {
      table = schema.key
      self.schema = schema
      self.predicate = predicate
      self.modifiers = modifiers
      memos = binder.memos
      others = binder.tables.filter { $0 !== schema }
      equality = nil
      _ = compiled.storeIfNil(condition)
    }

    /// A query with more conditions and modifiers.
    init(
      _ query: Bound, _ predicate: QueryPredicate, _ condition: CompiledCondition,
      _ modifiers: [BoundQueryModifier], _ binder: Binder
    ) {
      table = query.table
      schema = query.schema
      self.predicate = query.predicate && predicate
      self.modifiers = query.modifiers + modifiers
      memos = binder.memos
      let known = query.others + [query.schema]
      others = query.others + binder.tables.filter { table in !known.contains { $0 === table } }
      equality = nil
      _ = compiled.storeIfNil(query.condition.and(condition))
    }
  }

  /// Binds a condition and the modifiers of its result.
  ///
  /// - Parameters:
  ///   - query: the condition and the modifiers.
  ///   - table: the table whose rows are queried.
  ///   - graph: a version with the schema. Its rows are not read.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a query that does not fit the schema, with the position if the query was parsed.
  package init(
    _ query: ParsedQuery, of table: TableKey, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    guard let schema = graph[table]?.schema else {
      throw QueryError(.unknownProperty, "The table that is asked does not exist.")
    }
    if query.modifiers.isEmpty, let equality = SimpleEquality(query.predicate, schema, catalog) {
      bound = Bound(schema, query.predicate, equality)
      return
    }
    var binder = Binder(graph, catalog, .row(schema, variable: nil))
    let condition = try binder.bind(query.predicate)
    let modifiers = query.modifiers.isEmpty ? [] : try binder.bind(query.modifiers)
    bound = Bound(schema, query.predicate, condition, modifiers, binder)
  }

  private init(_ bound: Bound) { self.bound = bound }

  /// The query with a further condition, joined by AND, and further modifiers, which follow its own. Only these are
  /// bound here.
  ///
  ///     let old = try CompiledQuery(ParsedQuery("age > 9"), of: dogs, in: graph)
  ///     let oldest = try old.adding(ParsedQuery("TRUEPREDICATE SORT(age DESC)"), in: graph)
  ///
  /// - Parameters:
  ///   - more: the condition and the modifiers. The condition tests all rows, regardless of limits.
  ///   - graph: a version that the query fits.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for additions that do not fit the schema.
  /// - Complexity: that of binding the additions, and linear in the number of comparisons when a condition is added.
  package func adding(
    _ more: ParsedQuery, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) -> CompiledQuery {
    guard let schema = graph[table]?.schema else {
      throw QueryError(.unknownProperty, "The table that is asked does not exist.")
    }
    var binder = Binder(graph, catalog, .row(schema, variable: nil), memos: bound.memos)
    let condition = try binder.bind(more.predicate)
    let modifiers = more.modifiers.isEmpty ? [] : try binder.bind(more.modifiers)
    return CompiledQuery(Bound(bound, more.predicate, condition, modifiers, binder))
  }

  /// Binds a condition without modifiers.
  package init(
    _ predicate: QueryPredicate, of table: TableKey, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    try self.init(ParsedQuery(predicate), of: table, in: graph, catalog: catalog)
  }

  /// Whether the tables of the query have the schemas to which it was bound.
  package func fits(_ graph: Graph) -> Bool {
    func fits(_ schema: TableSchema) -> Bool {
      graph[schema.key].map { $0.schema === schema || $0.schema == schema } ?? false
    }
    return fits(bound.schema) && bound.others.allSatisfy(fits)
  }

  func begin(_ graph: Graph) -> (table: Table, run: QueryRun) { (asked(graph), QueryRun(graph, memos: bound.memos)) }

  /// The table in a version, which must fit.
  private func asked(_ graph: Graph) -> Table {
    guard fits(graph), let table = graph[table] else {
      fatalError("A query was asked of a graph with another schema than the one it was bound to.")
    }
    return table
  }

  /// The number of rows that a limit needs if it is the first modifier; otherwise unbounded.
  var leadingLimit: Int {
    guard case .limit(let count, let offset)? = modifiers.first else { return .max }
    let (sum, isOver) = count.addingReportingOverflow(offset)
    return isOver ? .max : sum
  }

  /// Whether the query sorts, deduplicates or limits its rows.
  private var hasModifiers: Bool { !modifiers.isEmpty }

  /// Whether the cells of a row alone decide whether it belongs to the result. The result then changes only at rows
  /// that were changed.
  package var testsRowsAlone: Bool { !hasModifiers && condition.program.tests.allSatisfy(\.readsRowAlone) }

  // MARK: Running

  /// The rows that satisfy the condition, arranged.
  package func rows(in graph: Graph) -> QueryResult {
    let (table, run) = begin(graph)
    let found = run.select(condition, table, upTo: leadingLimit)
    return hasModifiers
      ? .ordered(run.arrange(found.keys, of: table, modifiers)) : .selection(found)
  }

  /// The number of rows. Rows are not sorted, and a condition without modifiers is counted without collecting rows.
  package func count(in graph: Graph) -> Int {
    if let count = countByIndex(graph) { return count }
    let (table, run) = begin(graph)
    if modifiers.contains(where: { if case .sort = $0 { false } else { true } }) { return rows(in: graph).count }
    return run.count(condition, table)
  }

  /// The number of rows of a simple equality, if an index gives it.
  private func countByIndex(_ graph: Graph) -> Int? {
    guard let equality = bound.equality else { return nil }
    return ShortCut.lookUps.attempt { equality.count(by: asked(graph)) }
  }

  /// The number of rows, if it takes much less time than finding them; otherwise nil. It is cheap for indexes that
  /// count, for ranges of integers and for whole tables. Callers that probably need the rows next use this, so that
  /// they do not evaluate the query twice.
  package func countIfCheap(in graph: Graph) -> Int? {
    if let count = countByIndex(graph) { return count }
    if modifiers.contains(where: { if case .sort = $0 { false } else { true } }) { return nil }
    let (table, run) = begin(graph)
    if condition.program.isAlwaysTrue { return table.count }
    return run.cheapCount(
      condition, table, QueryPlanner(table: table, constraints: constraints, isCounting: true).plan())
  }

  /// Whether there are no rows. The search ends at the first row.
  package func isEmpty(in graph: Graph) -> Bool {
    if modifiers.contains(where: { if case .sort = $0 { false } else { true } }) { return rows(in: graph).isEmpty }
    let (table, run) = begin(graph)
    return run.first(condition, table) == nil
  }

  /// The first row, or nil. Without a sort, the search ends at the first row that satisfies the condition.
  package func first(in graph: Graph) -> ObjectKey? {
    if hasModifiers { return prefix(1, in: graph).first }
    let (table, run) = begin(graph)
    return run.first(condition, table)
  }

  /// At most `count` of the first rows, where `count` is not negative. Without a sort, the search ends when it has
  /// found them. With a sort as the last modifier, the other rows are not sorted.
  package func prefix(_ count: Int, in graph: Graph) -> ContiguousArray<ObjectKey> {
    let (table, run) = begin(graph)
    if hasModifiers {
      let found = run.select(condition, table, upTo: leadingLimit)
      return run.arrange(found.keys, of: table, modifiers + [.limit(count, offset: 0)])
    }
    return ContiguousArray(run.select(condition, table, upTo: count).prefix(count))
  }

  /// Whether a row satisfies the condition, regardless of the modifiers; false when the row does not exist.
  package func matches(_ key: ObjectKey, in graph: Graph) -> Bool {
    let (_, run) = begin(graph)
    return run.location(of: key, in: table).map { run.matches(condition.program, $0) } ?? false
  }

  /// The rows among `base` that satisfy the condition, arranged. Without modifiers they keep their order and
  /// repetitions.
  ///
  /// Linear in the number of rows of `base`. When there are many, they are tested as fast as in a scan.
  ///
  /// - Parameter base: rows of the table, for example those of a list, a set or backlinks.
  package func rows(in graph: Graph, among base: some Collection<ObjectKey>) -> QueryResult {
    let (table, run) = begin(graph)
    var kept: ContiguousArray<ObjectKey>
    if condition.program.isAlwaysTrue {
      kept = ContiguousArray(base.lazy.filter(table.contains))
    } else if base.count < 64 {
      kept = ContiguousArray(
        base.lazy.filter { key in
          run.location(of: key, in: self.table).map { run.matches(condition.program, $0) } ?? false
        })
    } else {
      let matching = run.select(condition.program, table, among: RowSelection(base))
      kept = ContiguousArray(base.lazy.filter(matching.contains))
    }
    if hasModifiers { kept = run.arrange(kept, of: table, modifiers) }
    return .ordered(kept)
  }

  /// The rows of a selection that satisfy the condition, without modifiers.
  package func selection(in graph: Graph, among base: RowSelection) -> RowSelection {
    let (table, run) = begin(graph)
    return run.select(condition.program, table, among: base)
  }

  /// The rows that satisfy the condition, without modifiers.
  package func selection(in graph: Graph) -> RowSelection {
    let (table, run) = begin(graph)
    return run.select(condition, table)
  }

  /// A description of the plan. The query is planned but not run.
  package func plan(in graph: Graph) -> String {
    let table = asked(graph)
    let plan = QueryPlanner(table: table, constraints: constraints).plan()
    return "\(table.schema.name), \(table.count) rows. Plan: \(plan.words(for: table)) Test: \(predicate)"
  }

  /// Runs the query and explains the execution.
  ///
  /// - Parameter wanted: how many of the first rows are needed, as in `prefix(_:in:)`; by default all of them.
  package func explanation(in graph: Graph, wanting wanted: Int = .max) -> QueryExplanation {
    let (table, run) = begin(graph)
    let plan = QueryPlanner(table: table, constraints: constraints).plan()
    let limit = hasModifiers ? leadingLimit : wanted
    var found = run.select(condition, table, upTo: limit).count
    // Rows beyond the limit count as found, though the run did not examine them.
    if found >= limit { found = begin(graph).run.select(condition, table).count }
    return QueryExplanation(
      table: table.schema.name, plan: plan.words(for: table), indexes: plan.indexes(of: table),
      rowsExamined: run.examined, rowsInTable: table.count,
      rowsFound: found, predicate: predicate.description)
  }
}
