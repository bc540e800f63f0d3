/// A node of a tree without its elements. What reads these alone is compiled once, for all types of elements.
struct TreeNode {
  /// The identity of its array, valid as long as a tree holds the node.
  let identity: UInt
  /// The position of its first element.
  let start: Int
  /// How many elements it has.
  let count: Int
}

/// Walks two trees level by level from the roots to the leaves, and keeps only the nodes that they do not share.
///
///     old   ●───●   ■───●   ●           ●, ■ nodes of one level that both trees have: anchors
///           │   │   │   │   │
///     new   ●───●   □ □ ●   ●           a gap between anchors: one node was split in two
///
/// The frontier of each tree is the list of its nodes on the current level that lie in gaps. Each step finds new
/// anchors inside the gaps, which splits them into smaller ones. Then it replaces the nodes in the gaps by their
/// children.
struct ChangeWalk {
  /// One of the trees.
  struct Side {
    /// The nodes of the current level that lie in gaps.
    var frontier: ContiguousArray<TreeNode>
    /// How many levels are below the current one.
    private(set) var height: Int
    /// How many levels are above it.
    private var depth = 0
    private let childrenBelow: (_ start: Int, _ depth: Int) -> ContiguousArray<TreeNode>

    init<Element>(_ tree: OrderedTree<Element>) {
      let root = tree.root
      frontier = tree.isEmpty ? [] : [TreeNode(identity: root.identity, start: 0, count: tree.count)]
      height = root.height
      childrenBelow = root.children(at:_:)
    }

    /// The children of a node of the frontier.
    func children(of node: TreeNode) -> ContiguousArray<TreeNode> {
      assert(height > 0, "A leaf has no level below it.")
      return childrenBelow(node.start, depth)
    }

    /// Moves one level down, to some of the frontier's children.
    mutating func descend(to below: ContiguousArray<TreeNode>) {
      (frontier, height, depth) = (below, height - 1, depth + 1)
      assert(height >= 0, "A leaf has no level below it.")
    }
  }

  /// A range between two shared nodes: its nodes in each frontier, and its elements.
  struct Gap {
    var oldNodes: Range<Int>
    var newNodes: Range<Int>
    var edit: OrderedTreeEdit

    /// Whether the gap is a pure insertion or removal, which descending further cannot refine.
    var isFinal: Bool { oldNodes.isEmpty || newNodes.isEmpty }
  }

  private(set) var old: Side
  private(set) var new: Side
  /// Ascending and disjoint in both trees.
  private var gaps: ContiguousArray<Gap>
  private(set) var nodesVisited = 2
  private let leafCapacity: Int
  /// Reads the elements of both ranges, and trims the common ones at both ends.
  private let comparison: (OrderedTreeEdit) -> ChangedElements
  /// Whether an element of the old tree and one of the new tree are identical, by their positions.
  private let areIdentical: (Int, Int) -> Bool

  init<Element>(
    from old: OrderedTree<Element>, to new: OrderedTree<Element>,
    areIdentical: @escaping (Element, Element) -> Bool
  ) {
    (self.old, self.new) = (Side(old), Side(new))
    let all = OrderedTreeEdit(oldRange: 0..<old.count, newRange: 0..<new.count)
    gaps = [Gap(oldNodes: self.old.frontier.indices, newNodes: self.new.frontier.indices, edit: all)]
    leafCapacity = OrderedTree<Element>.leafCapacity
    comparison = { gap in
      // Copying costs more than comparing, so what is common at the ends is not copied.
      let shorter = min(gap.oldRange.count, gap.newRange.count)
      var (prefix, suffix) = (0, 0)
      var (olds, news) = (old.iterator(from: gap.oldRange.lowerBound), new.iterator(from: gap.newRange.lowerBound))
      while prefix < shorter, let one = olds.next(), let other = news.next(), areIdentical(one, other) { prefix += 1 }
      var (lastOlds, lastNews) = (
        old.reverseIterator(before: gap.oldRange.upperBound), new.reverseIterator(before: gap.newRange.upperBound)
      )
      while suffix < shorter - prefix, let one = lastOlds.next(), let other = lastNews.next(),
        areIdentical(one, other)
      {
        suffix += 1
      }
      let oldRest = old.elements(in: gap.oldRange.dropFirst(prefix).dropLast(suffix))
      let newRest = new.elements(in: gap.newRange.dropFirst(prefix).dropLast(suffix))
      return ChangedElements(gap, prefix: prefix, suffix: suffix) {
        areIdentical(oldRest[$0 - prefix], newRest[$1 - prefix])
      }
    }
    self.areIdentical = { areIdentical(old[$0], new[$1]) }
  }

