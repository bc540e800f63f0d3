import FiefGraph
import FiefValues

/// An aggregate of one property over many rows: a sum, an average, a minimum, a maximum or a count.
///
///     let sum = try AggregateQuery(.sum, PropertyPath("age"), of: dogs, in: graph)
///     sum.value(in: graph)                          // over all rows
///     sum.value(in: graph, of: query.selection(in: graph))
///     sum.value(in: graph, among: list)             // each as often as it is there
///
/// Nulls are ignored. Without values, the sum and the count are 0 and the other results are null. Integers are summed
/// directly in their leaves.
package struct AggregateQuery: Sendable {
  /// The aggregate that a query computes.
  package enum Operation: Sendable, Hashable, CaseIterable {
    /// The sum; 0 when there are no values. Integers give an integer, and beyond 64 bits a decimal. Floats and doubles
    /// give a double. Decimals and any-values give a decimal.
    case sum
    /// The average, or null when there are no values. Integers, floats and doubles give a double. Decimals and
    /// any-values give a decimal.
    case average
    /// The minimum by `StoredOrder`, or null when there are no values.
    case minimum
    /// The maximum by `StoredOrder`, or null when there are no values.
    case maximum
    /// The number of values that are not null.
    case count

    /// The operation as an operator of a path, as accumulators take it.
    package var component: PropertyPath.Component {
      switch self {
      case .sum: .sum
      case .average: .average
      case .minimum: .minimum
      case .maximum: .maximum
      case .count: .count
      }
    }
  }

  /// The aggregate that the query computes.
  package let operation: Operation
  let table: TableKey
  private let path: BoundPath

  /// Binds the property.
  ///
  /// - Parameters:
  ///   - operation: what to compute.
  ///   - property: a property of the table, or a property at the end of to-one links.
  ///   - table: the table of the rows.
  ///   - graph: a version with the schema.
  ///   - catalog: resolves the names.
  /// - Throws: `QueryError` for a property that does not exist, is a collection or has an unsupported kind. A sum and
  ///   an average need numbers or any-values. A minimum and a maximum also accept dates. A count accepts every kind.
  package init(
    _ operation: Operation, _ property: PropertyPath, of table: TableKey, in graph: Graph,
    catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    guard let schema = graph[table]?.schema else {
      throw QueryError(.unknownProperty, "The table that is asked does not exist.")
    }
    var binder = Binder(graph, catalog, .row(schema, variable: nil))
    let path = try binder.resolve(property, at: nil)
    guard case .cell = path.end, !path.isMany, path.walk.isEmpty else {
      throw QueryError(.unsupported, "'\(property)' is no single property, of which alone there are sums and the like.")
    }
    switch path.kind {
    case .int, .float, .double, .decimal, .any: break
    case .date where operation != .sum && operation != .average: break
    case _ where operation == .count: break
    default: throw QueryError(.typeMismatch, "'\(property)' is a \(path.kind), of which there is no \(operation).")
    }
    self.operation = operation
    self.table = table
    self.path = path
  }

  /// Computes the aggregate over all rows of the table.
  package func value(in graph: Graph) -> Value { total(in: graph).result }

  /// Computes the aggregate over the rows of a selection.
  package func value(in graph: Graph, of rows: RowSelection) -> Value { total(in: graph, of: rows).result }

  /// Computes the aggregate over the rows of a list, a set or backlinks. A row that occurs several times counts each
  /// time.
  package func value(in graph: Graph, among rows: some Sequence<ObjectKey>) -> Value {
    total(in: graph, among: rows).result
  }

  /// The kind of the values.
  var kind: ValueKind { path.kind }

  /// The accumulator before any row is added.
  var emptyTotal: Accumulator { Accumulator(operation.component, path.kind) }

  /// The aggregate over the rows of a list, a set or backlinks, before it becomes a value.
  package func total(in graph: Graph, among rows: some Sequence<ObjectKey>) -> Accumulator {
    let run = QueryRun(graph, memos: 0)
    var result = emptyTotal
    for key in rows {
      guard let location = run.location(of: key, in: table) else { continue }
      run.forEachValue(of: path, location) { value in
        result.add(value)
        return true
      }
    }
    return result
  }

  /// The aggregate over the rows of a selection, before it becomes a value.
  package func total(in graph: Graph, of rows: RowSelection) -> Accumulator { total(in: graph, blocks: rows.blocks) }

  /// The aggregate over all rows of the table, before it becomes a value.
  package func total(in graph: Graph) -> Accumulator { total(in: graph, blocks: nil) }

  private func total(in graph: Graph, blocks: ContiguousArray<RowSelection.Block>?) -> Accumulator {
    guard let table = graph[table] else { return emptyTotal }
    guard ShortCut.integerSums.isOn, path.hops.isEmpty, case .cell(let leaf, let type) = path.end, type.kind == .int
    else {
      return blocks == nil
        ? total(in: graph, among: RowSelection(all: table)) : total(in: graph, among: keys(blocks ?? []))
    }
    ShortCut.integerSums.taken()
    var total = IntegerAggregate()
    if let blocks {
      for block in blocks {
        guard let cluster = table.rows[block.chunk] else { continue }
        let leaf = cluster[leaf: leaf]
        let slots = (block.bits & cluster.live).packed(at: cluster.live) - leaf.nulls
        total.add(leaf.values, slots, isAll: slots.count == cluster.count, operation)
      }
    } else {
      table.rows.forEach { _, cluster in
        let leaf = cluster[leaf: leaf]
        total.add(
          leaf.values, leaf.nulls.isEmpty ? Bitmap256() : Bitmap256(prefix: cluster.count) - leaf.nulls,
          isAll: leaf.nulls.isEmpty, operation)
        return true
      }
    }
    var result = emptyTotal
    total.add(to: &result)
    return result
  }

  private func keys(_ blocks: ContiguousArray<RowSelection.Block>) -> some Sequence<ObjectKey> {
    blocks.lazy.flatMap { block in
      var keys: [ObjectKey] = []
      block.bits.forEach { keys.append(ObjectKey(chunk: block.chunk, bit: $0)) }
      return keys
    }
  }
}
