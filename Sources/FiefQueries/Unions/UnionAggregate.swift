import FiefGraph

/// An aggregate of one property over the rows of several tables. `AggregateQuery` covers a single table.
package struct UnionAggregate: Sendable {
  private let parts: [AggregateQuery]

  /// Binds the property in each of the tables.
  ///
  /// - Throws: `QueryError` as `AggregateQuery` does, and when the property has different kinds.
  package init(
    _ operation: AggregateQuery.Operation, _ property: PropertyPath, of tables: [TableKey], in graph: Graph,
    catalog: any QueryCatalog = StoredNames()
  ) throws(QueryError) {
    var parts: [AggregateQuery] = []
    for table in tables {
      parts.append(try AggregateQuery(operation, property, of: table, in: graph, catalog: catalog))
    }
    guard let first = parts.first else {
      throw QueryError(.unsupported, "A total over several tables names none of them.")
    }
    guard parts.allSatisfy({ $0.kind == first.kind }) else {
      throw QueryError(.typeMismatch, "'\(property)' is of several kinds, of which nothing can be worked out together.")
    }
    self.parts = parts
  }

  /// Computes the aggregate over all rows of the tables.
  package func value(in graph: Graph) -> Value {
    var total = parts[0].emptyTotal
    for part in parts { total.add(part.total(in: graph)) }
    return total.result
  }

  /// Computes the aggregate over rows of the tables. Repeated rows count each time, and rows of other tables are
  /// ignored.
  package func value(in graph: Graph, among rows: some Sequence<ObjectLink>) -> Value {
    total(in: graph, among: rows).result
  }

  /// The aggregate over rows of the tables, before it becomes a value.
  package func total(in graph: Graph, among rows: some Sequence<ObjectLink>) -> Accumulator {
    var keys: [TableKey: [ObjectKey]] = [:]
    for row in rows { keys[row.table, default: []].append(row.key) }
    var total = parts[0].emptyTotal
    for part in parts {
      if let keys = keys[part.table] { total.add(part.total(in: graph, among: keys)) }
    }
    return total
  }
}
