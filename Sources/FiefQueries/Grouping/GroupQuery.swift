import FiefGraph
import FiefValues

/// Rows with equal keys: of one table by their keys, of several as links.
package struct RowGroup<Row: Sendable>: Sendable {
  /// The common values, one for each path. If equal values differ in form, as `0.0` and `-0.0` do, these are the values
  /// of the first row.
  package let key: [Value]
  /// The rows, in the order in which they were passed.
  package let rows: ContiguousArray<Row>
}

/// Rows of one table or of several, grouped by common values.
///
///     let byCity = try GroupQuery(by: [PropertyPath("city")], of: [persons], in: graph)
///     for group in byCity.groups(in: graph, among: query.rows(in: graph)) {
///       print(group.key[0], group.rows.count)
///     }
///
/// Groups are in ascending order of their keys, nulls first. A value behind a null link is null. Like `CompiledQuery`,
/// a group query is a value that is bound once and runs on any version with the schema.
package struct GroupQuery: Sendable {
  /// The tables, each once, and the keys in each; never empty.
  private let parts: [(table: TableKey, keys: [BoundSortKey])]

  /// Binds the paths in each of some tables.
  ///
  /// - Parameters:
  ///   - keys: what the rows of a group have in common: single values, possibly over links, or aggregates of
  ///     collections. An empty array puts all rows into one group.
  ///   - tables: the tables of the rows.
  ///   - graph: a version with the schema.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a path that does not exist, leads to several values, or has values of other kinds in
  ///   another table.
  package init(
    by keys: [PropertyPath], of tables: [TableKey], in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    var parts: [(table: TableKey, keys: [BoundSortKey])] = []
    assert(Set(tables).count == tables.count, "Each table is named once.")
    for table in tables {
      var binder = Binder(graph, catalog: catalog, scope: .row(try graph.schema(of: table), variable: nil))
      parts.append((table, try binder.groupKeys(keys)))
    }
    for (number, key) in keys.enumerated() where Set(parts.map { $0.keys[number].path.kind }).count > 1 {
      throw QueryError(.typeMismatch, "'\(key)' is of several kinds, by which rows cannot be grouped together.")
    }
    if parts.isEmpty { throw QueryError(.unsupported, "Rows of no table are grouped.") }
    self.parts = parts
  }

  /// The groups of rows of the table, such as those of a query or a list. Rows that do not exist are left out. Traps
  /// for several tables.
  ///
  /// - Complexity: O(rows), or O(rows · log rows) for keys that are not numbers, dates or strings.
  package func groups(in graph: Graph, among rows: some Sequence<ObjectKey>) -> [RowGroup<ObjectKey>] {
    precondition(parts.count == 1, "Rows of several tables were given by their keys.")
    return groups(of: RowList(ContiguousArray(rows)), graph) { $0.key }
  }

  /// The groups of rows of the tables. Rows of other tables and rows that do not exist are left out.
  ///
  /// - Complexity: as for the rows of one table.
  package func groups(in graph: Graph, among rows: some Sequence<ObjectLink>) -> [RowGroup<ObjectLink>] {
    groups(of: RowList(rows, of: parts.map(\.table)), graph) { $0 }
  }

  private func groups<Row>(of rows: RowList, _ graph: Graph, _ row: (ObjectLink) -> Row) -> [RowGroup<Row>] {
    let run = QueryRun(graph, memos: 0)
    let tables = parts.compactMap { graph[$0.table] }
    guard tables.count == parts.count else { return [] }
    let rows = rows.filtered { tables[rows.table(at: $0)].contains(rows.keys[$0]) }
    if rows.keys.isEmpty { return [] }
    let columns = parts[0].keys.indices.map { number in
      run.column(zip(parts, tables).map { ($0.keys[number], $1) }, rows)
    }
    return SortColumn.runs(of: columns, count: rows.keys.count).map { positions in
      let first = positions[positions.startIndex]
      let (keys, table) = (parts[rows.table(at: first)].keys, tables[rows.table(at: first)])
      return RowGroup(
        key: keys.map { run.value(of: $0, rows.keys[first], in: table) ?? .null },
        rows: ContiguousArray(positions.map { row(ObjectLink(parts[rows.table(at: $0)].table, rows.keys[$0])) }))
    }
  }
}

extension Binder {
  /// Binds the keys of groups. Strings are grouped by their bytes.
  fileprivate mutating func groupKeys(_ keys: [PropertyPath]) throws(QueryError) -> [BoundSortKey] {
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
  fileprivate static func runs(of columns: [SortColumn], count: Int) -> [ArraySlice<Int>] {
    var order = Array(0..<count)
    assert(count > 0, "Rows are grouped.")
    for column in columns.reversed() { column.sort(&order, ascending: true) }
    var runs: [ArraySlice<Int>] = []
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, columns.allSatisfy({ $0.compare(order[start], order[end]) == 0 }) { end += 1 }
      runs.append(order[start..<end])
      start = end
    }
    assert(runs.reduce(0) { $0 + $1.count } == count, "Each row is in one group.")
    return runs
  }
}
