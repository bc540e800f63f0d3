import FiefGraph
import FiefValues
import Synchronization

/// A condition and an arrangement, bound to a table: checked against the schema once, asked of any version with that
/// schema.
///
///     let query = try Query(ParsedQuery("age > 2 SORT(name ASC)"), of: dogs, in: graph)
///     query.count(in: graph)                  // counts without collecting
///     query.rows(in: graph)                   // a QueryResult: keys, in order
///     query.rows(in: graph, among: list)      // of a list, a set or backlinks, keeping their order
///     print(query.explanation(in: graph))
///
/// A query is a value that holds no version; live, frozen and unfinished states are all graphs, and it is asked of any
/// of them, from any thread. A graph in which a table that it uses has another schema does not `fit`, and traps.
public struct Query: Sendable {
  /// The table whose rows are asked.
  public var table: TableKey { bound.table }
  /// The condition as it was given.
  public var predicate: QueryPredicate { bound.predicate }
  /// The condition as rows and indexes are asked for it.
  var condition: CompiledCondition { bound.condition }
  var constraints: Constraints { condition.constraints }
  var arrangements: [BoundArrangement] { bound.arrangements }

  /// All of it behind one reference, so that handing a query on counts one.
  private let bound: Bound

  private final class Bound: Sendable {
    let table: TableKey
    let predicate: QueryPredicate
    let arrangements: [BoundArrangement]
    let memos: Int
    /// The facts about the table, and those about others that are used.
    let schema: TableSchema
    let others: [TableSchema]
    let equality: SimpleEquality?
    private let made = AtomicLazyReference<CompiledCondition>()

    init(_ schema: TableSchema, _ predicate: QueryPredicate, _ equality: SimpleEquality) {
      table = schema.key
      self.schema = schema
      self.predicate = predicate
      self.equality = equality
      arrangements = []
      memos = 0
      others = []
    }

    init(
      _ schema: TableSchema, _ predicate: QueryPredicate, _ condition: CompiledCondition,
      _ arrangements: [BoundArrangement],
      _ binder: Binder
    ) {
      table = schema.key
      self.schema = schema
      self.predicate = predicate
      self.arrangements = arrangements
      memos = binder.memos
      others = binder.tables.filter { $0 !== schema }
      equality = nil
      _ = made.storeIfNil(condition)
    }

    var condition: CompiledCondition {
      if let condition = made.load() { return condition }
      guard let equality else { fatalError("A query has neither a condition nor an equality to make it of.") }
      return made.storeIfNil(CompiledCondition(Program(equality.test), equality.constraints))
    }
  }

  /// Binds a condition, and what is done to the rows that satisfy it.
  ///
  /// - Parameters:
  ///   - query: the condition and the arrangement.
  ///   - table: the table whose rows are asked.
  ///   - graph: a version with the schema; its rows are not looked at.
  ///   - catalog: what names mean.
  /// - Throws: `QueryError` for what does not fit the schema, with the position if the query was parsed.
  public init(
    _ query: ParsedQuery, of table: TableKey, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    guard let schema = graph[table]?.schema else {
      throw QueryError(.unknownProperty, "The table that is asked does not exist.")
    }
    if query.arrangements.isEmpty, let equality = SimpleEquality(query.predicate, schema, catalog) {
      bound = Bound(schema, query.predicate, equality)
      return
    }
    var binder = Binder(graph, catalog, .row(schema, variable: nil))
    let (program, constraints) = try binder.bind(query.predicate)
    let arrangements = query.arrangements.isEmpty ? [] : try binder.bind(query.arrangements)
    bound = Bound(schema, query.predicate, CompiledCondition(program, constraints), arrangements, binder)
  }

  /// Binds a condition alone.
  public init(
    _ predicate: QueryPredicate, of table: TableKey, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    try self.init(ParsedQuery(predicate), of: table, in: graph, catalog: catalog)
  }

