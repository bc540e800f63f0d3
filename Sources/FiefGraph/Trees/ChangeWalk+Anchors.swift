extension ChangeWalk {
  /// A node that is in both frontiers, by its index in each.
  struct Anchor {
    let old: Int
    let new: Int
  }

  /// The shared nodes of a gap, ascending on both sides.
  func anchors(in gap: Gap) -> ContiguousArray<Anchor> {
    var (olds, news) = (gap.oldNodes, gap.newNodes)
    var leading: ContiguousArray<Anchor> = []
    while !olds.isEmpty, !news.isEmpty, old.frontier[olds.lowerBound].identity == new.frontier[news.lowerBound].identity
    {
      leading.append(Anchor(old: olds.lowerBound, new: news.lowerBound))
      olds = olds.lowerBound + 1..<olds.upperBound
      news = news.lowerBound + 1..<news.upperBound
    }
    var trailing: ContiguousArray<Anchor> = []
    while !olds.isEmpty, !news.isEmpty,
      old.frontier[olds.upperBound - 1].identity == new.frontier[news.upperBound - 1].identity
    {
      trailing.append(Anchor(old: olds.upperBound - 1, new: news.upperBound - 1))
      olds = olds.lowerBound..<olds.upperBound - 1
      news = news.lowerBound..<news.upperBound - 1
    }
    if olds.count > 1 || news.count > 1 { leading += ascending(pairs(olds, news)) }
    leading += trailing.reversed()
    assert(
      zip(leading, leading.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new },
      "Anchors ascend in both trees.")
    return leading
  }

  /// Pairs each node of the new side with a node of the same identity on the old side. No node is paired twice.
  ///
  /// A node may occur in a tree more than once. The first occurrences on both sides are paired, then the second ones.
  private func pairs(_ olds: Range<Int>, _ news: Range<Int>) -> ContiguousArray<Anchor> {
    if olds.isEmpty || news.isEmpty { return [] }
    var positions: [UInt: Int] = [:]
    positions.reserveCapacity(olds.count)
    // The next occurrence of the same node, by offset in `olds`. 0 means the end: no occurrence precedes the
    // first.
    var following = ContiguousArray(repeating: 0, count: olds.count)
    for index in olds.reversed() {
      if let next = positions.updateValue(index, forKey: old.frontier[index].identity) {
        following[index - olds.lowerBound] = next
      }
    }
    var pairs: ContiguousArray<Anchor> = []
    for index in news {
      let identity = new.frontier[index].identity
      guard let position = positions[identity] else { continue }
      pairs.append(Anchor(old: position, new: index))
      let next = following[position - olds.lowerBound]
      positions[identity] = next > 0 ? next : nil
    }
    return pairs
  }

  /// A longest subsequence of the pairs that ascends on the old side as well as on the new one.
  ///
  /// Fredman, "On computing the length of longest increasing subsequences" (1975): n log n comparisons.
  private func ascending(_ pairs: ContiguousArray<Anchor>) -> ContiguousArray<Anchor> {
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
