import FiefGraph

// The same for values that were taken out of their collection already.

extension ElementOrder {
  /// Values in their order by `StoredOrder`; equal ones stay as they are.
  ///
  /// - Parameters:
  ///   - values: the values, in their present order.
  ///   - ascending: whether the least comes first.
  /// - Complexity: O(n log n).
  public static func sorted(_ values: ContiguousArray<Value>, ascending: Bool) -> ContiguousArray<Value> {
    var order = Array(values.indices)
    SortColumn.values(Array(values)).sort(&order, ascending: ascending)
    return ContiguousArray(order.lazy.map { values[$0] })
  }

  /// The first of equal values, in their present order. Linear on average.
  public static func distinct(_ values: ContiguousArray<Value>) -> ContiguousArray<Value> {
    var seen = ValueSet()
    return values.filter { seen.insert($0) }
  }
}
