import FiefGraph
import FiefTestSupport
import Testing

struct OrderedTreeTrapTests {
  @Test func readingBeyondTheEndTraps() async {
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedTree([1, 2, 3])[3]
    }
    expectSentence("Position 3 is out of range: the tree has 3 elements", of: element)
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedTree([1, 2, 3])[-1]
    }
    expectSentence("Position -1 is out of range: the tree has 3 elements", of: negative)
    let forward = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedTree([1, 2, 3]).iterator(from: 4)
    }
    expectSentence("Position 4 is out of range: in a tree of 3 elements", of: forward)
    let backward = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedTree([1, 2, 3]).reverseIterator(before: -1)
    }
    expectSentence("Position -1 is out of range: in a tree of 3 elements", of: backward)
    let leaves = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      OrderedTree([1, 2, 3]).forEachLeaf(in: 2..<4) { _, _ in true }
    }
    expectSentence("Positions 2..<4 are out of range: the tree has 3 elements", of: leaves)
  }

  @Test func changingBeyondTheEndTraps() async {
    let inserting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.insert(4, at: 4)
    }
    expectSentence("Position 4 is out of range: in a tree of 3 elements", of: inserting)
    let removing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.remove(at: 3)
    }
    expectSentence("Position 3 is out of range: the tree has 3 elements", of: removing)
    let replacing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.replace(at: -1, with: 0)
    }
    expectSentence("Position -1 is out of range: the tree has 3 elements", of: replacing)
    let moving = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.move(from: 0, to: 3)
    }
    expectSentence("Position 3 is out of range: the tree has 3 elements", of: moving)
    let swapping = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.swapAt(3, 0)
    }
    expectSentence("Position 3 is out of range: the tree has 3 elements", of: swapping)
    let removingSeveral = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.removeSubrange(1..<4)
    }
    expectSentence("Positions 1..<4 are out of range: the tree has 3 elements", of: removingSeveral)
    let insertingSeveral = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = OrderedTree([1, 2, 3])
      tree.insert(contentsOf: [4], at: 5)
    }
    expectSentence("Positions 5..<5 are out of range: the tree has 3 elements", of: insertingSeveral)
  }
}
