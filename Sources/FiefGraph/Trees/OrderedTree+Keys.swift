// Keys of rows, ascending: postings of indexes, and crowds of backlinks.

extension OrderedTree<Int64> {
  /// Puts a key behind all that are not greater. Logarithmic; new rows mostly have the highest key, and go to the end
  /// at once.
  mutating func insert(ascending key: Int64) {
    if let last, last > key { return insert(key, at: partitionPoint { $0 > key }) }
    append(key)
  }

  /// Takes a key out, once. Logarithmic.
  ///
  /// - Returns: whether it was there.
  mutating func remove(ascending key: Int64) -> Bool {
    let position = partitionPoint { $0 >= key }
    guard position < count, self[position] == key else { return false }
    remove(at: position)
    return true
  }
}