  /// The edits that turn the old tree into the new one; see `OrderedTree.changes(from:to:nodesVisited:areIdentical:)`.
  mutating func edits() -> [OrderedTreeEdit] {
    let depth = old.height + new.height + 2
    findGaps()
    var edits: [OrderedTreeEdit] = []
    for gap in gaps.map(\.edit) where !gap.oldRange.isEmpty || !gap.newRange.isEmpty {
      if gap.oldRange.isEmpty || gap.newRange.isEmpty {
        edits.append(gap)
        continue
      }
      // A long removal or insertion has a few elements beside it, which are read one by one.
      let (olds, news) = (gap.oldRange, gap.newRange)
      let isLong = max(olds.count, news.count) > ChangedElements.shortCount && olds.count != news.count
      // Both ranges are read from the root down; the leaves that they cover count as well.
      nodesVisited += depth + (isLong ? 2 * min(olds.count, news.count) : olds.count + news.count) / leafCapacity
      if isLong {
        ChangedElements(gap) { [areIdentical] in areIdentical(olds.lowerBound + $0, news.lowerBound + $1) }
          .append(to: &edits)
      } else {
        comparison(gap).append(to: &edits)
      }
    }
    return isIdle(edits) ? [] : edits
  }

  /// Whether the edits lead from the old tree to an equal one. A list of equal elements that lost its first element and
  /// gained a last one has its shared nodes at other positions, and is still an equal list.
  ///
  /// Usually the first comparison finds a difference.
  private mutating func isIdle(_ edits: [OrderedTreeEdit]) -> Bool {
    guard edits.count > 1, let first = edits.first, let last = edits.last,
      edits.reduce(0, { $0 + $1.newRange.count - $1.oldRange.count }) == 0
    else { return false }
    // As many elements were inserted as removed, so positions agree before the first edit and after the last.
    assert(first.oldRange.lowerBound == first.newRange.lowerBound, "Positions agree before the first edit.")
    let range = first.oldRange.lowerBound..<last.oldRange.upperBound
    let different = range.first { !areIdentical($0, $0) }
    nodesVisited += ((different ?? range.upperBound) - range.lowerBound) / leafCapacity
    return different == nil
  }

  /// Leaves in `gaps` the ranges between the leaves that both trees have.
  private mutating func findGaps() {
    // The height of a node never changes, so a shared node is on the same level in both trees.
    while old.height != new.height { descend(old: old.height > new.height, new: new.height > old.height) }
    splitGaps()
    while old.height > 0 && !gaps.allSatisfy(\.isFinal) {
      descend(old: true, new: true)
      splitGaps()
    }
  }

  /// Moves one frontier or both one level down, and drops the nodes of final gaps from them.
  private mutating func descend(old descendsOld: Bool, new descendsNew: Bool) {
    var oldBelow: ContiguousArray<TreeNode> = []
    var newBelow: ContiguousArray<TreeNode> = []
    for index in gaps.indices {
      var gap = gaps[index]
      if gap.isFinal {
        gap.oldNodes = 0..<0
        gap.newNodes = 0..<0
      } else if descendsOld && descendsNew && gap.oldNodes.count == 1 && gap.newNodes.count == 1 {
        expandPair(&gap, old: &oldBelow, new: &newBelow)
      } else {
        if descendsOld { gap.oldNodes = expand(gap.oldNodes, of: old, into: &oldBelow) }
        if descendsNew { gap.newNodes = expand(gap.newNodes, of: new, into: &newBelow) }
      }
      gaps[index] = gap
    }
    if descendsOld { old.descend(to: oldBelow) }
    if descendsNew { new.descend(to: newBelow) }
  }

