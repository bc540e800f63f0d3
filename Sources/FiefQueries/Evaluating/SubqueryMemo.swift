import FiefGraph

/// The rows that satisfy a nested subquery, for the outer elements that it reads at present.
///
///     SUBQUERY(friends, $a, SUBQUERY($a.friends, $b, SUBQUERY($b.friends, $c, $c.age > $a.age) …) …)
///                                                    └── reads $b and $a: for each $a, a bit for each $b
///
/// Where rows link to each other, an element is reached along many ways, and their number is exponential in the number
/// of levels. The memo answers all but the first of them: it keeps the answers of each combination of outer elements
/// that was met, because a combination is met again when an element further out is another one.
///
/// A page of some 100 bytes is kept for each cluster of 256 rows in which rows were tested, and each combination. Only
/// so many are kept: where there are more, all are forgotten, and answers are found anew.
final class SubqueryMemo {
  /// The number of pages and of combinations that are kept, at most.
  static let limit = 1 << 13

  private struct Page {
    private(set) var known = Bitmap256()
    private(set) var found = Bitmap256()

    mutating func keep(_ answer: Bool, at bit: Int) {
      assert(0..<256 ~= bit, "A page has a bit for each row of a cluster.")
      known[bit] = true
      found[bit] = answer
    }
  }

  private struct Place: Hashable {
    let round: Int
    let chunk: Int64
  }

  private var pages: [Place: Page] = [:]
  /// A number for each combination that was met.
  private var rounds: [[ObjectKey]: Int] = [:]
  /// The outer elements to which the current round belongs, by ascending level.
  private var outer: [ObjectKey] = []
  private var round = 0

  /// Names the outer elements that the next answers depend on.
  func enter(_ keys: [ObjectKey]) {
    if keys == outer { return }
    outer = keys
    nameRound()
  }

  private func nameRound() {
    assert(rounds.count <= Self.limit, "A memo does not grow without end.")
    if rounds.count >= Self.limit { forget() }
    // The round of no outer elements is 0, and has no entry.
    round = outer.isEmpty ? 0 : rounds[outer] ?? rounds.count + 1
    if !outer.isEmpty { rounds[outer] = round }
  }

  private func forget() {
    pages.removeAll(keepingCapacity: true)
    rounds.removeAll(keepingCapacity: true)
  }

  /// Whether the row satisfies the subquery; nil if it was not tested.
  func answer(of key: ObjectKey) -> Bool? {
    guard let page = pages[Place(round: round, chunk: key.chunk)], page.known[key.bit] else { return nil }
    return page.found[key.bit]
  }

  /// Keeps whether the row satisfies the subquery.
  func learn(_ key: ObjectKey, _ answer: Bool) {
    assert(self.answer(of: key).map { $0 == answer } ?? true, "An answer stays what it is.")
    // Without outer elements there is a page for each cluster at most, and they are never forgotten.
    if !outer.isEmpty, pages.count >= Self.limit, pages[Place(round: round, chunk: key.chunk)] == nil {
      forget()
      nameRound()
    }
    pages[Place(round: round, chunk: key.chunk), default: Page()].keep(answer, at: key.bit)
  }
}
