import FiefGraph

extension StoredCollection {
  /// The values at some positions, in order.
  ///
  /// - Parameters:
  ///   - position: the first position; a position beyond the end gives no values.
  ///   - number: the maximum number of values.
  ///   - type: the column type of the returned values.
  package func values(from position: Int, atMost number: Int, as type: ColumnType) -> ContiguousArray<Value> {
    let end = min(count, position + number)
    return position < end ? values(in: position..<end, as: type) : []
  }

  /// The keys of the rows in a list or set of links.
  package var rowKeys: OrderedTree<Int64> { (self as? StoredElements<Int64>)?.elements ?? OrderedTree() }
}
