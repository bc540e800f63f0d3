import FiefGraph
import FiefValues

/// Rows grouped by common values, with aggregates of each group.
///
///     let byCity = try GroupQuery(
///       by: [PropertyPath("city")], totals: [.init(.average, PropertyPath("age"))], of: persons, in: graph)
///     for group in byCity.groups(in: graph, among: query.rows(in: graph)) {
///       print(group.key[0], group.count, group.totals[0])
///     }
///
/// Groups are in ascending order of their keys, nulls first. A value behind a null link is null. Like `CompiledQuery`,
/// a group query is a value that is bound once and runs on any version with the schema.
package struct GroupQuery: Sendable {
  /// An aggregate that is computed for each group.
  package struct Total: Hashable, Sendable {
    /// The aggregate to compute.
    package var operation: AggregateQuery.Operation
    /// The property to aggregate.
    package var property: PropertyPath

    /// A total of a property.
    package init(_ operation: AggregateQuery.Operation, _ property: PropertyPath) {
      self.operation = operation
      self.property = property
    }
  }

  private let table: TableKey
  private let keys: [BoundSortKey]
  private let totals: [AggregateQuery]

  /// Binds the paths.
  ///
  /// - Parameters:
  ///   - keys: what the rows of a group have in common: single values, possibly over links, or aggregates of
  ///     collections. An empty array puts all rows into one group.
  ///   - totals: what to compute for each group.
  ///   - table: the table of the rows.
  ///   - graph: a version with the schema.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a path that does not exist, leads to several values, or does not support its total.
  package init(
    by keys: [PropertyPath], totals: [Total] = [], of table: TableKey, in graph: Graph,
    catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    guard let schema = graph[table]?.schema else {
      throw QueryError(.unknownProperty, "The table that is asked does not exist.")
    }
    var binder = Binder(graph, catalog, .row(schema, variable: nil))
    let bound = try binder.groupKeys(keys)
    var aggregates: [AggregateQuery] = []
    for total in totals {
      aggregates.append(try AggregateQuery(total.operation, total.property, of: table, in: graph, catalog: catalog))
    }
    self.table = table
    self.keys = bound
    self.totals = aggregates
  }

  /// The groups of all rows.
  ///
  /// - Complexity: O(rows), or O(rows · log rows) for keys that are not numbers, dates or strings.
  package func groups(in graph: Graph) -> [RowGroup] {
    graph[table].map { groups(in: graph, among: RowSelection(all: $0)) } ?? []
  }

  /// The groups of the rows of a query, a list or a set. Rows that do not exist are left out.
  package func groups(in graph: Graph, among rows: some Collection<ObjectKey>) -> [RowGroup] {
    guard let table = graph[table] else { return [] }
    let rows = ContiguousArray(rows.lazy.filter(table.contains))
    if rows.isEmpty { return [] }
    let run = QueryRun(graph, memos: 0)
    let columns = keys.map { run.column($0, rows, of: table) }
    return SortColumn.runs(of: columns, count: rows.count).map { positions in
      let members = ContiguousArray(positions.lazy.map { rows[$0] })
      return RowGroup(
        key: keys.map { run.value(of: $0, members[0], in: table) ?? .null }, rows: members,
        totals: totals.map { $0.value(in: graph, among: members) })
    }
  }
}

extension Binder {
  /// Binds the keys of groups. Strings are grouped by their bytes.
  mutating func groupKeys(_ keys: [PropertyPath]) throws(QueryError) -> [BoundSortKey] {
    var bound: [BoundSortKey] = []
    for key in keys {
      bound.append(
        BoundSortKey(
          name: key, path: try single(key, "grouped"), ascending: true, collation: .bytes, setsNullLinksApart: false))
    }
    return bound
  }
}

extension SortColumn {
  /// The indices 0..<count sorted by some columns and split where a value changes. Within a run they keep their order.
  static func runs(of columns: [SortColumn], count: Int) -> [ArraySlice<Int>] {
    var order = Array(0..<count)
    for column in columns.reversed() { column.sort(&order, ascending: true) }
    var runs: [ArraySlice<Int>] = []
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, columns.allSatisfy({ $0.compare(order[start], order[end]) == 0 }) { end += 1 }
      runs.append(order[start..<end])
      start = end
    }
    return runs
  }
}