  /// Adds the children of some nodes to a frontier and returns their indices in it.
  private mutating func expand(
    _ nodes: Range<Int>, of side: Side, into below: inout ContiguousArray<TreeNode>
  ) -> Range<Int> {
    let first = below.count
    for node in side.frontier[nodes] { below += side.children(of: node) }
    nodesVisited += below.count - first
    return first..<below.count
  }

  /// Expands a gap of one node on each side, which is what a single change leaves on every level. Only the children
  /// between the first and the last difference enter the frontiers.
  private mutating func expandPair(
    _ gap: inout Gap, old oldBelow: inout ContiguousArray<TreeNode>,
    new newBelow: inout ContiguousArray<TreeNode>
  ) {
    let (oldNode, newNode) = (old.frontier[gap.oldNodes.lowerBound], new.frontier[gap.newNodes.lowerBound])
    let (olds, news) = (old.children(of: oldNode), new.children(of: newNode))
    nodesVisited += olds.count + news.count
    let shorter = min(olds.count, news.count)
    var (prefix, prefixCount) = (0, 0)
    while prefix < shorter, olds[prefix].identity == news[prefix].identity {
      prefixCount += olds[prefix].count
      prefix += 1
    }
    var (suffix, suffixCount) = (0, 0)
    while suffix < shorter - prefix, olds[olds.count - 1 - suffix].identity == news[news.count - 1 - suffix].identity {
      suffixCount += olds[olds.count - 1 - suffix].count
      suffix += 1
    }
    let (oldFirst, newFirst) = (oldBelow.count, newBelow.count)
    oldBelow += olds[prefix..<olds.count - suffix]
    newBelow += news[prefix..<news.count - suffix]
    gap.oldNodes = oldFirst..<oldBelow.count
    gap.newNodes = newFirst..<newBelow.count
    assert(prefix + suffix <= shorter, "A child is common at one end.")
    gap.edit = OrderedTreeEdit(
      oldRange: oldNode.start + prefixCount..<oldNode.start + oldNode.count - suffixCount,
      newRange: newNode.start + prefixCount..<newNode.start + newNode.count - suffixCount)
  }

  /// Splits every gap at the shared nodes in it.
  private mutating func splitGaps() {
    var smaller: ContiguousArray<Gap> = []
    for gap in gaps {
      if gap.isFinal {
        smaller.append(gap)
      } else {
        split(gap, into: &smaller)
      }
    }
    gaps = smaller
  }

  private func split(_ gap: Gap, into smaller: inout ContiguousArray<Gap>) {
    var rest = gap
    for anchor in anchors(in: gap) {
      let (oldNode, newNode) = (old.frontier[anchor.old], new.frontier[anchor.new])
      let before = Gap(
        oldNodes: rest.oldNodes.lowerBound..<anchor.old, newNodes: rest.newNodes.lowerBound..<anchor.new,
        edit: OrderedTreeEdit(
          oldRange: rest.edit.oldRange.lowerBound..<oldNode.start,
          newRange: rest.edit.newRange.lowerBound..<newNode.start))
      if !before.oldNodes.isEmpty || !before.newNodes.isEmpty { smaller.append(before) }
      rest.oldNodes = anchor.old + 1..<rest.oldNodes.upperBound
      rest.newNodes = anchor.new + 1..<rest.newNodes.upperBound
      rest.edit.oldRange = oldNode.start + oldNode.count..<rest.edit.oldRange.upperBound
      rest.edit.newRange = newNode.start + newNode.count..<rest.edit.newRange.upperBound
    }
    if !rest.oldNodes.isEmpty || !rest.newNodes.isEmpty { smaller.append(rest) }
  }
}
