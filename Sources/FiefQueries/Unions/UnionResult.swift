import FiefGraph

/// The rows that a query over several tables found, in its order.
package enum UnionResult: Sendable, Hashable {
  /// Rows by table, in the order of the query's tables, and then by key.
  case selections([TableRows])
  /// Rows in another order.
  case ordered(ContiguousArray<ObjectLink>)

  /// The rows found in one of the tables.
  package struct TableRows: Sendable, Hashable {
    /// The table.
    package let table: TableKey
    /// Its rows.
    package let rows: RowSelection
  }

  /// The index of a row, or nil. Logarithmic for selections, linear otherwise.
  package func index(of row: ObjectLink) -> Int? {
    switch self {
    case .ordered(let rows): return rows.firstIndex(of: row)
    case .selections(let parts):
      var before = 0
      for part in parts {
        if part.table == row.table { return part.rows.index(of: row.key).map { before + $0 } }
        before += part.rows.count
      }
      return nil
    }
  }
}

extension UnionResult: RandomAccessCollection {
  /// Always 0.
  package var startIndex: Int { 0 }
  /// The number of rows.
  package var endIndex: Int { count }

  /// The number of rows. Linear in the number of tables.
  package var count: Int {
    switch self {
    case .ordered(let rows): rows.count
    case .selections(let parts): parts.reduce(0) { $0 + $1.rows.count }
    }
  }

  /// The row at an index. Traps when the index is out of range.
  package subscript(position: Int) -> ObjectLink {
    switch self {
    case .ordered(let rows):
      precondition(rows.indices.contains(position), "A query's result was asked for a row beyond its end.")
      return rows[position]
    case .selections(let parts):
      var rest = position
      for part in parts {
        if rest < part.rows.count { return ObjectLink(part.table, part.rows[rest]) }
        rest -= part.rows.count
      }
      preconditionFailure("A query's result was asked for a row beyond its end.")
    }
  }
}
