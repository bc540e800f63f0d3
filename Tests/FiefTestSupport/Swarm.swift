/// The operations of a random history, with their frequencies.
///
/// A test that always mixes all operations seldom goes far in any direction: deletions keep the data small, and clears
/// keep it empty. So each history disables some operations and changes the weights of the others. This reaches bugs
/// that need many operations of one kind, or the absence of another. (Groce, Zhang, Eide, Chen and Regehr, "Swarm
/// Testing", ISSTA 2012.)
///
///     var random = seed.random
///     let swarm = Swarm([(.insert, 8), (.remove, 4), (.clear, 1)], using: &random)
///     for _ in 0..<1000 { switch swarm.next(using: &random) { ... } }
public struct Swarm<Operation> {
  /// The operations of this history, each with its weight of at least 1.
  public let weights: [(value: Operation, weight: Int)]

  /// A random choice among the operations. Each is kept with a probability of one half, and at least one is kept. A
  /// kept weight is multiplied by 1/4, 1/2, 1, 2 or 4.
  ///
  /// - Parameters:
  ///   - operations: The possible operations with their usual weights, at least 1. Traps if it is empty.
  ///   - random: The source of the choice.
  /// - Complexity: O(*n*).
  public init(_ operations: [(Operation, Int)], using random: inout SeededRandom) {
    guard !operations.isEmpty else { fatalError("A swarm needs an operation.") }
    let certain = random.below(operations.count)
    var kept: [(value: Operation, weight: Int)] = []
    for (index, (operation, weight)) in operations.enumerated() {
      guard weight > 0 else { fatalError("An operation of weight \(weight) would never happen.") }
      // Both numbers are always drawn, so that one operation does not shift the numbers of the next.
      let isKept = random.bool()
      let scale = random.below(5)
      if isKept || index == certain { kept.append((operation, Swift.max(1, (weight << scale) / 4))) }
    }
    weights = kept
  }

  /// The next operation of the history.
  ///
  /// - Complexity: O(*n*) in the number of kept operations.
  public func next(using random: inout SeededRandom) -> Operation {
    random.weighted(weights)
  }
}
