/// A source of choices, which answers "which of n?".
///
/// A generator written for this protocol has two uses. With a ``SeededRandom`` it samples a large space. With an
/// ``Exhaustive`` it walks a small space completely. All other members are derived from ``below(_:)``, so both sources
/// have the same interface.
public protocol Choices {
  /// A number from `0` to `bound - 1`.
  ///
  /// - Parameter bound: The number of outcomes, at least 1. Traps otherwise.
  mutating func below(_ bound: Int) -> Int
}

extension Choices {
  /// `false` or `true`.
  public mutating func bool() -> Bool {
    below(2) == 1
  }

  /// A number in a closed range.
  ///
  /// - Parameter range: The outcomes, at most `Int.max` of them. Traps if there are more.
  public mutating func int(in range: ClosedRange<Int>) -> Int {
    let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflow, width < Int.max else {
      fatalError("A range of \(range) has more outcomes than below(_:) can tell.")
    }
    return range.lowerBound + below(width + 1)
  }

  /// One of the elements, all equally likely.
  ///
  /// - Parameter elements: The elements to choose from. Traps if it is empty.
  /// - Complexity: O(1) for random-access collections, O(*n*) otherwise.
  public mutating func element<C: Collection>(of elements: C) -> C.Element {
    guard !elements.isEmpty else { fatalError("There is no element to choose in an empty collection.") }
    return elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// One of the values, with a probability in proportion to its weight.
  ///
  /// - Parameter choices: Values with weights of at least 0, whose sum is at least 1. Traps otherwise. An exhaustive
  ///   walk visits a value once for each unit of its weight.
  /// - Complexity: O(*n*).
  public mutating func weighted<Value>(_ choices: [(value: Value, weight: Int)]) -> Value {
    var left = below(choices.reduce(0) { $0 + $1.weight })
    for choice in choices {
      if left < choice.weight { return choice.value }
      left -= choice.weight
    }
    fatalError("A weight is negative.")
  }

  /// Shuffles the elements; all orders are equally likely (Fisher and Yates, in Durstenfeld's form of 1964).
  ///
  /// - Complexity: O(*n*).
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, below(last + 1))
    }
  }

  /// The elements in random order; see ``shuffle(_:)``.
  ///
  /// - Complexity: O(*n*).
  public mutating func shuffled<S: Sequence>(_ elements: S) -> [S.Element] {
    var result = Array(elements)
    shuffle(&result)
    return result
  }
}
