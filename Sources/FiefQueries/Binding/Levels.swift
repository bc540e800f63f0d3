/// A set of nesting levels: 0 for the row of the query, 1 for an element of an outermost subquery, and so on.
struct Levels: OptionSet, Sendable {
  /// A bit for each level. Subqueries nest no deeper than `Binder.subqueryLimit`.
  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  /// One level.
  init(level: Int) {
    assert(0..<64 ~= level, "A set has a bit for each level.")
    self.init(rawValue: 1 << UInt64(level))
  }

  /// The levels of the set up to `level`.
  func through(_ level: Int) -> Levels {
    assert(0..<64 ~= level, "A set has a bit for each level.")
    return Levels(rawValue: rawValue & ((2 << UInt64(level)) &- 1))
  }

  /// The deepest level; nil for no level.
  var deepest: Int? { rawValue == 0 ? nil : 63 - rawValue.leadingZeroBitCount }

  /// The number of levels, without the row of the query.
  var elementCount: Int { (rawValue >> 1).nonzeroBitCount }

  /// The levels in ascending order, without the deepest one.
  var butDeepest: [Int] { (0..<(deepest ?? 0)).filter { contains(Levels(level: $0)) } }
}
