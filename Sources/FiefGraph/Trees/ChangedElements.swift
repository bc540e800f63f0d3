/// Two ranges of elements, one of which took the place of the other, compared element by element.
struct ChangedElements {
  /// Ranges of more elements are described by one edit, or by single replacements.
  static let shortCount = 4096

  private let gap: OrderedTreeEdit
  /// Compares an element of the old range and one of the new range, by their offsets in these.
  private let areIdentical: (Int, Int) -> Bool

  /// How many elements at each end are known to be common.
  private let prefix: Int
  private let suffix: Int

  init(_ gap: OrderedTreeEdit, prefix: Int = 0, suffix: Int = 0, areIdentical: @escaping (Int, Int) -> Bool) {
    self.gap = gap
    self.areIdentical = areIdentical
    (self.prefix, self.suffix) = (prefix, suffix)
  }

  /// Appends the edits that turn the old range into the new one.
  ///
  /// Common elements at both ends are trimmed. The first of these rules that applies describes the rest:
  /// - one edit, if nothing remains on one side, or one element on both;
  /// - the fewest possible removals and insertions, if both sides have at most 64 elements, or both have at most 4096
  ///   and 64 removals and insertions suffice;
  /// - the positions that differ, if both sides are equally long (scattered replacements);
  /// - one edit.
  func append(to edits: inout [OrderedTreeEdit]) {
    let (oldCount, newCount) = (gap.oldRange.count, gap.newRange.count)
    let shorter = min(oldCount, newCount)
    var (prefix, suffix) = (prefix, suffix)
    while prefix < shorter - suffix, areIdentical(prefix, prefix) { prefix += 1 }
    while suffix < shorter - prefix, areIdentical(oldCount - 1 - suffix, newCount - 1 - suffix) {
      suffix += 1
    }
    let (olds, news) = (prefix..<oldCount - suffix, prefix..<newCount - suffix)
    if olds.isEmpty && news.isEmpty { return }
    let longer = max(olds.count, news.count)
    if olds.isEmpty || news.isEmpty || longer == 1 {
      edits.append(edit(olds, news))
    } else if longer <= Self.shortCount,
      let shortest = shortestEdits(olds, news, limit: longer <= 64 ? olds.count + news.count : 64)
    {
      edits += shortest
    } else if olds.count == news.count {
      appendReplacements(olds, to: &edits)
    } else {
      edits.append(edit(olds, news))
    }
  }

  /// The edit that replaces the elements at some offsets.
  private func edit(_ olds: Range<Int>, _ news: Range<Int>) -> OrderedTreeEdit {
    let (old, new) = (gap.oldRange.lowerBound, gap.newRange.lowerBound)
    return OrderedTreeEdit(
      oldRange: old + olds.lowerBound..<old + olds.upperBound,
      newRange: new + news.lowerBound..<new + news.upperBound)
  }

  /// Compares equally long ranges, which have the same offsets, position by position.
  private func appendReplacements(_ offsets: Range<Int>, to edits: inout [OrderedTreeEdit]) {
    var firstDifferent: Int?
    // The offset beyond the end closes a difference that reaches the end.
    for offset in offsets.lowerBound...offsets.upperBound {
      if offset < offsets.upperBound && !areIdentical(offset, offset) {
        firstDifferent = firstDifferent ?? offset
      } else if let first = firstDifferent {
        edits.append(edit(first..<offset, first..<offset))
        firstDifferent = nil
      }
    }
  }

  /// The fewest removals and insertions that turn one range into another, or nil if they exceed `limit`.
  ///
  /// This is the greedy form of Myers, "An O(ND) difference algorithm and its variations" (1986). `furthest[k]` is how
  /// far into the old range a path with d steps can get on diagonal k. `walkBack` uses a copy of it for each d.
  private func shortestEdits(_ olds: Range<Int>, _ news: Range<Int>, limit: Int) -> [OrderedTreeEdit]? {
    assert(limit >= 0, "A limit of edits is not negative.")
    if abs(olds.count - news.count) > limit { return nil }
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
        while x < olds.count, x - diagonal < news.count,
          areIdentical(olds.lowerBound + x, news.lowerBound + x - diagonal)
        {
          x += 1
        }
        furthest[origin + diagonal] = x
        if x >= olds.count && x - diagonal >= news.count {
          let (old, new) = (olds.lowerBound, news.lowerBound)
          return Self.walkBack(from: olds.count, news.count, history).map {
            edit(
              old + $0.oldRange.lowerBound..<old + $0.oldRange.upperBound,
              new + $0.newRange.lowerBound..<new + $0.newRange.upperBound)
          }
        }
      }
      history.append(ContiguousArray(furthest[origin - steps...origin + steps]))
    }
    return nil
  }

  /// Follows the steps of a shortest path back to the start, and merges adjacent ones.
  private static func walkBack(from oldEnd: Int, _ newEnd: Int, _ history: [ContiguousArray<Int>])
    -> [OrderedTreeEdit]
  {
    var edits: [OrderedTreeEdit] = []
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
        edits[edits.count - 1] = OrderedTreeEdit(
          oldRange: fromX..<last.oldRange.upperBound, newRange: fromY..<last.newRange.upperBound)
      } else {
        edits.append(OrderedTreeEdit(oldRange: fromX..<toX, newRange: fromY..<toY))
      }
      x = fromX
      y = fromY
    }
    assert(x == y, "What is left in front of the first edit is common.")
    return edits.reversed()
  }
}
