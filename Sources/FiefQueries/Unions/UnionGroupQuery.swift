import FiefGraph

/// Rows of several tables parted by what they have in common; as `GroupQuery` does those of one.
public struct UnionGroupQuery: Sendable {
  private let parts: [Part]

  private struct Part: Sendable {
    let table: TableKey
    let keys: [BoundSortKey]
  }

  /// Binds the paths in each of the tables.
  ///
  /// - Parameters:
  ///   - keys: what rows of one group have in common; none puts all rows into one group.
  ///   - tables: the tables of the rows.
  ///   - graph: a version with the schema.
  ///   - catalog: what names mean.
  /// - Throws: `QueryError` as `GroupQuery` does, or when a path leads to several kinds.
  public init(
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
    for (place, key) in keys.enumerated() where Set(parts.map { $0.keys[place].path.kind }).count > 1 {
      throw QueryError(.typeMismatch, "'\(key)' is of several kinds, by which rows cannot be grouped together.")
    }
    self.parts = parts
  }

  /// The groups of rows as a query gives them, in their order. Rows that are not there, and those of other tables, drop
  /// out.
  ///
  /// - Complexity: as that of `GroupQuery.groups(in:among:)`.
  public func groups(in graph: Graph, among rows: some Collection<ObjectLink>) -> [UnionGroup] {
    let rows = ContiguousArray(
      rows.lazy.filter { row in parts.contains { $0.table == row.table } && graph.contains(row) })
    if rows.isEmpty { return [] }
    // The rows of each table are read by themselves, and what is read is put where they stand.
    var read: [[(column: SortColumn, places: [Int])]] = Array(repeating: [], count: parts[0].keys.count)
    let run = QueryRun(graph, memos: 0)
    for part in parts {
      let places = rows.indices.filter { rows[$0].table == part.table }
      guard let table = graph[part.table], !places.isEmpty else { continue }
      let keys = ContiguousArray(places.map { rows[$0].key })
      for (place, key) in part.keys.enumerated() { read[place].append((run.column(key, keys, of: table), places)) }
    }
    let columns = read.map { SortColumn.scattered($0, count: rows.count) }
    return SortColumn.runs(of: columns, count: rows.count).map { places in
      let members = ContiguousArray(places.lazy.map { rows[$0] })
      return UnionGroup(key: values(of: members[0], graph, run), rows: members)
    }
  }

  private func values(of row: ObjectLink, _ graph: Graph, _ run: QueryRun) -> [Value] {
    guard let part = parts.first(where: { $0.table == row.table }), let table = graph[row.table] else { return [] }
    return part.keys.map { run.value(of: $0, row.key, in: table) }
  }
}

/// Rows of several tables that have equal values of what they are grouped by.
public struct UnionGroup: Sendable {
  /// The values that they share, one for each path; of equal ones that differ in form those of the first row.
  public let key: [Value]
  /// The rows, in the order in which they were given.
  public let rows: ContiguousArray<ObjectLink>
}
