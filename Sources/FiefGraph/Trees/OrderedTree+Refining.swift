extension OrderedTree {
  /// Refines a gap between shared nodes and appends the resulting edits.
  ///
  /// Common elements at both ends are trimmed. The first of these rules that applies describes the rest:
  /// - one edit, if nothing remains on one side, or one element on both;
  /// - the fewest possible removals and insertions, if both sides have at most 64 elements, or both have at most 4096
  ///   and 64 removals and insertions suffice;
  /// - the positions that differ, if both sides are equally long (scattered replacements);
  /// - one edit.
  @inlinable
  static func refine(
    _ gap: Edit, from old: OrderedTree, to new: OrderedTree, nodesVisited: inout Int,
    _ areIdentical: (Element, Element) -> Bool, _ edits: inout [Edit]
  ) {
    if gap.oldRange.isEmpty && gap.newRange.isEmpty { return }
    if gap.oldRange.isEmpty || gap.newRange.isEmpty { return edits.append(gap) }
    // Iterators descend from the root once for each end and tree; the leaves that they read count as well.
    let depth = old.root.height + new.root.height + 2
    nodesVisited += 2 * depth

    let shorter = Swift.min(gap.oldRange.count, gap.newRange.count)
    let prefix = commonLength(
      old.iterator(from: gap.oldRange.lowerBound), new.iterator(from: gap.newRange.lowerBound),
      limit: shorter, areIdentical)
    let suffix = commonLength(
      old.reverseIterator(before: gap.oldRange.upperBound), new.reverseIterator(before: gap.newRange.upperBound),
      limit: shorter - prefix, areIdentical)
    assert(prefix + suffix <= shorter, "An element is common at one end.")
    let oldRange = gap.oldRange.lowerBound + prefix..<gap.oldRange.upperBound - suffix
    let newRange = gap.newRange.lowerBound + prefix..<gap.newRange.upperBound - suffix
    if oldRange.isEmpty && newRange.isEmpty { return }
    let whole = Edit(oldRange: oldRange, newRange: newRange)
    if oldRange.isEmpty || newRange.isEmpty || (oldRange.count == 1 && newRange.count == 1) {
      return edits.append(whole)
    }
    nodesVisited += depth + (oldRange.count + newRange.count) / leafCapacity
    let longer = Swift.max(oldRange.count, newRange.count)
    if longer <= 4096,
      let shortest = shortestEdits(
        from: old.elements(in: oldRange), to: new.elements(in: newRange),
        limit: longer <= 64 ? oldRange.count + newRange.count : 64, areIdentical)
    {
      for edit in shortest { edits.append(edit.shifted(old: oldRange.lowerBound, new: newRange.lowerBound)) }
    } else if oldRange.count == newRange.count {
      appendReplacements(whole, from: old, to: new, areIdentical, &edits)
    } else {
      edits.append(whole)
    }
  }

  /// How many elements two iterators have in common before they differ.
  @inlinable
  static func commonLength<I: IteratorProtocol<Element>>(
    _ old: I, _ new: I, limit: Int, _ areIdentical: (Element, Element) -> Bool
  ) -> Int {
    var old = old
    var new = new
    var length = 0
    while length < limit, let one = old.next(), let other = new.next(), areIdentical(one, other) { length += 1 }
    return length
  }

  /// Copies the elements of a range into an array.
  @inlinable
  func elements(in range: Range<Int>) -> ContiguousArray<Element> {
    var elements: ContiguousArray<Element> = []
    elements.reserveCapacity(range.count)
    forEachLeaf(in: range) { slice, _ in
      elements.append(contentsOf: slice)
      return true
    }
    assert(elements.count == range.count, "Each element of the range is read once.")
    return elements
  }

  /// Compares equally long ranges position by position.
  @inlinable
  static func appendReplacements(
    _ whole: Edit, from old: OrderedTree, to new: OrderedTree,
    _ areIdentical: (Element, Element) -> Bool, _ edits: inout [Edit]
  ) {
    assert(whole.oldRange.count == whole.newRange.count, "As many elements are replaced as there are new ones.")
    var olds = old.iterator(from: whole.oldRange.lowerBound)
    var news = new.iterator(from: whole.newRange.lowerBound)
    var firstDifferent: Int?
    // The offset beyond the end closes a difference that reaches the end.
    for offset in 0...whole.oldRange.count {
      var differs = false
      if offset < whole.oldRange.count, let one = olds.next(), let other = news.next() {
        differs = !areIdentical(one, other)
      }
      if differs {
        firstDifferent = firstDifferent ?? offset
      } else if let first = firstDifferent {
        let edit = Edit(oldRange: first..<offset, newRange: first..<offset)
        edits.append(edit.shifted(old: whole.oldRange.lowerBound, new: whole.newRange.lowerBound))
        firstDifferent = nil
      }
    }
  }

  /// The fewest removals and insertions that turn one array into another, or nil if they exceed `limit`.
  ///
  /// This is the greedy form of Myers, "An O(ND) difference algorithm and its variations" (1986). `furthest[k]` is how
  /// far into the old array a path with d steps can get on diagonal k. `walkBack` uses a copy of it for each d.
  @inlinable
  static func shortestEdits(
    from old: ContiguousArray<Element>, to new: ContiguousArray<Element>, limit: Int,
    _ areIdentical: (Element, Element) -> Bool
  ) -> [Edit]? {
    assert(limit >= 0, "A limit of edits is not negative.")
    if abs(old.count - new.count) > limit { return nil }
    let origin = limit + 1
    var furthest = ContiguousArray(repeating: 0, count: 2 * limit + 3)
    // history[d] holds furthest[-d ... d] after d steps.
    var history: [ContiguousArray<Int>] = []
    for steps in 0...limit {
      for diagonal in stride(from: -steps, through: steps, by: 2) {
        let inserts =
          diagonal == -steps
          || (diagonal != steps && furthest[origin + diagonal - 1] < furthest[origin + diagonal + 1])
        var x = inserts ? furthest[origin + diagonal + 1] : furthest[origin + diagonal - 1] + 1
        while x < old.count, x - diagonal < new.count, areIdentical(old[x], new[x - diagonal]) { x += 1 }
        furthest[origin + diagonal] = x
        if x >= old.count && x - diagonal >= new.count {
          return walkBack(from: old.count, new.count, history)
        }
      }
      history.append(ContiguousArray(furthest[origin - steps...origin + steps]))
    }
    return nil
  }

  /// Follows the steps of a shortest path back to the start, and merges adjacent ones.
  @inlinable
  static func walkBack(from oldEnd: Int, _ newEnd: Int, _ history: [ContiguousArray<Int>]) -> [Edit] {
    var edits: [Edit] = []
    var x = oldEnd
    var y = newEnd
    for steps in stride(from: history.count, to: 0, by: -1) {
      // Before this step, diagonal k was at index k + steps - 1.
      let before = history[steps - 1]
      let index = x - y + steps - 1
      let inserts = x - y == -steps || (x - y != steps && before[index - 1] < before[index + 1])
      let fromX = inserts ? before[index + 1] : before[index - 1]
      let fromY = inserts ? fromX - (x - y) - 1 : fromX - (x - y) + 1
      let toX = inserts ? fromX : fromX + 1
      let toY = inserts ? fromY + 1 : fromY
      if let last = edits.last, last.oldRange.lowerBound == toX, last.newRange.lowerBound == toY {
        edits[edits.count - 1] = Edit(
          oldRange: fromX..<last.oldRange.upperBound, newRange: fromY..<last.newRange.upperBound)
      } else {
        edits.append(Edit(oldRange: fromX..<toX, newRange: fromY..<toY))
      }
      x = fromX
      y = fromY
    }
    assert(x == y, "What is left in front of the first edit is common.")
    return edits.reversed()
  }
}

extension OrderedTreeEdit {
  /// This edit with both ranges moved by offsets.
  @inlinable
  func shifted(old: Int, new: Int) -> OrderedTreeEdit {
    OrderedTreeEdit(
      oldRange: oldRange.lowerBound + old..<oldRange.upperBound + old,
      newRange: newRange.lowerBound + new..<newRange.upperBound + new)
  }
}
