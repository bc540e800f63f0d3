import FiefGraph
import Testing

struct OrderedTreeTests {
  @Test func anEmptyTreeHasNothingToOffer() {
    let tree = OrderedTree<String>()
    #expect(tree.isEmpty && tree.count == 0)
    #expect(tree.first == nil && tree.last == nil)
    #expect(Array(tree).isEmpty)
    #expect(tree.partitionPoint { _ in true } == 0)
    var reverse = tree.reverseIterator(before: 0)
    #expect(reverse.next() == nil)
    tree.forEachLeaf(in: 0..<0) { _, _ in
      Issue.record("an empty range has no leaf")
      return true
    }
    tree.expect([], "empty")
  }

  @Test func emptyTreesAreIdenticalHoweverTheyCameAbout() {
    var emptied = OrderedTree(wides(300))
    while !emptied.isEmpty { emptied.remove(at: emptied.count / 2) }
    #expect(emptied.isIdentical(to: OrderedTree()))
  }

  @Test func aCopyIsIdenticalUntilOneOfTheTwoChanges() {
    let tree = OrderedTree(wides(300))
    var copy = tree
    #expect(copy.isIdentical(to: tree))
    copy.replace(at: 7, with: Wide(7))
    #expect(!copy.isIdentical(to: tree))
    #expect(!tree.isIdentical(to: OrderedTree(wides(300))))
    #expect(!tree.isIdentical(to: OrderedTree()))
  }

  @Test func everySizeCanBeBuiltAndRead() {
    for count in 0...600 {
      let model = wides(count)
      let tree = OrderedTree(model)
      tree.expect(model, "built \(count)")
      #expect(tree.first == model.first && tree.last == model.last)
      var grown = OrderedTree<Wide>()
      for element in model { grown.append(element) }
      grown.expect(model, "appended \(count)")
    }
  }

  @Test func everyPositionIsFoundInEveryWay() {
    let model = wides(700)
    let tree = OrderedTree(model)
    for position in 0...700 {
      if position < 700 { #expect(tree[position] == model[position]) }
      #expect(tree.partitionPoint { $0.value >= position } == position)
      var forward = tree.iterator(from: position)
      #expect(forward.next() == (position < 700 ? model[position] : nil))
      var back = tree.reverseIterator(before: position)
      #expect(back.next() == (position > 0 ? model[position - 1] : nil))
    }
    #expect(Array(tree.reverseIterator(before: 700)) == model.reversed())
    #expect(Array(IteratorSequence(tree.iterator(from: 123))) == Array(model[123...]))
  }

  @Test func theFirstOfManyEqualElementsIsFound() {
    let tree = OrderedTree([Int](repeating: 1, count: 1000) + [Int](repeating: 2, count: 1000))
    #expect(tree.partitionPoint { $0 >= 1 } == 0)
    #expect(tree.partitionPoint { $0 >= 2 } == 1000)
    #expect(tree.partitionPoint { $0 >= 3 } == 2000)
  }

  @Test func searchAsksLogarithmicallyOften() {
    let tree = OrderedTree(0..<100_000)
    for key in stride(from: 0, through: 100_000, by: 997) {
      var questions = 0
      let position = tree.partitionPoint {
        questions += 1
        return $0 >= key
      }
      #expect(position == key)
      #expect(questions <= 24)
    }
  }

  @Test func leavesOfARangeCoverItExactly() {
    let tree = OrderedTree(wides(300))
    for lower in stride(from: 0, through: 300, by: 7) {
      for upper in stride(from: lower, through: 300, by: 5) {
        var seen: [Wide] = []
        tree.forEachLeaf(in: lower..<upper) { slice, position in
          #expect(position == lower + seen.count)
          #expect(!slice.isEmpty)
          seen += slice
          return true
        }
        #expect(seen == wides(300)[lower..<upper].map { $0 })
      }
    }
  }

  @Test func aScanStopsWhenItsBodyReturnsFalse() {
    var leaves = 0
    OrderedTree(wides(300)).forEachLeaf(in: 0..<300) { _, _ in
      leaves += 1
      return leaves < 3
    }
    #expect(leaves == 3)
  }

  @Test func aChangeInPlaceReachesTheSeparators() {
    var tree = OrderedTree(wides(600))
    for position in 0..<600 {
      let old = tree.update(at: position) { element in
        defer { element.value += 1000 }
        return element.value
      }
      #expect(old == position)
    }
    tree.expect((1000..<1600).map(Wide.init), "updated")
  }

  @Test func aChangeThatThrowsKeepsWhatItDidAndTheTreeSound() {
    struct Refusal: Error {}
    var tree = OrderedTree(wides(600))
    for position in [0, 1, 16, 17, 256, 599] {
      #expect(throws: Refusal.self) {
        try tree.update(at: position) { element in
          element.value = -1
          throw Refusal()
        }
      }
    }
    var model = wides(600)
    for position in [0, 1, 16, 17, 256, 599] { model[position] = Wide(-1) }
    tree.expect(model, "thrown")
  }

