import FiefGraph

/// A condition and its modifiers, bound to one table or to several. It is checked against the schema once and runs on
/// any version with that schema.
///
///     let query = try CompiledQuery(ParsedQuery("age > 2 SORT(name ASC)"), of: dogs, in: graph)
///     query.count(in: graph)                  // counts without collecting
///     query.rows(in: graph)                   // keys, in order
///     query.rows(in: graph, among: list)      // of a list, a set or backlinks, keeping their order
///     print(query.explanations(in: graph)[0])
///
/// A query is a value that does not refer to a version. Live versions, frozen versions and open transactions are all
/// graphs, and a query runs on any of them, from any thread. If a table that it uses has another schema in a graph, the
/// query does not `fit` the graph, and running it traps.
package struct CompiledQuery: Sendable {
  /// The tables whose rows are queried, each once; never empty. Without a sort, rows are in this order.
  package var tables: [TableKey] { [head.table] + rest.map(\.table) }
  /// The condition as it was passed.
  package var predicate: QueryPredicate { head.predicate }
  /// The query of the first table, and those of the others, all of one condition and the same modifiers.
  private let head: TableQuery
  private let rest: [TableQuery]

  /// Binds a condition and the modifiers of its result to one table.
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
    head = try TableQuery(query, of: table, in: graph, catalog: catalog)
    rest = []
  }

  /// Binds a condition and the modifiers of its result to several tables, such as those of a class and its subclasses.
  ///
  ///     let all = try CompiledQuery(ParsedQuery("age > 2 SORT(name ASC)"), of: [animals, dogs, cats], in: graph)
  ///     for row in all.links(in: graph) { … }        // rows of any of the tables
  ///
  /// Each table has a plan of its own. Sorts, distincts and limits apply to the rows of all tables together. The names
  /// must exist in every table, and each sort key must have the same kind in all of them.
  ///
  /// - Parameters:
  ///   - query: the condition and the modifiers.
  ///   - tables: the tables whose rows are queried.
  ///   - graph: a version with the schema. Its rows are not read.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a query that does not fit the schema of each table, or sorts by values of different
  ///   kinds, and for no table, or one that is named twice.
  package init(
    _ query: ParsedQuery, of tables: [TableKey], in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    var parts: [TableQuery] = []
    for table in tables {
      guard !parts.contains(where: { $0.table == table }) else {
        throw QueryError(.unsupported, "A query over several tables names one of them twice.")
      }
      parts.append(try TableQuery(query, of: table, in: graph, catalog: catalog))
    }
    try self.init(parts)
  }

  /// Binds a condition without modifiers.
  package init(
    _ predicate: QueryPredicate, of table: TableKey, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    try self.init(ParsedQuery(predicate), of: table, in: graph, catalog: catalog)
  }

  private init(_ parts: [TableQuery]) throws(QueryError) {
    guard let first = parts.first else { throw QueryError(.unsupported, "A query names no table.") }
    assert(parts.allSatisfy { $0.modifiers.count == first.modifiers.count }, "The tables have the same modifiers.")
    for (modifier, bound) in first.modifiers.enumerated() {
      guard case .sort(let keys) = bound else { continue }
      for (index, key) in keys.enumerated() {
        guard parts.allSatisfy({ $0.modifiers[modifier].sortKeys[index].path.kind == key.path.kind }) else {
          throw QueryError(.typeMismatch, "'\(key.name)' is of several kinds, by which rows cannot be sorted together.")
        }
      }
    }
    head = first
    rest = Array(parts.dropFirst())
  }

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
  /// - Throws: `QueryError` for additions that do not fit the schema of each table.
  /// - Complexity: that of binding the additions, and linear in the number of comparisons when a condition is added.
  package func adding(
    _ more: ParsedQuery, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) -> CompiledQuery {
    var parts: [TableQuery] = []
    for part in self.parts { parts.append(try part.adding(more, in: graph, catalog: catalog)) }
    assert(parts.map(\.table) == tables, "The query stays one of the same tables.")
    return try CompiledQuery(parts)
  }

  /// The queries of all tables.
  private var parts: [TableQuery] { [head] + rest }

  /// The query of the table. Traps for a query of several tables, whose rows are no keys alone.
  private var only: TableQuery {
    precondition(rest.isEmpty, "Rows of several tables were asked for by their keys.")
    return head
  }

  /// The table whose rows are queried. Traps for a query of several.
  package var table: TableKey { only.table }

  /// Whether the tables of the query have the schemas to which it was bound.
  package func fits(_ graph: Graph) -> Bool { head.fits(graph) && rest.allSatisfy { $0.fits(graph) } }

  /// Whether the query sorts, deduplicates or limits its rows.
  package var arranges: Bool { !head.modifiers.isEmpty }

  package var sorts: Bool { head.modifiers.contains { if case .sort = $0 { true } else { false } } }

  private var leavesOut: Bool { head.modifiers.contains { if case .sort = $0 { false } else { true } } }

  /// Whether the cells of a row alone decide whether it belongs to the result. The result then changes only at rows
  /// that were changed. False for several tables.
  package var testsRowsAlone: Bool {
    !arranges && rest.isEmpty && head.condition.program.tests.allSatisfy(\.readsRowAlone)
  }

  /// Whether the cells of the rows of its tables alone decide about the result and its order. As long as nothing
  /// changes in these tables, the result stays the same.
  package var readsRowsAlone: Bool {
    parts.allSatisfy { part in
      part.condition.program.tests.allSatisfy(\.readsRowAlone) && part.modifiers.allSatisfy(\.readsRowsAlone)
    }
  }

  // MARK: Rows of one table

  /// The rows that satisfy the condition, arranged.
  package func rows(in graph: Graph) -> ContiguousArray<ObjectKey> {
    arranged(RowList(only.selection(in: graph).keys), graph).keys
  }

  /// The first row, or nil. Without a sort, the search ends at the first row that satisfies the condition.
  package func first(in graph: Graph) -> ObjectKey? {
    arranges ? prefix(1, in: graph).first : only.first(in: graph)
  }

  /// At most `count` of the first rows, where `count` is not negative. Without a sort, the search ends when it has
  /// found them. With a sort as the last modifier, the other rows are not sorted.
  package func prefix(_ count: Int, in graph: Graph) -> ContiguousArray<ObjectKey> {
    assert(count >= 0, "A prefix has a number of rows.")
    if arranges { return arranged(RowList(only.selection(in: graph).keys), graph, wanted: count).keys }
    return ContiguousArray(only.selection(in: graph, upTo: count).prefix(count))
  }

  /// Whether a row satisfies the condition, regardless of the modifiers; false when the row does not exist.
  package func matches(_ key: ObjectKey, in graph: Graph) -> Bool { only.test(in: graph)(key) }

  /// The rows among `base` that satisfy the condition, arranged. Without modifiers they keep their order and
  /// repetitions.
  ///
  /// Linear in the number of rows of `base`. When there are many, they are tested as fast as in a scan.
  ///
  /// - Parameter base: rows of the table, for example those of a list, a set or backlinks.
  package func rows(in graph: Graph, among base: some Collection<ObjectKey>) -> ContiguousArray<ObjectKey> {
    let (table, run) = only.begin(graph)
    var kept: ContiguousArray<ObjectKey>
    if head.condition.program.isAlwaysTrue {
      kept = ContiguousArray(base.lazy.filter(table.contains))
    } else if base.count < 64 {
      kept = ContiguousArray(base.lazy.filter(only.test(in: graph)))
    } else {
      let matching = run.select(head.condition.program, in: table, among: RowSelection(base))
      kept = ContiguousArray(base.lazy.filter(matching.contains))
    }
    assert(kept.count <= base.count, "Only rows of the base are kept.")
    return arranged(RowList(kept), graph).keys
  }

  /// The rows of a selection that satisfy the condition, without modifiers.
  package func selection(in graph: Graph, among base: RowSelection) -> RowSelection {
    let (table, run) = only.begin(graph)
    return run.select(head.condition.program, in: table, among: base)
  }

  /// The rows that satisfy the condition, without modifiers.
  package func selection(in graph: Graph) -> RowSelection { only.selection(in: graph, upTo: .max) }

  // MARK: Rows of any tables

  /// The number of rows. Rows are not sorted, and a condition without modifiers is counted without collecting rows.
  package func count(in graph: Graph) -> Int {
    if leavesOut { return list(in: graph).keys.count }
    return rest.reduce(head.count(in: graph)) { $0 + $1.count(in: graph) }
  }

  /// The number of rows, if it takes much less time than finding them; otherwise nil. It is cheap for indexes that
  /// count, for ranges of integers and for whole tables. Callers that probably need the rows next use this, so that
  /// they do not evaluate the query twice.
  package func countIfCheap(in graph: Graph) -> Int? {
    if leavesOut { return nil }
    guard var count = head.countIfCheap(in: graph) else { return nil }
    for part in rest {
      guard let more = part.countIfCheap(in: graph) else { return nil }
      count += more
    }
    return count
  }

  /// Whether there are no rows. The search ends at the first row.
  package func isEmpty(in graph: Graph) -> Bool {
    if leavesOut { return list(in: graph).keys.isEmpty }
    return head.first(in: graph) == nil && rest.allSatisfy { $0.first(in: graph) == nil }
  }

  /// The rows that satisfy the condition, arranged. Without modifiers they are in the order of the tables, and then by
  /// key.
  package func links(in graph: Graph) -> ContiguousArray<ObjectLink> { links(of: list(in: graph)) }

  /// At most `count` of the first rows, where `count` is not negative. Without modifiers, the search ends when it has
  /// found them.
  package func links(in graph: Graph, first count: Int) -> ContiguousArray<ObjectLink> {
    assert(count >= 0, "A prefix has a number of rows.")
    if arranges { return links(of: list(in: graph, wanted: count)) }
    var found: ContiguousArray<ObjectLink> = []
    for part in parts where found.count < count {
      let rows = part.selection(in: graph, upTo: count - found.count).prefix(count - found.count)
      found += rows.lazy.map { ObjectLink(part.table, $0) }
    }
    assert(found.count <= count, "A prefix has no more rows than are wanted.")
    return found
  }

  /// The rows among `base` that satisfy the condition, arranged. Without modifiers they keep their order and
  /// repetitions.
  ///
  /// - Parameter base: rows of the tables. Rows of other tables are left out.
  package func links(in graph: Graph, among base: some Sequence<ObjectLink>) -> ContiguousArray<ObjectLink> {
    let tests = parts.map { $0.test(in: graph) }
    let rows = RowList(base, of: tables)
    return links(of: arranged(rows.filtered { tests[rows.table(at: $0)](rows.keys[$0]) }, graph))
  }

  /// A description of the plans. The query is planned but not run.
  package func plan(in graph: Graph) -> String { parts.map { $0.plan(in: graph) }.joined(separator: " ") }

  /// Runs the query and explains the execution, for each table.
  ///
  /// - Parameter wanted: how many of the first rows are needed, as in `prefix(_:in:)`; by default all of them.
  package func explanations(in graph: Graph, wanting wanted: Int = .max) -> [QueryExplanation] {
    parts.map { $0.explanation(in: graph, wanting: wanted) }
  }

  private func links(of rows: RowList) -> ContiguousArray<ObjectLink> {
    let tables = tables
    assert(rows.keys.indices.allSatisfy { rows.table(at: $0) < tables.count }, "Rows are those of the tables.")
    return ContiguousArray(rows.keys.indices.lazy.map { ObjectLink(tables[rows.table(at: $0)], rows.keys[$0]) })
  }

  /// The rows that satisfy the condition, arranged.
  private func list(in graph: Graph, wanted: Int = .max) -> RowList {
    arranged(RowList(parts.map { $0.selection(in: graph) }), graph, wanted: wanted)
  }

  /// Applies the modifiers to rows, in their order.
  private func arranged(_ rows: RowList, _ graph: Graph, wanted: Int = .max) -> RowList {
    if !arranges { return rows }
    let (table, run) = head.begin(graph)
    return run.arrange(
      rows, of: [(head.modifiers, table)] + rest.map { ($0.modifiers, $0.begin(graph).table) }, wanted: wanted)
  }
}
