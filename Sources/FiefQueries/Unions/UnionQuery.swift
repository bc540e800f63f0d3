import FiefGraph
import FiefValues

/// One condition with its modifiers for several tables, such as those of a class and its subclasses.
///
///     let all = try UnionQuery(ParsedQuery("age > 2 SORT(name ASC)"), of: [animals, dogs, cats], in: graph)
///     for row in all.rows(in: graph) { … }        // ObjectLinks: rows of any of the tables
///
/// Each table has a query of its own with a plan of its own. Sorts, distincts and limits apply to the rows of all
/// tables together. The names must exist in every table, and each sort key must have the same kind in all of them.
package struct UnionQuery: Sendable {
  /// The tables. Without a sort, their rows are in this order.
  package var tables: [TableKey] { queries.map(\.table) }
  private let queries: [CompiledQuery]

  /// Binds a condition and the modifiers of its result.
  ///
  /// - Parameters:
  ///   - query: the condition and the modifiers.
  ///   - tables: the tables whose rows are queried, each once.
  ///   - graph: a version with the schema.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a query that does not fit the schema of each table, or sorts by values of different
  ///   kinds.
  package init(
    _ query: ParsedQuery, of tables: [TableKey], in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    var queries: [CompiledQuery] = []
    for table in tables {
      guard !queries.contains(where: { $0.table == table }) else {
        throw QueryError(.unsupported, "A query over several tables names one of them twice.")
      }
      queries.append(try CompiledQuery(query, of: table, in: graph, catalog: catalog))
    }
    try Self.checkSorts(of: queries, from: 0)
    self.queries = queries
  }

  private init(_ queries: [CompiledQuery]) { self.queries = queries }

  /// The query with a further condition, joined by AND, and further modifiers, which follow its own. Only these are
  /// bound here, in each table.
  ///
  /// - Parameters:
  ///   - more: the condition and the modifiers. The condition tests all rows, regardless of limits.
  ///   - graph: a version that the query fits.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for additions that do not fit the schema of each table, or that sort by values of different
  ///   kinds.
  package func adding(
    _ more: ParsedQuery, in graph: Graph, catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) -> UnionQuery {
    var extended: [CompiledQuery] = []
    for query in queries { extended.append(try query.adding(more, in: graph, catalog: catalog)) }
    try Self.checkSorts(of: extended, from: queries.first?.modifiers.count ?? 0)
    return UnionQuery(extended)
  }

  /// Throws when a sort key has several kinds of values in the tables.
  ///
  /// - Parameter first: the first modifier to check.
  private static func checkSorts(of queries: [CompiledQuery], from first: Int) throws(QueryError) {
    guard let modifiers = queries.first?.modifiers else { return }
    for modifier in first..<modifiers.count {
      guard case .sort(let keys) = modifiers[modifier] else { continue }
      for index in keys.indices {
        let kinds = Set(queries.map { $0.sortKind(modifier, index) })
        guard kinds.count < 2 else {
          throw QueryError(
            .typeMismatch, "'\(keys[index].name)' is of several kinds, by which rows cannot be sorted together.")
        }
      }
    }
  }

  /// Whether the tables of the query have the schemas to which it was bound.
  package func fits(_ graph: Graph) -> Bool { queries.allSatisfy { $0.fits(graph) } }

  /// The rows that satisfy the condition, arranged.
  package func rows(in graph: Graph) -> UnionResult {
    guard let first = queries.first else { return .selections([]) }
    // If a limit is the first modifier, it bounds the query of each table.
    let parts = queries.map { UnionResult.TableRows(table: $0.table, rows: $0.selectionForUnion(in: graph)) }
    if first.modifiers.isEmpty { return .selections(parts) }
    return .ordered(arranged(ContiguousArray(UnionResult.selections(parts)), graph))
  }

  /// The rows among `base` that satisfy the condition, arranged. Without modifiers they keep their order and
  /// repetitions.
  ///
  /// - Parameter base: rows of the tables. Rows of other tables are left out.
  package func rows(in graph: Graph, among base: some Sequence<ObjectLink>) -> UnionResult {
    .ordered(arranged(ContiguousArray(base.lazy.filter { matches($0, in: graph) }), graph))
  }

  private func arranged(_ rows: ContiguousArray<ObjectLink>, _ graph: Graph) -> ContiguousArray<ObjectLink> {
    var rows = rows
    guard let first = queries.first else { return rows }
    for modifier in first.modifiers.indices {
      switch first.modifiers[modifier] {
      case .limit(let count, let offset): rows = ContiguousArray(rows.dropFirst(offset).prefix(count))
      case .distinct: rows = distinct(rows, modifier, graph)
      case .sort(let keys): rows = sorted(rows, modifier, keys, graph)
      }
    }
    return rows
  }

  /// The number of rows. A condition without modifiers is counted without collecting rows.
  package func count(in graph: Graph) -> Int {
    hasLimits ? rows(in: graph).count : queries.reduce(0) { $0 + $1.count(in: graph) }
  }

  /// Whether there are no rows. The search ends at the first row.
  package func isEmpty(in graph: Graph) -> Bool {
    hasLimits ? rows(in: graph).isEmpty : queries.allSatisfy { $0.isEmpty(in: graph) }
  }

  /// The first row, or nil. Without modifiers, the search ends at the first row that satisfies the condition.
  package func first(in graph: Graph) -> ObjectLink? {
    guard queries.first?.modifiers.isEmpty ?? true else { return rows(in: graph).first }
    for query in queries {
      if let key = query.first(in: graph) { return ObjectLink(query.table, key) }
    }
    return nil
  }

  /// At most `count` of the first rows, where `count` is not negative. Without modifiers, the search ends when it
  /// has found them.
  package func prefix(_ count: Int, in graph: Graph) -> ContiguousArray<ObjectLink> {
    guard queries.first?.modifiers.isEmpty ?? true else { return ContiguousArray(rows(in: graph).prefix(count)) }
    var found: ContiguousArray<ObjectLink> = []
    for query in queries where found.count < count {
      found += query.prefix(count - found.count, in: graph).map { ObjectLink(query.table, $0) }
    }
    return found
  }

  /// Whether a row satisfies the condition; false for rows of other tables and for rows that do not exist.
  package func matches(_ row: ObjectLink, in graph: Graph) -> Bool {
    queries.first { $0.table == row.table }?.matches(row.key, in: graph) ?? false
  }

  /// The plans of all tables, joined by spaces. The query is not run.
  package func plan(in graph: Graph) -> String { queries.map { $0.plan(in: graph) }.joined(separator: " ") }

  /// The explanations for all tables, one per line. The queries are run.
  package func explanation(in graph: Graph) -> String {
    queries.map { $0.explanation(in: graph).description }.joined(separator: "\n")
  }

  // MARK: Arranging

  /// Whether a modifier leaves out rows.
  private var hasLimits: Bool {
    queries.first?.modifiers.contains { if case .sort = $0 { false } else { true } } ?? false
  }

  private func sorted(
    _ rows: ContiguousArray<ObjectLink>, _ modifier: Int, _ keys: [BoundSortKey], _ graph: Graph
  ) -> ContiguousArray<ObjectLink> {
    // The values are read table by table and stored at the indices of their rows.
    var parts:
      [(table: Table, run: QueryRun, keys: [BoundSortKey], positions: [Int], rows: ContiguousArray<ObjectKey>)] =
        []
    for query in queries {
      guard case .sort(let own) = query.modifiers[modifier] else { continue }
      let positions = rows.indices.filter { rows[$0].table == query.table }
      if positions.isEmpty { continue }
      let (table, run) = query.begin(graph)
      parts.append((table, run, own, positions, ContiguousArray(positions.map { rows[$0].key })))
    }
    let columns = keys.indices.map { key in
      SortColumn.scattered(
        parts.map { ($0.run.column($0.keys[key], $0.rows, of: $0.table), $0.positions) }, count: rows.count)
    }
    var order = Array(rows.indices)
    for (key, column) in zip(keys, columns).reversed() { column.sort(&order, ascending: key.ascending) }
    return ContiguousArray(order.map { rows[$0] })
  }

  private func distinct(
    _ rows: ContiguousArray<ObjectLink>, _ modifier: Int, _ graph: Graph
  ) -> ContiguousArray<ObjectLink> {
    var readers: [TableKey: (QueryRun, [BoundPath])] = [:]
    for query in queries {
      if case .distinct(let paths) = query.modifiers[modifier] {
        readers[query.table] = (query.begin(graph).run, paths)
      }
    }
    var seen: Set<[MeantValue]> = []
    return rows.filter { row in
      guard let (run, paths) = readers[row.table], let values = run.combination(paths, row.key, row.table) else {
        return false
      }
      return seen.insert(values).inserted
    }
  }
}

