import FiefGraph

/// What a comparison asks of one column in terms that an index understands.
struct Constraint: Sendable {
  enum Wanted: Sendable {
    /// One of these values.
    case values([Value])
    /// Between two values; nil for no end. Never null.
    case range(low: Value?, includesLow: Bool, high: Value?, includesHigh: Bool)
    /// A text that begins so.
    case prefix(String)
    /// A text with words, of which some are wanted.
    case words(WordSearch)
  }

  let column: ColumnKey
  let wanted: Wanted
}

/// What a condition asks in terms that indexes understand.
///
///     a == 1 AND b > 2 AND f(c) AND (d == 3 OR e == 4 AND f(g))
///
///     single: a == 1, b > 2    conjuncts: 4    alternatives: [d == 3 | e == 4]
struct Constraints: Sendable {
  /// Of the conditions that must all hold, those that ask one column something.
  var single: [Constraint] = []
  /// How many conditions must all hold.
  var conjuncts = 0
  /// Of the conditions that must all hold, those of which one of several must, each of which asks a column something.
  var alternatives: [[Constraints]] = []

  var isEmpty: Bool { single.isEmpty && alternatives.isEmpty }
}
