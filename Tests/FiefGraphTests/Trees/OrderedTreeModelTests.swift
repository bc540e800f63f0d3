import FiefGraph
import Testing

/// Random histories against `Array`, with saved copies that must never change.
struct OrderedTreeModelTests {
  /// Performs one random operation on a tree and on its model, and returns its description.
  static func step<Element: Equatable>(
    _ tree: inout OrderedTree<Element>, _ model: inout [Element], _ random: inout OrderedTreeRandom,
    growing: Bool, make: (Int) -> Element
  ) -> String {
    let element = make(random.below(1_000_000))
    let position = random.below(model.count)
    switch random.below(model.isEmpty ? 4 : 16) {
    case 0:
      tree.append(element)
      model.append(element)
      return "append"
    case 1, 2:
      let gap = random.below(model.count + 1)
      tree.insert(element, at: gap)
      model.insert(element, at: gap)
      return "insert at \(gap)"
    case 3:
      let gap = random.below(model.count + 1)
      let elements = (0..<random.below(growing ? 120 : 12)).map { _ in make(random.below(1_000_000)) }
      tree.insert(contentsOf: elements, at: gap)
      model.insert(contentsOf: elements, at: gap)
      return "insert \(elements.count) at \(gap)"
    case 4, 5, 6:
      #expect(tree.remove(at: position) == model.remove(at: position))
      return "remove at \(position)"
    case 7:
      #expect(tree.replace(at: position, with: element) == model[position])
      model[position] = element
      return "replace at \(position)"
    case 8:
      tree.update(at: position) { $0 = element }
      model[position] = element
      return "update at \(position)"
    case 9:
      let range = growing ? position..<min(model.count, position + 3) : random.range(in: model.count)
      tree.removeSubrange(range)
      model.removeSubrange(range)
      return "remove \(range)"
    case 10:
      let range = random.range(in: model.count)
      let elements = (0..<random.below(range.count * 2 + 3)).map { _ in make(random.below(1_000_000)) }
      tree.replaceSubrange(range, with: elements)
      model.replaceSubrange(range, with: elements)
      return "replace \(range) with \(elements.count)"
    case 11:
      let target = random.below(model.count)
      tree.move(from: position, to: target)
      model.insert(model.remove(at: position), at: target)
      return "move \(position) to \(target)"
    case 12:
      let other = random.below(model.count)
      tree.swapAt(position, other)
      model.swapAt(position, other)
      return "swap \(position) and \(other)"
    case 13:
      // Inserts the tree's own nodes a second time at another position.
      let gap = random.below(model.count + 1)
      if model.count < 400 {
        tree.insert(contentsOf: tree, at: gap)
        model.insert(contentsOf: model, at: gap)
      }
      return "insert itself at \(gap)"
    case 14:
      let victims = (0..<3).map { _ in model[random.below(model.count)] }
      tree.removeAll { victims.contains($0) }
      model.removeAll { victims.contains($0) }
      return "remove where"
    default:
      if random.below(40) == 0 {
        tree.removeAll()
        model.removeAll()
      }
      return "maybe remove all"
    }
  }

  static func run<Element: Equatable>(
    seed: UInt64, steps: Int, growing: Bool, checkEvery: Int, make: (Int) -> Element
  ) {
    var random = OrderedTreeRandom(seed: seed)
    var tree = OrderedTree<Element>()
    var model: [Element] = []
    var saved: [(tree: OrderedTree<Element>, model: [Element], step: Int)] = []
    for number in 0..<steps {
      if random.below(10) == 0 { saved.append((tree, model, number)) }
      if saved.count > 60 { saved.remove(at: random.below(60)) }
      let before = tree.count
      let operation = step(&tree, &model, &random, growing: growing, make: make)
      #expect(tree.count == model.count, "seed \(seed), step \(number): \(operation) on \(before)")
      if number % checkEvery == 0 { tree.expect(model, "seed \(seed), step \(number): \(operation) on \(before)") }
      if tree.count != model.count { return }
    }
    tree.expect(model, "seed \(seed), at the end")
    for copy in saved { copy.tree.expect(copy.model, "seed \(seed), the copy saved before step \(copy.step)") }
  }

  @Test(arguments: UInt64(1)...8)
  func wideElementsBehaveAsInAnArray(seed: UInt64) {
    Self.run(seed: seed, steps: 2500, growing: seed % 2 == 0, checkEvery: 20, make: Wide.init)
  }

  @Test(arguments: UInt64(11)...13)
  func numbersBehaveAsInAnArray(seed: UInt64) {
    Self.run(seed: seed, steps: 3000, growing: true, checkEvery: 50) { Int64($0) }
  }

  @Test(arguments: UInt64(21)...23)
  func stringsBehaveAsInAnArray(seed: UInt64) {
    Self.run(seed: seed, steps: 2000, growing: true, checkEvery: 50) { "a string of some length \($0)" }
  }

  @Test func aTreeThatShrinksToNothingIsSoundAllTheWay() {
    for seed in UInt64(31)...33 {
      var random = OrderedTreeRandom(seed: seed)
      var model = wides(1500)
      var tree = OrderedTree(model)
      while !model.isEmpty {
        // Removes from the ends and the middle in turn, because each causes different merges.
        let position = [0, model.count - 1, random.below(model.count)][Int(seed % 3)]
        #expect(tree.remove(at: position) == model.remove(at: position))
        if model.count % 7 == 0 { tree.expect(model, "seed \(seed), \(model.count) left") }
      }
      tree.expect([], "seed \(seed)")
    }
  }
}