extension CompiledQuery {
  /// The kind of the values of a sort key.
  fileprivate func sortKind(_ modifier: Int, _ index: Int) -> ValueKind? {
    guard case .sort(let keys) = modifiers[modifier] else { return nil }
    return keys[index].path.kind
  }

  /// The rows that satisfy the condition, or enough of them when a limit is the first modifier.
  fileprivate func selectionForUnion(in graph: Graph) -> RowSelection {
    let (table, run) = begin(graph)
    return run.select(condition, table, upTo: leadingLimit)
  }
}

extension SortColumn {
  /// Combines columns into one. Each has the values at some of the indices.
  static func scattered(_ parts: [(column: SortColumn, positions: [Int])], count: Int) -> SortColumn {
    func gather<Element>(_ empty: Element, _ elements: (SortColumn) -> [Element]?) -> [Element]? {
      var all = [Element](repeating: empty, count: count)
      for (column, positions) in parts {
        guard let own = elements(column) else { return nil }
        for (position, element) in zip(positions, own) { all[position] = element }
      }
      return all
    }
    var standings: [Standing]?
    for (column, positions) in parts {
      guard let own = column.standings else { continue }
      if standings == nil { standings = Array(repeating: .value, count: count) }
      for (position, standing) in zip(positions, own) { standings?[position] = standing }
    }
    switch parts.first?.column {
    case .words?:
      if let words = gather(UInt64(0), { if case .words(let words, _) = $0 { words } else { nil } }) {
        return .words(words, standings)
      }
    case .moments?:
      if let seconds = gather(UInt64(0), { if case .moments(let seconds, _, _) = $0 { seconds } else { nil } }),
        let nanoseconds = gather(UInt64(0), { if case .moments(_, let parts, _) = $0 { parts } else { nil } })
      {
        return .moments(seconds: seconds, nanoseconds: nanoseconds, standings)
      }
    case .texts?:
      if let texts = gather("", { if case .texts(let texts, _) = $0 { texts } else { nil } }) {
        return .texts(texts, standings)
      }
    case .localized(_, _, let locale)?:
      if let texts = gather("", { if case .localized(let texts, _, _) = $0 { texts } else { nil } }) {
        return .localized(texts, standings, locale)
      }
    default: break
    }
    guard let values = gather(.null, { if case .values(let values, _) = $0 { values } else { nil } }) else {
      fatalError("The columns of one kind have several forms.")
    }
    return .values(values, standings)
  }
}
