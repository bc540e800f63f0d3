import FiefGraph

/// The part of a comparison that an index can answer: a condition on the values of one column.
struct Constraint: Sendable {
  enum Wanted: Sendable {
    /// Any of these values.
    case values([Value])
    /// Values between two bounds, where nil means unbounded. The bounds are never null.
    case range(low: Value?, includesLow: Bool, high: Value?, includesHigh: Bool)
    case prefix(String)
    /// Strings that match a search for words.
    case words(WordSearch)
  }

  let column: ColumnKey
  let wanted: Wanted
}

/// The parts of a conjunction that indexes can answer.
///
///     a == 1 AND b > 2 AND f(c) AND (d == 3 OR e == 4 AND f(g))
///
///     constraints: a == 1, b > 2    count: 4    alternatives: [d == 3 | e == 4]
struct Conjunction: Sendable {
  /// The constraints among the conjuncts.
  var constraints: [Constraint] = []
  /// The number of conjuncts.
  var count = 0
  /// The disjunctions among the conjuncts in which every branch has a constraint.
  var alternatives: [[Conjunction]] = []

  var isEmpty: Bool { constraints.isEmpty && alternatives.isEmpty }
}
