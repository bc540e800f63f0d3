import FiefGraph
import FiefRuntime
import FiefValues

/// An aggregate of one property over many rows of one table or of several: a sum, an average, a minimum, a maximum or a
/// count.
///
///     let sum = try AggregateQuery(.sum, PropertyPath("age"), of: dogs, in: graph)
///     sum.total(in: graph).result                   // over all rows
///     sum.total(in: graph, of: query.selection(in: graph)).result
///     sum.total(in: graph, among: list).result      // each as often as it is there
///
/// Nulls are ignored. Without values, the sum and the count are 0 and the other results are null. Integers are summed
/// directly in their leaves.
package struct AggregateQuery: Sendable {
  /// The aggregate that the query computes.
  package let operation: PropertyPath.Aggregate
  /// The tables, each once, and the property in each; never empty.
  private let parts: [(table: TableKey, path: BoundPath)]

  /// Binds the property in one table; otherwise as for several.
  package init(
    _ operation: PropertyPath.Aggregate, _ property: PropertyPath, of table: TableKey, in graph: Graph,
    catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    try self.init(operation, property, of: [table], in: graph, catalog: catalog)
  }

  /// Binds the property in each of some tables.
  ///
  /// - Parameters:
  ///   - operation: what to compute.
  ///   - property: a property of the tables, or a property at the end of to-one links.
  ///   - tables: the tables of the rows.
  ///   - graph: a version with the schema.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a property that does not exist, is a collection, has an unsupported kind, or another
  ///   kind in another table. A sum and an average need numbers or any-values. A minimum and a maximum also accept
  ///   dates. A count accepts every kind.
  package init(
    _ operation: PropertyPath.Aggregate, _ property: PropertyPath, of tables: [TableKey], in graph: Graph,
    catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    var parts: [(table: TableKey, path: BoundPath)] = []
    assert(Set(tables).count == tables.count, "Each table is named once.")
    for table in tables {
      var binder = Binder(graph, catalog: catalog, scope: .row(try graph.schema(of: table), variable: nil))
      parts.append((table, try binder.resolve(property, at: nil)))
    }
    guard let first = parts.first else { throw QueryError(.unsupported, "A total names no table.") }
    for (_, path) in parts {
      guard case .cell = path.end, !path.isMany, path.walk.isEmpty else {
        throw QueryError(
          .unsupported, "'\(property)' is no single property, of which alone there are sums and the like.")
      }
      switch path.kind {
      case .int, .float, .double, .decimal, .any: break
      case .date where operation != .sum && operation != .average: break
      case _ where operation == .count: break
      default:
        throw QueryError(.typeMismatch, "'\(property)' is \(path.kind.phrase), of which there is no \(operation).")
      }
      guard path.kind == first.path.kind else {
        throw QueryError(
          .typeMismatch, "'\(property)' is of several kinds, of which nothing can be worked out together.")
      }
    }
    self.operation = operation
    self.parts = parts
  }

  /// The aggregate over all rows of the tables.
  package func total(in graph: Graph) -> Accumulator {
    assert(!parts.isEmpty, "A total is that of a table.")
    var total = empty
    for (table, path) in parts {
      guard let table = graph[table] else { continue }
      guard let leaf = leafOfIntegers(path) else {
        add(RowSelection(all: table), of: table.schema.key, at: path, in: graph, to: &total)
        continue
      }
      table.rows.forEach { _, cluster in
        let leaf = cluster[leaf: leaf]
        let isAll = leaf.nulls.isEmpty
        total.add(leaf.values, at: isAll ? Bitmap256() : Bitmap256(prefix: cluster.count) - leaf.nulls, isAll: isAll)
        return true
      }
    }
    return total
  }

  /// The aggregate over the rows of a selection. Traps for several tables.
  package func total(in graph: Graph, of rows: RowSelection) -> Accumulator {
    var total = empty
    let (key, path) = only
    guard let table = graph[key] else { return total }
    guard let leaf = leafOfIntegers(path) else { return self.total(in: graph, among: rows) }
    for block in rows.blocks {
      guard let cluster = table.rows[block.chunk] else { continue }
      let leaf = cluster[leaf: leaf]
      let slots = (block.bits & cluster.live).packed(at: cluster.live) - leaf.nulls
      total.add(leaf.values, at: slots, isAll: slots.count == cluster.count)
    }
    return total
  }

  /// The aggregate over the rows of a list, a set or backlinks. A row that occurs several times counts each time. Traps
  /// for several tables.
  package func total(in graph: Graph, among rows: some Sequence<ObjectKey>) -> Accumulator {
    var total = empty
    add(rows, of: only.table, at: only.path, in: graph, to: &total)
    return total
  }

  /// The aggregate over rows of the tables. A row that occurs several times counts each time, and rows of other tables
  /// are ignored.
  package func total(in graph: Graph, among rows: some Sequence<ObjectLink>) -> Accumulator {
    var keys: [TableKey: [ObjectKey]] = [:]
    for row in rows { keys[row.table, default: []].append(row.key) }
    var total = empty
    for (table, path) in parts { add(keys[table] ?? [], of: table, at: path, in: graph, to: &total) }
    return total
  }

  /// The accumulator before any row is added.
  private var empty: Accumulator { Accumulator(operation, parts[0].path.kind) }

  private var only: (table: TableKey, path: BoundPath) {
    precondition(parts.count == 1, "Rows of several tables were given by their keys.")
    return parts[0]
  }

  /// The leaf of a property that holds integers of the row itself, which are added leaf by leaf; nil for all others.
  private func leafOfIntegers(_ path: BoundPath) -> Int? {
    ShortCut.integerSums.attempt {
      guard path.hops.isEmpty, case .cell(let leaf, let type) = path.end, type.kind == .int else { return nil }
      return leaf
    }
  }

  private func add(
    _ rows: some Sequence<ObjectKey>, of table: TableKey, at path: BoundPath, in graph: Graph,
    to total: inout Accumulator
  ) {
    let run = QueryRun(graph, memos: 0)
    for key in rows {
      guard let location = run.location(of: key, in: table) else { continue }
      run.add(valuesOf: path, from: location, to: &total)
    }
  }
}
