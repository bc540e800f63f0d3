extension OrderedTree.ChangeWalk {
  /// A node that is in both frontiers, by its index in each.
  @usableFromInline
  @frozen
  struct Anchor {
    @usableFromInline var old: Int
    @usableFromInline var new: Int

    @inlinable
    init(old: Int, new: Int) {
      self.old = old
      self.new = new
    }
  }

  /// The shared nodes of a gap, ascending on both sides.
  @inlinable
  func anchors(in gap: OrderedTree.Gap) -> ContiguousArray<Anchor> {
    var old = gap.oldNodes
    var new = gap.newNodes
    var leading: ContiguousArray<Anchor> = []
    while !old.isEmpty, !new.isEmpty,
      oldFrontier[old.lowerBound].identity == newFrontier[new.lowerBound].identity
    {
      leading.append(Anchor(old: old.lowerBound, new: new.lowerBound))
      old = old.lowerBound + 1..<old.upperBound
      new = new.lowerBound + 1..<new.upperBound
    }
    var trailing: ContiguousArray<Anchor> = []
    while !old.isEmpty, !new.isEmpty,
      oldFrontier[old.upperBound - 1].identity == newFrontier[new.upperBound - 1].identity
    {
      trailing.append(Anchor(old: old.upperBound - 1, new: new.upperBound - 1))
      old = old.lowerBound..<old.upperBound - 1
      new = new.lowerBound..<new.upperBound - 1
    }
    if old.count > 1 || new.count > 1 { leading += ascending(pairs(old, new)) }
    leading += trailing.reversed()
    assert(
      zip(leading, leading.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new },
      "Anchors ascend in both trees.")
    return leading
  }

  /// Pairs each node of the new side with a node of the same identity on the old side. No node is paired twice.
  ///
  /// A node may occur in a tree more than once. The first occurrences on both sides are paired, then the second ones.
  @inlinable
  func pairs(_ old: Range<Int>, _ new: Range<Int>) -> ContiguousArray<Anchor> {
    if old.isEmpty || new.isEmpty { return [] }
    var positions: [UInt: Int] = [:]
    positions.reserveCapacity(old.count)
    // The next occurrence of the same node, by offset in `old`. 0 means that there is none: no occurrence precedes the
    // first.
    var following = ContiguousArray(repeating: 0, count: old.count)
    for index in old.reversed() {
      if let next = positions.updateValue(index, forKey: oldFrontier[index].identity) {
        following[index - old.lowerBound] = next
      }
    }
    var pairs: ContiguousArray<Anchor> = []
    for index in new {
      let identity = newFrontier[index].identity
      guard let position = positions[identity] else { continue }
      pairs.append(Anchor(old: position, new: index))
      let next = following[position - old.lowerBound]
      positions[identity] = next > 0 ? next : nil
    }
    return pairs
  }

  /// A longest subsequence of the pairs that ascends on the old side as well as on the new one.
  ///
  /// Fredman, "On computing the length of longest increasing subsequences" (1975): n log n comparisons.
  @inlinable
  func ascending(_ pairs: ContiguousArray<Anchor>) -> ContiguousArray<Anchor> {
    if zip(pairs, pairs.dropFirst()).allSatisfy({ $0.old < $1.old }) { return pairs }
    // ends[k] is the pair with the smallest old index at which a subsequence of k + 1 pairs can end.
    var ends: ContiguousArray<Int> = []
    var previous = ContiguousArray(repeating: -1, count: pairs.count)
    for index in pairs.indices {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].old < pairs[index].old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var selection: ContiguousArray<Anchor> = []
    var index = ends.last ?? -1
    while index >= 0 {
      selection.append(pairs[index])
      index = previous[index]
    }
    selection.reverse()
    assert(selection.count == ends.count, "The longest ascending selection is as long as its ends are many.")
    return selection
  }
}
