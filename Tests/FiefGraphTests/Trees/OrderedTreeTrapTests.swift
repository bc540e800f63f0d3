import FiefGraph
import Testing

struct OrderedTreeTrapTests {
  @Test func readingBeyondTheEndTraps() async {
    await #expect(processExitsWith: .failure) { _ = OrderedTree([1, 2, 3])[3] }
    await #expect(processExitsWith: .failure) { _ = OrderedTree([1, 2, 3])[-1] }
    await #expect(processExitsWith: .failure) { _ = OrderedTree([1, 2, 3]).iterator(from: 4) }
    await #expect(processExitsWith: .failure) { _ = OrderedTree([1, 2, 3]).reverseIterator(before: -1) }
    await #expect(processExitsWith: .failure) { OrderedTree([1, 2, 3]).forEachLeaf(in: 2..<4) { _, _ in true } }
  }

  @Test func changingBeyondTheEndTraps() async {
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.insert(4, at: 4)
    }
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.remove(at: 3)
    }
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.replace(at: -1, with: 0)
    }
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.move(from: 0, to: 3)
    }
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.swapAt(3, 0)
    }
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.removeSubrange(1..<4)
    }
    await #expect(processExitsWith: .failure) {
      var tree = OrderedTree([1, 2, 3])
      tree.insert(contentsOf: [4], at: 5)
    }
  }
}
