extension OrderedTree {
  /// A replacement of elements; see ``OrderedTreeEdit``.
  public typealias Edit = OrderedTreeEdit

  /// The edits that turn one tree into another.
  ///
  /// The cost is proportional to the changes, times the height and width of the nodes on the way, as long as the trees
  /// share their unchanged nodes. Trees without a common history are compared element by element. `README.md` beside
  /// this file explains the algorithm.
  ///
  /// - Parameters:
  ///   - old: The tree to begin with.
  ///   - new: The tree to arrive at.
  ///   - areIdentical: Whether two elements are identical. Every element must be identical to itself.
  /// - Returns: Ascending edits with at least one common element between two of them. Outside of the edits the trees
  ///   have equal elements in the same order. The edits of small changes are minimal; see `refine`.
  @inlinable
  public static func changes(
    from old: OrderedTree, to new: OrderedTree, areIdentical: (Element, Element) -> Bool
  ) -> [Edit] {
    var nodesVisited = 0
    return changes(from: old, to: new, nodesVisited: &nodesVisited, areIdentical: areIdentical)
  }

  /// The edits that turn one tree into another, and how many nodes were visited to find them.
  ///
  /// - Parameters:
  ///   - old: The tree to begin with.
  ///   - new: The tree to arrive at.
  ///   - nodesVisited: Grows by the number of nodes whose identity or content was read.
  ///   - areIdentical: Whether two elements are identical. Every element must be identical to itself.
  /// - Returns: The edits that ``changes(from:to:areIdentical:)`` returns.
  @inlinable
  public static func changes(
    from old: OrderedTree, to new: OrderedTree, nodesVisited: inout Int, areIdentical: (Element, Element) -> Bool
  ) -> [Edit] {
    if old.isIdentical(to: new) { return [] }
    var walk = ChangeWalk(from: old, to: new)
    walk.run()
    nodesVisited += walk.nodesVisited
    var edits: [Edit] = []
    for gap in walk.gaps {
      refine(gap.edit, from: old, to: new, nodesVisited: &nodesVisited, areIdentical, &edits)
    }
    return isIdle(edits, from: old, to: new, nodesVisited: &nodesVisited, areIdentical) ? [] : edits
  }

  /// Whether the edits lead from the old tree to an equal one. A list of equal elements that lost its first element and
  /// gained a last one has its shared nodes at other positions, and is still an equal list.
  ///
  /// Usually the first comparison finds a difference.
  @inlinable
  static func isIdle(
    _ edits: [Edit], from old: OrderedTree, to new: OrderedTree, nodesVisited: inout Int,
    _ areIdentical: (Element, Element) -> Bool
  ) -> Bool {
    guard edits.count > 1, old.count == new.count, let first = edits.first, let last = edits.last else { return false }
    // As many elements were inserted as removed, so positions agree before the first edit and after the last.
    assert(first.oldRange.lowerBound == first.newRange.lowerBound, "Positions agree before the first edit.")
    let range = first.oldRange.lowerBound..<last.oldRange.upperBound
    let length = commonLength(
      old.iterator(from: range.lowerBound), new.iterator(from: range.lowerBound), limit: range.count, areIdentical)
    nodesVisited += length / leafCapacity
    return length == range.count
  }
}

extension OrderedTree {
  /// A node in the frontier of the walk, with the position of its first element in its tree.
  @usableFromInline
  @frozen
  struct PositionedNode {
    @usableFromInline var node: Node
    @usableFromInline var start: Int
    @usableFromInline var identity: UInt

    @inlinable
    init(_ node: Node, start: Int) {
      self.node = node
      self.start = start
      self.identity = node.identity
    }
  }

  /// A range between two shared nodes: its nodes in each frontier, and its elements.
  @usableFromInline
  @frozen
  struct Gap {
    @usableFromInline var oldNodes: Range<Int>
    @usableFromInline var newNodes: Range<Int>
    @usableFromInline var edit: Edit

    @inlinable
    init(oldNodes: Range<Int>, newNodes: Range<Int>, edit: Edit) {
      self.oldNodes = oldNodes
      self.newNodes = newNodes
      self.edit = edit
    }

    /// Whether the gap is a pure insertion or removal, which descending further cannot refine.
    @inlinable
    var isFinal: Bool { oldNodes.isEmpty || newNodes.isEmpty }
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
  @usableFromInline
  @frozen
  struct ChangeWalk {
    @usableFromInline var oldFrontier: ContiguousArray<PositionedNode>
    @usableFromInline var newFrontier: ContiguousArray<PositionedNode>
    @usableFromInline var oldHeight: Int
    @usableFromInline var newHeight: Int
    /// Ascending and disjoint in both trees.
    @usableFromInline var gaps: ContiguousArray<Gap>
    @usableFromInline var nodesVisited = 2

    @inlinable
    init(from old: OrderedTree, to new: OrderedTree) {
      oldFrontier = old.isEmpty ? [] : [PositionedNode(old.root, start: 0)]
      newFrontier = new.isEmpty ? [] : [PositionedNode(new.root, start: 0)]
      oldHeight = old.root.height
      newHeight = new.root.height
      let all = Edit(oldRange: 0..<old.count, newRange: 0..<new.count)
      gaps = [Gap(oldNodes: 0..<oldFrontier.count, newNodes: 0..<newFrontier.count, edit: all)]
    }

