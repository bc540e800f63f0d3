// Sorted row keys: the postings of indexes, and large backlink bags.

extension OrderedTree<Int64> {
  /// Inserts a key after all keys that are not greater. Logarithmic. New rows usually have the highest key and are
  /// appended.
  mutating func insert(ascending key: Int64) {
    defer { assert(last.map { $0 >= key } ?? false, "Keys ascend.") }
    if let last, last > key { return insert(key, at: partitionPoint { $0 > key }) }
    append(key)
  }

  /// Removes one occurrence of a key. Logarithmic.
  ///
  /// - Returns: Whether the key was present.
  mutating func remove(ascending key: Int64) -> Bool {
    let position = partitionPoint { $0 >= key }
    guard position < count, self[position] == key else { return false }
    remove(at: position)
    assert(position == count || self[position] >= key, "Keys ascend.")
    return true
  }
}
