import FiefQueries

/// A format that repeats one form: brackets, negations, subqueries, or a long path.
struct QueryNest {
  /// What begins a level of some number of levels, and what ends it. They are counted from 1.
  let open: @Sendable (_ level: Int, _ depth: Int) -> String
  let close: @Sendable (Int) -> String
  /// The number of levels at most.
  let deepest: Int
  /// The number of levels up to which the naive evaluator knows the answer; 0 if it is not asked.
  let deepestCompared: Int

  /// The forms. Inputs name them by position, so new ones come last.
  static let all = [
    bracket("(", ")"), bracket("NOT ", ""), bracket("NOT (", ")"), bracket("{", "}"), bracket("!", ""),
    bracket("ANY ", ""), bracket("true AND (", ")"),
    // For more levels a debug build needs seconds.
    QueryNest(
      open: { _, _ in "SUBQUERY(things, $x, " }, close: { _ in ").@count > 0" }, deepest: 50_000, compared: 32),
    // A level has two conditions, for which a debug build needs seconds.
    bracket("string == 'a' OR NOT (", ")", deepest: 30_000),
    chain(reading: []), chain(reading: [1]), chain(reading: [1, 2]), chain(reading: [1, 2, 3]),
    QueryNest(
      open: { level, _ in level == 1 ? "ANY things." : "things." }, close: { _ in "" }, deepest: 2000, compared: 12),
    QueryNest(
      open: { ($0 == 1 ? "SUBQUERY(things" : ".things") + ($0 == $1 ? ", $x, " : "") },
      close: { $0 == 1 ? ").@count > 9" : "" }, deepest: 2000, compared: 12),
  ]

  private init(
    open: @escaping @Sendable (Int, Int) -> String, close: @escaping @Sendable (Int) -> String, deepest: Int = 100_000,
    compared: Int = 0
  ) {
    (self.open, self.close, self.deepest) = (open, close, deepest)
    deepestCompared = compared
  }

  private static func bracket(_ open: String, _ close: String, deepest: Int = 100_000) -> QueryNest {
    QueryNest(open: { _, _ in open }, close: { _ in close }, deepest: deepest)
  }

  /// Subqueries over the elements of the one around them, each of which compares its element with outer elements.
  ///
  /// - Parameter distances: how many levels these are further out.
  private static func chain(reading distances: [Int]) -> QueryNest {
    QueryNest(
      open: { level, _ in
        let conditions = distances.filter { level > $0 }.map { "$v\(level).int != $v\(level - $0).intN AND " }
        return "SUBQUERY(\(level == 1 ? "" : "$v\(level - 1).")things, $v\(level), \(conditions.joined())"
      }, close: { ").@count \($0 % 3 == 0 ? "!=" : ">") \($0 % 2)" }, deepest: 40, compared: 32)
  }

  /// The format of some levels.
  func format(_ depth: Int, around inner: String) -> String {
    var text = ""
    for level in 0..<depth { text += open(level + 1, depth) }
    text += inner
    for level in 0..<depth { text += close(depth - level) }
    return text
  }

  /// Whether a predicate has the comparisons of nests alone, which need no conversion of types.
  static func isKnown(_ predicate: QueryPredicate) -> Bool {
    predicate.nodes.allSatisfy { node in
      guard case .comparison(let comparison) = node else { return true }
      guard case .path(let path) = comparison.left, !path.components.contains(where: { $0 == .anyElement }) else {
        return false
      }
      switch comparison.right {
      case .path: return true
      case .constant(.value(.int)): return path.components.last == .property("int")
      default: return false
      }
    }
  }
}