  @Test func aConditionThatThrowsRemovesNothing() {
    struct Refusal: Error {}
    var tree = OrderedTree(wides(100))
    #expect(throws: Refusal.self) {
      try tree.removeAll { element in
        if element.value == 50 { throw Refusal() }
        return true
      }
    }
    tree.expect(wides(100), "nothing removed")
  }

  @Test func aRemovalConditionIsAskedOnceForEachInOrder() {
    for divisor in [1, 2, 7, 300] {
      var tree = OrderedTree(wides(600))
      var asked: [Wide] = []
      tree.removeAll {
        asked.append($0)
        return $0.value % divisor == 0
      }
      #expect(asked == wides(600))
      tree.expect(wides(600).filter { $0.value % divisor != 0 }, "every \(divisor)th")
    }
  }

  @Test func aRemovalEndsWithTheLastElementThatIsToGo() {
    for limit in [0, 1, 3, 40] {
      var tree = OrderedTree(wides(600))
      var asked = 0
      tree.removeAll(atMost: limit) {
        asked += 1
        return $0.value % 5 == 2
      }
      let gone = (0..<limit).map { 5 * $0 + 2 }
      #expect(asked == (gone.last ?? -1) + 1)
      tree.expect(wides(600).filter { !gone.contains($0.value) }, "\(limit) removed")
    }
  }

  @Test func onlyAChangeThatACopyMustNotSeeCopiesLeavesAndThenOnlyOne() {
    func addresses(_ tree: OrderedTree<Wide>) -> [UInt] {
      var addresses: [UInt] = []
      tree.forEachLeaf(in: 0..<tree.count) { slice, _ in
        slice.withUnsafeBufferPointer { addresses.append(UInt(bitPattern: $0.baseAddress)) }
        return true
      }
      return addresses
    }
    var tree = OrderedTree(wides(5000))
    let before = addresses(tree)
    for position in stride(from: 0, to: 5000, by: 3) {
      tree.replace(at: position, with: Wide(-position))
      tree.update(at: position) { $0.value += 1 }
    }
    let stayedInPlace = addresses(tree) == before
    #expect(stayedInPlace)
    let copy = tree
    tree.replace(at: 2500, with: Wide(0))
    let copied = zip(addresses(tree), before).filter { $0 != $1 }.count
    #expect(copied == 1)
    let copyStayed = addresses(copy) == before
    #expect(copyStayed)
  }

  @Test func elementsWithReferencesAreKeptAndLetGo() {
    final class Witness {}
    weak var witness: Witness?
    var tree = OrderedTree<Witness>()
    do {
      let object = Witness()
      witness = object
      tree.append(object)
      for _ in 0..<300 { tree.append(Witness()) }
    }
    #expect(witness != nil)
    var copy = tree
    tree.remove(at: 0)
    #expect(witness != nil)
    copy.remove(at: 0)
    #expect(witness == nil)
  }

  @Test func stringsAndPayloadsWorkAsNumbersDo() {
    enum Payload: Equatable {
      case nothing
      case text(String)
      case pair(Int, [Int])
    }
    let model = (0..<500).map { number -> Payload in
      number % 3 == 0 ? .nothing : number % 3 == 1 ? .text("number \(number)") : .pair(number, [number])
    }
    var tree = OrderedTree(model)
    tree.expect(model, "payloads")
    tree.removeSubrange(10..<490)
    tree.expect(Array(model[..<10] + model[490...]), "payloads cut")
    var texts = OrderedTree<String>()
    for number in 0..<500 {
      let text = "number \(number * 7919 % 500)"
      texts.insert(text, at: texts.partitionPoint { $0 >= text })
    }
    #expect(texts.checkInvariants(areIdentical: ==, isOrdered: <).isEmpty)
    #expect(texts.count == 500)
  }

  @Test func brokenOrderIsReported() {
    let tree = OrderedTree([1, 2, 3, 3, 5, 4])
    let faults = tree.checkInvariants(areIdentical: ==, isOrdered: <)
    #expect(faults.count == 2)
    #expect(faults.first?.hasPrefix("position 3:") == true)
  }

  @Test func separatorsThatAreNotTheFirstElementAreReported() {
    // Only an element like NaN differs from itself, so all separators must be reported, each with its path.
    let faults = OrderedTree(wides(40)).checkInvariants(areIdentical: { _, _ in false })
    #expect(faults.count == 3)
    #expect(faults.last?.hasPrefix("root/2:") == true)
  }
}
