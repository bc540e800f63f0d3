extension HashIndex {
  /// Removes an entry. If the pair was inserted twice, one remains. If the entry is absent, nothing is changed or
  /// copied.
  ///
  /// - Parameters:
  ///   - key: The object key.
  ///   - hash: The hash that it was inserted with.
  /// - Returns: Whether the entry was there.
  /// - Complexity: O(log16 *n*) if hashes are spread, including the copy of a path of shared nodes.
  @discardableResult
  public mutating func remove(_ key: Int64, hash: UInt64) -> Bool {
    guard find(hash: hash, where: { $0 == key }) != nil else { return false }
    assert(total > 0, "An index counts its keys.")
    root.remove(Entry(hash: hash, key: key), shift: 0)
    total -= 1
    return true
  }
}

extension HashIndex.Node {
  /// Removes an entry that is known to be below this node, and turns nodes that became sparse into buckets.
  mutating func remove(_ entry: HashIndex.Entry, shift: Int) {
    assert(shift >= 0 && shift % Self.levelBits == 0, "A level uses a whole digit of the hash.")
    switch consume self {
    case .inner(var children):
      let slot = Self.slot(entry.hash &>> UInt64(shift))
      children[slot].remove(entry, shift: shift + Self.levelBits)
      // The node can be sparse only when the child is, so most removals look at no sibling.
      if children[slot].isSparseBucket, let merged = Self.merged(children) {
        self = .bucket(merged)
      } else {
        self = .inner(children)
      }
    case .bucket(var entries):
      guard let position = entries.firstIndex(of: entry) else {
        fatalError("An entry of the hash index was found but is not in its bucket.")
      }
      entries.swapAt(position, entries.count - 1)
      entries.removeLast()
      self = entries.isEmpty ? Self.empty : .bucket(entries)
    }
  }

  /// Whether this is a bucket of at most ``sparseCount`` entries.
  var isSparseBucket: Bool {
    if case .bucket(let entries) = self { entries.count <= Self.sparseCount } else { false }
  }

  /// The entries of all children, or nil if a child is an inner node or the entries exceed ``mergeCount``.
  static func merged(_ children: ContiguousArray<HashIndex.Node>) -> ContiguousArray<HashIndex.Entry>? {
    var count = 0
    for child in children {
      guard case .bucket(let entries) = child else { return nil }
      count += entries.count
      if count > mergeCount { return nil }
    }
    var result: ContiguousArray<HashIndex.Entry> = []
    result.reserveCapacity(count)
    for case .bucket(let entries) in children { result.append(contentsOf: entries) }
    assert(result.count == count && count <= mergeCount, "A merged bucket has the entries of all children.")
    return result
  }
}