    /// Leaves in `gaps` the ranges between the leaves that both trees have.
    @inlinable
    mutating func run() {
      // The height of a node never changes, so a shared node is on the same level in both trees.
      while oldHeight != newHeight { descend(old: oldHeight > newHeight, new: newHeight > oldHeight) }
      assert(oldHeight == newHeight, "Both trees are compared level by level.")
      splitGaps()
      while oldHeight > 0 && !gaps.allSatisfy(\.isFinal) {
        descend()
        splitGaps()
      }
    }

    /// Moves one frontier or both one level down, and drops the nodes of final gaps from them.
    @inlinable
    mutating func descend(old descendsOld: Bool = true, new descendsNew: Bool = true) {
      var oldBelow: ContiguousArray<PositionedNode> = []
      var newBelow: ContiguousArray<PositionedNode> = []
      for index in gaps.indices {
        var gap = gaps[index]
        if gap.isFinal {
          gap.oldNodes = 0..<0
          gap.newNodes = 0..<0
        } else if descendsOld && descendsNew && gap.oldNodes.count == 1 && gap.newNodes.count == 1 {
          expandPair(&gap, old: &oldBelow, new: &newBelow)
        } else {
          if descendsOld { gap.oldNodes = expand(oldFrontier[gap.oldNodes], into: &oldBelow) }
          if descendsNew { gap.newNodes = expand(newFrontier[gap.newNodes], into: &newBelow) }
        }
        gaps[index] = gap
      }
      if descendsOld { (oldFrontier, oldHeight) = (oldBelow, oldHeight - 1) }
      if descendsNew { (newFrontier, newHeight) = (newBelow, newHeight - 1) }
      assert(oldHeight >= 0 && newHeight >= 0, "A leaf has no level below it.")
    }

    /// Adds the children of some nodes to a frontier and returns their indices in it.
    @inlinable
    mutating func expand(
      _ nodes: ArraySlice<PositionedNode>, into below: inout ContiguousArray<PositionedNode>
    ) -> Range<Int> {
      let first = below.count
      for placed in nodes {
        guard case .inner(let children) = placed.node else { fatalError("A leaf has no level below it.") }
        _ = appendChildren(children[...], from: placed.start, in: &below)
        nodesVisited += children.count
      }
      return first..<below.count
    }

    /// Expands a gap of one node on each side, which is what a single change leaves on every level. Only the children
    /// between the first and the last difference enter the frontiers.
    @inlinable
    mutating func expandPair(
      _ gap: inout Gap, old oldBelow: inout ContiguousArray<PositionedNode>,
      new newBelow: inout ContiguousArray<PositionedNode>
    ) {
      let old = oldFrontier[gap.oldNodes.lowerBound]
      let new = newFrontier[gap.newNodes.lowerBound]
      guard case .inner(let olds) = old.node, case .inner(let news) = new.node else {
        fatalError("A leaf has no level below it.")
      }
      nodesVisited += olds.count + news.count
      let shorter = Swift.min(olds.count, news.count)
      var prefix = 0
      var prefixCount = 0
      while prefix < shorter, olds[prefix].node.identity == news[prefix].node.identity {
        prefixCount += olds[prefix].count
        prefix += 1
      }
      var suffix = 0
      while suffix < shorter - prefix,
        olds[olds.count - 1 - suffix].node.identity == news[news.count - 1 - suffix].node.identity
      {
        suffix += 1
      }
      let oldFirst = oldBelow.count
      let newFirst = newBelow.count
      let oldStart = old.start + prefixCount
      let newStart = new.start + prefixCount
      let oldEnd = appendChildren(olds[prefix..<olds.count - suffix], from: oldStart, in: &oldBelow)
      let newEnd = appendChildren(news[prefix..<news.count - suffix], from: newStart, in: &newBelow)
      gap.oldNodes = oldFirst..<oldBelow.count
      gap.newNodes = newFirst..<newBelow.count
      assert(prefix + suffix <= shorter, "A child is common at one end.")
      gap.edit = Edit(oldRange: oldStart..<oldEnd, newRange: newStart..<newEnd)
    }

    /// Adds neighbouring children to a frontier.
    ///
    /// - Returns: The position after their last element.
    @inlinable
    func appendChildren(
      _ children: ArraySlice<Child>, from start: Int, in below: inout ContiguousArray<PositionedNode>
    ) -> Int {
      var position = start
      for child in children {
        below.append(PositionedNode(child.node, start: position))
        position += child.count
      }
      return position
    }

    /// Splits every gap at the shared nodes in it.
    @inlinable
    mutating func splitGaps() {
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

    @inlinable
    func split(_ gap: Gap, into smaller: inout ContiguousArray<Gap>) {
      var rest = gap
      for anchor in anchors(in: gap) {
        let old = oldFrontier[anchor.old]
        let new = newFrontier[anchor.new]
        let before = Gap(
          oldNodes: rest.oldNodes.lowerBound..<anchor.old, newNodes: rest.newNodes.lowerBound..<anchor.new,
          edit: Edit(
            oldRange: rest.edit.oldRange.lowerBound..<old.start, newRange: rest.edit.newRange.lowerBound..<new.start))
        if !before.oldNodes.isEmpty || !before.newNodes.isEmpty { smaller.append(before) }
        let count = old.node.count
        rest.oldNodes = anchor.old + 1..<rest.oldNodes.upperBound
        rest.newNodes = anchor.new + 1..<rest.newNodes.upperBound
        rest.edit.oldRange = old.start + count..<rest.edit.oldRange.upperBound
        rest.edit.newRange = new.start + count..<rest.edit.newRange.upperBound
      }
      if !rest.oldNodes.isEmpty || !rest.newNodes.isEmpty { smaller.append(rest) }
    }
  }
}