  /// Whether the tables that it uses have the schema that it was bound to.
  public func fits(_ graph: Graph) -> Bool {
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

  /// How many rows the first limit can want, when nothing comes before it.
  var leadingLimit: Int {
    guard case .limit(let count, let offset)? = arrangements.first else { return .max }
    let (sum, isOver) = count.addingReportingOverflow(offset)
    return isOver ? .max : sum
  }

  /// Whether there is an order, or rows are left out, beyond the condition.
  private var needsArranging: Bool { !arrangements.isEmpty }

  // MARK: Asking

  /// The rows that satisfy the condition, arranged.
  public func rows(in graph: Graph) -> QueryResult {
    let (table, run) = begin(graph)
    let found = run.select(condition, table, upTo: leadingLimit)
    return needsArranging
      ? .ordered(run.arrange(found.keys, of: table, arrangements)) : .selection(found)
  }

  /// How many rows there are. Sorting is left out; a count of a condition alone collects nothing.
  public func count(in graph: Graph) -> Int {
    if let count = bound.equality?.count(by: asked(graph)) { return count }
    let (table, run) = begin(graph)
    if arrangements.contains(where: { if case .sort = $0 { false } else { true } }) { return rows(in: graph).count }
    return run.count(condition, table)
  }

  /// How many rows there are, if that takes much less than finding them: by an index that counts, of ranges of
  /// integers, of whole tables. For those who will ask for the rows next, as likely as not, and would pay twice
  /// otherwise.
  public func countIfCheap(in graph: Graph) -> Int? {
    if let count = bound.equality?.count(by: asked(graph)) { return count }
    if arrangements.contains(where: { if case .sort = $0 { false } else { true } }) { return nil }
    let (table, run) = begin(graph)
    if condition.program.isAlwaysTrue { return table.count }
    return run.cheapCount(condition, table, Planner(table: table, constraints: constraints, isCounting: true).plan())
  }

  /// Whether there is no row; ends at the first.
  public func isEmpty(in graph: Graph) -> Bool {
    if arrangements.contains(where: { if case .sort = $0 { false } else { true } }) { return rows(in: graph).isEmpty }
    let (table, run) = begin(graph)
    return run.first(condition, table) == nil
  }

  /// The first row, or nil. Ends at the first that satisfies the condition, unless there is an order.
  public func first(in graph: Graph) -> ObjectKey? {
    if needsArranging { return beginning(1, in: graph).first }
    let (table, run) = begin(graph)
    return run.first(condition, table)
  }

  /// The first rows, no more than `count`, which is not negative. Ends when there are as many, unless there is an
  /// order; of an order that comes last the others are not sorted.
  public func beginning(_ count: Int, in graph: Graph) -> ContiguousArray<ObjectKey> {
    let (table, run) = begin(graph)
    if needsArranging {
      let found = run.select(condition, table, upTo: leadingLimit)
      return run.arrange(found.keys, of: table, arrangements + [.limit(count, offset: 0)])
    }
    return ContiguousArray(run.select(condition, table, upTo: count).prefix(count))
  }

  /// Whether a row satisfies the condition; false, too, when there is no such row. The arrangement has no part in it.
  public func matches(_ key: ObjectKey, in graph: Graph) -> Bool {
    let (_, run) = begin(graph)
    return run.place(of: key, in: table).map { run.matches(condition.program, $0) } ?? false
  }

  /// The rows among these that satisfy the condition, arranged; in their order, and as often as they are there.
  ///
  /// Linear in the rows given, some of it at the speed of a scan when they are many.
  ///
  /// - Parameter base: rows of the table, as a list, a set or backlinks give them.
  public func rows(in graph: Graph, among base: some Collection<ObjectKey>) -> QueryResult {
    let (table, run) = begin(graph)
    var kept: ContiguousArray<ObjectKey>
    if condition.program.isAlwaysTrue {
      kept = ContiguousArray(base.lazy.filter(table.contains))
    } else if base.count < 64 {
      kept = ContiguousArray(
        base.lazy.filter { key in run.place(of: key, in: self.table).map { run.matches(condition.program, $0) } ?? false
        })
    } else {
      let matching = run.select(condition.program, table, among: RowSelection(base))
      kept = ContiguousArray(base.lazy.filter(matching.contains))
    }
    if needsArranging { kept = run.arrange(kept, of: table, arrangements) }
    return .ordered(kept)
  }

  /// The rows of a selection that satisfy the condition; nothing is arranged.
  public func selection(in graph: Graph, among base: RowSelection) -> RowSelection {
    let (table, run) = begin(graph)
    return run.select(condition.program, table, among: base)
  }

  /// The rows that satisfy the condition; nothing is arranged.
  public func selection(in graph: Graph) -> RowSelection {
    let (table, run) = begin(graph)
    return run.select(condition, table)
  }

  /// How the query is to be answered, as text; it is planned for that, and not answered.
  public func plan(in graph: Graph) -> String {
    let table = asked(graph)
    let plan = Planner(table: table, constraints: constraints).plan()
    return "\(table.schema.name), \(table.count) rows. Plan: \(plan.words(for: table)) Test: \(predicate)"
  }

  /// Answers the query and says how.
  ///
  /// - Parameter wanted: how many of the first rows are asked for, as `beginning(_:in:)` is; all of them when nothing
  ///   is said.
  public func explanation(in graph: Graph, wanting wanted: Int = .max) -> QueryExplanation {
    let (table, run) = begin(graph)
    let plan = Planner(table: table, constraints: constraints).plan()
    let limit = needsArranging ? leadingLimit : wanted
    var found = run.select(condition, table, upTo: limit).count
    // What a limit leaves unlooked at counts as found, but was not examined.
    if found >= limit { found = begin(graph).run.select(condition, table).count }
    return QueryExplanation(
      table: table.schema.name, plan: plan.words(for: table), indexes: plan.indexes(of: table),
      rowsExamined: run.examined, rowsInTable: table.count,
      rowsFound: found, predicate: predicate.description)
  }
}
