import FiefGraph
import Testing

/// Exhaustive tests of small spaces: every operation at every position, around the sizes at which nodes split and
/// merge.
struct OrderedTreeSmallSpaceTests {
  /// Trees of one size in the relevant shapes: full leaves, half leaves, and the smallest leaves that removals leave.
  static func shapes(_ count: Int) -> [(tree: OrderedTree<Wide>, model: [Wide])] {
    let full = OrderedTree(wides(count))
    var half = OrderedTree<Wide>()
    for element in wides(count).reversed() { half.insert(element, at: 0) }
    var thin = OrderedTree(wides(count * 3))
    var model = wides(count * 3)
    var position = 0
    while model.count > count {
      position = (position + 2) % model.count
      thin.remove(at: position)
      model.remove(at: position)
    }
    return [(full, wides(count)), (half, wides(count)), (thin, model)]
  }

  @Test func everySingleStepIsRight() {
    for count in Array(0...52) + [79, 80, 81, 256, 257, 273] {
      for shape in Self.shapes(count) {
        for position in stride(from: 0, through: count, by: count > 100 ? 5 : 1) {
          var tree = shape.tree
          var model = shape.model
          tree.insert(Wide(-1), at: position)
          model.insert(Wide(-1), at: position)
          tree.expect(model, "insert at \(position) of \(count)")
          if position == count { continue }
          tree = shape.tree
          model = shape.model
          #expect(tree.remove(at: position) == model.remove(at: position))
          tree.expect(model, "remove at \(position) of \(count)")
        }
        shape.tree.expect(shape.model, "the original of \(count)")
      }
    }
  }

  /// All sequences of three operations at five positions, beginning with shared storage.
  @Test(arguments: [5, 16, 17, 21, 33])
  func everyShortHistoryIsRight(count: Int) {
    for shape in Self.shapes(count).suffix(2) {
      for code in 0..<1000 {
        var tree = shape.tree
        var model = shape.model
        var rest = code
        for _ in 0..<3 {
          let operation = rest % 10
          rest /= 10
          let index = operation % 5 * max(0, model.count - 1) / 4
          if operation < 5 {
            tree.insert(Wide(code), at: index)
            model.insert(Wide(code), at: index)
          } else if !model.isEmpty {
            tree.remove(at: index)
            model.remove(at: index)
          }
        }
        if tree.count != model.count || !tree.elementsEqual(model) || !tree.checkInvariants(areIdentical: ==).isEmpty {
          tree.expect(model, "history \(code) on \(count)")
        }
      }
    }
  }

  @Test(arguments: [0, 1, 16, 17, 40, 70])
  func everyRangeCanBeCutOut(count: Int) {
    for shape in Self.shapes(count) {
      for lower in 0...count {
        for upper in lower...count {
          var tree = shape.tree
          var model = shape.model
          tree.removeSubrange(lower..<upper)
          model.removeSubrange(lower..<upper)
          tree.expect(model, "cut \(lower)..<\(upper) out of \(count)")
        }
      }
    }
  }

  @Test func treesOfAllHeightsCanBeJoined() {
    let sizes = [0, 1, 4, 5, 16, 17, 31, 81, 255, 256, 257, 1300, 4097]
    for left in sizes {
      for right in sizes {
        for (one, other) in zip(Self.shapes(left), Self.shapes(right).reversed()) {
          var tree = one.tree
          tree.append(contentsOf: other.tree)
          tree.expect(one.model + other.model, "\(left) + \(right)")
        }
      }
    }
  }

  @Test func everyCutOfATallTreeIsSound() {
    let count = 4600
    let model = wides(count)
    let tree = OrderedTree(model)
    for lower in stride(from: 0, to: count, by: 37) {
      for length in [1, 9, 16, 255, 256, 1111, count - lower] where lower + length <= count {
        var cut = tree
        cut.removeSubrange(lower..<lower + length)
        let faults = cut.checkInvariants(areIdentical: ==)
        #expect(faults.isEmpty, "\(lower) + \(length)")
        #expect(cut.count == count - length)
        if lower < cut.count { #expect(cut[lower] == model[lower + length]) }
      }
    }
  }

  @Test func appendingLeavesFullLeavesBehind() {
    var tree = OrderedTree<Wide>()
    for element in wides(1000) { tree.append(element) }
    var sizes: [Int] = []
    tree.forEachLeaf(in: 0..<1000) { slice, _ in
      sizes.append(slice.count)
      return true
    }
    #expect(sizes.dropLast().allSatisfy { $0 == 16 })
  }
}
