import FiefGraph
import Testing

struct OrderedTreeChangesTests {
  /// Applies edits to the older elements, with new elements from the newer; traps on invalid edits.
  static func apply<Element>(_ edits: [OrderedTreeEdit], to old: [Element], from new: [Element]) -> [Element] {
    var result: [Element] = []
    var next = 0
    for edit in edits {
      result += old[next..<edit.oldRange.lowerBound]
      #expect(result.count == edit.newRange.lowerBound)
      result += new[edit.newRange]
      next = edit.oldRange.upperBound
    }
    return result + old[next...]
  }

  /// Checks that the edits are correct and well formed; returns them and the number of visited nodes.
  @discardableResult
  static func check<Element: Equatable>(
    _ old: OrderedTree<Element>, _ new: OrderedTree<Element>, _ context: @autoclosure () -> String
  ) -> (edits: [OrderedTreeEdit], nodesVisited: Int) {
    var nodesVisited = 0
    let edits = OrderedTree.changes(from: old, to: new, nodesVisited: &nodesVisited, areIdentical: ==)
    #expect(apply(edits, to: Array(old), from: Array(new)) == Array(new), "\(context())")
    for edit in edits { #expect(!edit.oldRange.isEmpty || !edit.newRange.isEmpty, "\(context())") }
    for (one, next) in zip(edits, edits.dropFirst()) {
      #expect(one.oldRange.upperBound < next.oldRange.lowerBound, "\(context())")
      #expect(one.newRange.upperBound < next.newRange.lowerBound, "\(context())")
    }
    return (edits, nodesVisited)
  }

  static let million = OrderedTree(0..<1_000_000)

  @Test(arguments: [0, 1, 127, 128, 500_000, 999_998, 999_999])
  func oneChangeInAMillionIsFoundInAFewNodes(position: Int) {
    let old = Self.million
    var new = old
    new.replace(at: position, with: -1)
    var found = 0
    func edits() -> [OrderedTreeEdit] {
      found = 0
      return OrderedTree.changes(from: old, to: new, nodesVisited: &found, areIdentical: ==)
    }
    #expect(edits() == [.init(oldRange: position..<position + 1, newRange: position..<position + 1)])
    #expect(found <= 200)
    new = old
    new.insert(-1, at: position)
    #expect(edits() == [.init(oldRange: position..<position, newRange: position..<position + 1)])
    #expect(found <= 200)
    new = old
    new.remove(at: position)
    #expect(edits() == [.init(oldRange: position..<position + 1, newRange: position..<position)])
    #expect(found <= 200)
    new = old
    new.append(-1)
    #expect(edits() == [.init(oldRange: 1_000_000..<1_000_000, newRange: 1_000_000..<1_000_001)])
    #expect(found <= 200)
  }

  @Test func scatteredChangesCostWhatTheyAre() {
    for count in [10, 100, 1000] {
      var random = OrderedTreeRandom(seed: UInt64(count))
      let old = Self.million
      var new = old
      for _ in 0..<count {
        let position = random.below(new.count)
        switch random.below(3) {
        case 0: new.insert(-1, at: position)
        case 1: new.remove(at: position)
        default: new.replace(at: position, with: -1)
        }
      }
      var nodesVisited = 0
      let edits = OrderedTree.changes(from: old, to: new, nodesVisited: &nodesVisited, areIdentical: ==)
      #expect(edits.count <= count && edits.count >= count * 9 / 10, "seed \(count)")
      #expect(nodesVisited <= 160 * count + 200, "seed \(count)")
    }
  }

  @Test func aLongCutAndALongInsertionCostLittle() {
    let old = Self.million
    var new = old
    new.removeSubrange(300_000..<700_001)
    var nodesVisited = 0
    #expect(
      OrderedTree.changes(from: old, to: new, nodesVisited: &nodesVisited, areIdentical: ==)
        == [.init(oldRange: 300_000..<700_001, newRange: 300_000..<300_000)])
    // The removed range is 3,126 leaves and their parents. No nodes far from it may be visited.
    #expect(nodesVisited <= 3800)
    nodesVisited = 0
    #expect(
      OrderedTree.changes(from: new, to: old, nodesVisited: &nodesVisited, areIdentical: ==)
        == [.init(oldRange: 300_000..<300_000, newRange: 300_000..<700_001)])
    #expect(nodesVisited <= 3800)
  }

  @Test func identicalAndEmptyTreesNeedNoEditsOrOne() {
    let tree = OrderedTree(wides(100))
    #expect(Self.check(tree, tree, "itself").edits.isEmpty)
    #expect(Self.check(OrderedTree<Wide>(), OrderedTree(), "both empty").edits.isEmpty)
    #expect(Self.check(OrderedTree(), tree, "from empty").edits == [.init(oldRange: 0..<0, newRange: 0..<100)])
    #expect(Self.check(tree, OrderedTree(), "to empty").edits == [.init(oldRange: 0..<100, newRange: 0..<0)])
    #expect(Self.check(tree, OrderedTree(wides(100)), "equal but apart").edits.isEmpty)
  }

  @Test func treesGrownFromOneAnotherAreComparedAcrossHeights() {
    var tree = OrderedTree<Wide>()
    var versions: [OrderedTree<Wide>] = []
    for number in 0..<5000 {
      if [0, 1, 16, 17, 256, 257, 300, 4096, 4097, 4999].contains(number) { versions.append(tree) }
      tree.append(Wide(number))
    }
    for old in versions {
      for new in versions {
        let expected = min(old.count, new.count)
        let edits = Self.check(old, new, "\(old.count) to \(new.count)").edits
        if old.count != new.count {
          #expect(edits == [.init(oldRange: expected..<old.count, newRange: expected..<new.count)])
        }
      }
    }
  }

  @Test(arguments: UInt64(41)...52)
  func randomHistoriesAreDescribed(seed: UInt64) {
    var random = OrderedTreeRandom(seed: seed)
    var tree = OrderedTree(wides(random.below(3000)))
    var model = Array(tree)
    var past = [tree]
    for number in 0..<60 {
      let old = tree
      for _ in 0...random.below(6) {
        _ = OrderedTreeModelTests.step(&tree, &model, &random, growing: model.count < 2000, make: Wide.init)
      }
      Self.check(old, tree, "seed \(seed), step \(number)")
      Self.check(past[random.below(past.count)], tree, "seed \(seed), step \(number), from long ago")
      past.append(tree)
    }
  }

  @Test(arguments: UInt64(61)...70)
  func treesWithoutACommonPastAreDescribedToo(seed: UInt64) {
    var random = OrderedTreeRandom(seed: seed)
    for number in 0..<60 {
      // Few different values, so that equal elements often occur by chance.
      let alphabet = [2, 5, 1000][number % 3]
      let old = (0..<random.below(number < 50 ? 100 : 9000)).map { _ in Wide(random.below(alphabet)) }
      var new = old
      for _ in 0..<random.below(20) { new.replaceSubrange(random.range(in: new.count), with: [Wide(-1), Wide(1)]) }
      Self.check(OrderedTree(old), OrderedTree(new), "seed \(seed), pair \(number)")
    }
  }

  @Test func smallChangesTakeAsFewElementsAsPossible() {
    // Compares with the classic table of Wagner and Fischer (1974).
    var random = OrderedTreeRandom(seed: 7)
    for number in 0..<300 {
      let old = (0..<random.below(40)).map { _ in random.below(4) }
      let new = (0..<random.below(40)).map { _ in random.below(4) }
      let edits = Self.check(OrderedTree(old), OrderedTree(new), "pair \(number)").edits
      let cost = edits.reduce(0) { $0 + $1.oldRange.count + $1.newRange.count }
      var row = Array(0...new.count)
      for (index, element) in old.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in new.indices {
          let above = row[column + 1]
          row[column + 1] = element == new[column] ? diagonal : min(above, row[column]) + 1
          diagonal = above
        }
      }
      #expect(cost == row[new.count], "seed 7, pair \(number)")
    }
  }

  @Test func scatteredReplacementsInUnrelatedTreesStayScattered() {
    let old = Array(0..<50_000)
    var new = old
    for position in stride(from: 3, to: 50_000, by: 100) { new[position] = -1 }
    let edits = Self.check(OrderedTree(old), OrderedTree(new), "scattered").edits
    #expect(edits.count == 500)
    #expect(edits.allSatisfy { $0.oldRange.count == 1 && $0.newRange.count == 1 })
  }

  @Test func aMovedStretchIsOneRemovalAndOneInsertion() {
    let old = Self.million
    var new = old
    let stretch = OrderedTree(Array(old[100_000..<200_000]))
    new.removeSubrange(100_000..<200_000)
    new.insert(contentsOf: stretch, at: 500_000)
    let edits = Self.check(old, new, "moved").edits
    #expect(edits.count == 2)
    #expect(edits.reduce(0) { $0 + $1.oldRange.count + $1.newRange.count } == 200_000)
  }
}
