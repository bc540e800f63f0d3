import FiefGraph

/// The rows that a query found, in its order.
public enum QueryResult: Sendable, Hashable {
  /// In the order of their keys, which is that of their creation.
  case selection(RowSelection)
  /// In an order of their own; a row may be there more than once when what was queried has it so.
  case ordered(ContiguousArray<ObjectKey>)

  /// The place of the first occurrence of a row, or nil. Logarithmic for a selection, linear otherwise.
  public func index(of key: ObjectKey) -> Int? {
    switch self {
    case .selection(let rows): rows.index(of: key)
    case .ordered(let keys): keys.firstIndex(of: key)
    }
  }
}

extension QueryResult: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { count }

  /// How many rows there are.
  public var count: Int {
    switch self {
    case .selection(let rows): rows.count
    case .ordered(let keys): keys.count
    }
  }

  /// The row at a position. Traps when out of range.
  public subscript(position: Int) -> ObjectKey {
    switch self {
    case .selection(let rows): return rows[position]
    case .ordered(let keys):
      precondition(keys.indices.contains(position), "A query's result was asked for a row beyond its end.")
      return keys[position]
    }
  }
}
