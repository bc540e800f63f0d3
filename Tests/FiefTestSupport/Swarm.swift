/// Which operations a random history may do, and how often.
///
/// A test that always mixes everything seldom goes far in any direction: deletes keep it small, clears keep it empty.
/// So each history switches some operations off and tunes the others, and bugs that need a long run of one kind, or the
/// absence of another, come within reach. (Groce, Zhang, Eide, Chen and Regehr, "Swarm Testing", ISSTA 2012.)
///
///     var random = seed.random
///     let swarm = Swarm([(.insert, 8), (.remove, 4), (.clear, 1)], using: &random)
///     for _ in 0..<1000 { switch swarm.next(using: &random) { ... } }
public struct Swarm<Operation> {
  /// The operations that this history does, each with its weight of at least 1.
  public let weights: [(value: Operation, weight: Int)]

  /// A random choice among the operations: each is kept as often as not, at least one is, and a kept weight is anything
  /// from its quarter to its fourfold.
  ///
  /// - Parameters:
  ///   - operations: What could be done, with the usual weight, at least 1. Traps if there is none.
  ///   - random: Where the choice comes from.
  /// - Complexity: O(*n*).
  public init(_ operations: [(Operation, Int)], using random: inout SeededRandom) {
    guard !operations.isEmpty else { fatalError("A swarm needs an operation.") }
    let certain = random.below(operations.count)
    var kept: [(value: Operation, weight: Int)] = []
    for (index, (operation, weight)) in operations.enumerated() {
      guard weight > 0 else { fatalError("An operation of weight \(weight) would never happen.") }
      // Both numbers are drawn in any case: what one operation gets does not shift the numbers of the next.
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
