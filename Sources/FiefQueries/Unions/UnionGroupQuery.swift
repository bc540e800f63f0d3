import FiefGraph

/// Rows of several tables grouped by common values. `GroupQuery` covers a single table.
package struct UnionGroupQuery: Sendable {
  private let parts: [Part]

  private struct Part: Sendable {
    let table: TableKey
    let keys: [BoundSortKey]
  }

  /// Binds the paths in each of the tables.
  ///
  /// - Parameters:
  ///   - keys: what the rows of a group have in common. An empty array puts all rows into one group.
  ///   - tables: the tables of the rows.
  ///   - graph: a version with the schema.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` as `GroupQuery` does, and when the values of a path have different kinds.
  package init(
    by keys: [PropertyPath], of tables: [TableKey], in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    var parts: [Part] = []
    for table in tables {
      guard let schema = graph[table]?.schema else {
        throw QueryError(.unknownProperty, "The table that is asked does not exist.")
      }
      var binder = Binder(graph, catalog, .row(schema, variable: nil))
      parts.append(Part(table: table, keys: try binder.groupKeys(keys)))
    }
    for (number, key) in keys.enumerated() where Set(parts.map { $0.keys[number].path.kind }).count > 1 {
      throw QueryError(.typeMismatch, "'\(key)' is of several kinds, by which rows cannot be grouped together.")
    }
    self.parts = parts
  }

  /// The groups of the rows of a query, in ascending order of their keys. Rows of other tables and rows that do not
  /// exist are left out.
  ///
  /// - Complexity: that of `GroupQuery.groups(in:among:)`.
  package func groups(in graph: Graph, among rows: some Collection<ObjectLink>) -> [UnionGroup] {
    let rows = ContiguousArray(
      rows.lazy.filter { row in parts.contains { $0.table == row.table } && graph.contains(row) })
    if rows.isEmpty { return [] }
    // The values are read table by table and stored at the indices of their rows.
    var read: [[(column: SortColumn, positions: [Int])]] = Array(repeating: [], count: parts[0].keys.count)
    let run = QueryRun(graph, memos: 0)
    for part in parts {
      let positions = rows.indices.filter { rows[$0].table == part.table }
      guard let table = graph[part.table], !positions.isEmpty else { continue }
      let keys = ContiguousArray(positions.map { rows[$0].key })
      for (position, key) in part.keys.enumerated() {
        read[position].append((run.column(key, keys, of: table), positions))
      }
    }
    let columns = read.map { SortColumn.scattered($0, count: rows.count) }
    return SortColumn.runs(of: columns, count: rows.count).map { positions in
      let members = ContiguousArray(positions.lazy.map { rows[$0] })
      return UnionGroup(key: values(of: members[0], graph, run), rows: members)
    }
  }

  private func values(of row: ObjectLink, _ graph: Graph, _ run: QueryRun) -> [Value] {
    guard let part = parts.first(where: { $0.table == row.table }), let table = graph[row.table] else { return [] }
    return part.keys.map { run.value(of: $0, row.key, in: table) ?? .null }
  }
}

/// Rows of several tables with equal keys.
package struct UnionGroup: Sendable {
  /// The common values, one for each path. If equal values differ in form, these are the values of the first row.
  package let key: [Value]
  /// The rows, in the order in which they were passed.
  package let rows: ContiguousArray<ObjectLink>
}
