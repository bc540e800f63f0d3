import FiefGraph

/// The rows that a query found, in its order.
package enum QueryResult: Sendable, Hashable {
  /// Rows in the order of their keys, which is the order of their creation.
  case selection(RowSelection)
  /// Rows in another order. A row may occur several times if the queried collection contains it several times.
  case ordered(ContiguousArray<ObjectKey>)

  /// The index of the first occurrence of a row, or nil. Logarithmic for a selection, linear otherwise.
  package func index(of key: ObjectKey) -> Int? {
    switch self {
    case .selection(let rows): rows.index(of: key)
    case .ordered(let keys): keys.firstIndex(of: key)
    }
  }
}

extension QueryResult: RandomAccessCollection {
  /// Always 0.
  package var startIndex: Int { 0 }
  /// The number of rows.
  package var endIndex: Int { count }

  /// The number of rows.
  package var count: Int {
    switch self {
    case .selection(let rows): rows.count
    case .ordered(let keys): keys.count
    }
  }

  /// The row at an index. Traps when the index is out of range.
  package subscript(position: Int) -> ObjectKey {
    switch self {
    case .selection(let rows): return rows[position]
    case .ordered(let keys):
      precondition(keys.indices.contains(position), "A query's result was asked for a row beyond its end.")
      return keys[position]
    }
  }
}
