import FiefGraph

/// Sorting and deduplicating values that are not objects.
package enum ElementOrder {
  /// Sorts values by `StoredOrder`. The sort is stable.
  ///
  /// - Parameters:
  ///   - values: the values.
  ///   - ascending: whether the minimum comes first.
  /// - Complexity: O(n log n).
  package static func sorted(_ values: ContiguousArray<Value>, ascending: Bool) -> ContiguousArray<Value> {
    var order = Array(values.indices)
    SortColumn(.values(Array(values))).sort(&order, ascending: ascending)
    assert(order.count == values.count, "A sort keeps all values.")
    return ContiguousArray(order.lazy.map { values[$0] })
  }

  /// Keeps the first of equal values, in their order. Linear on average.
  package static func distinct(_ values: ContiguousArray<Value>) -> ContiguousArray<Value> {
    var seen: Set<ValueKey> = []
    return values.filter { seen.insert(ValueKey($0)).inserted }
  }
}
