import FiefGraph

/// The rows that satisfy a nested subquery, for the outer elements that it reads at present.
///
///     SUBQUERY(friends, $a, SUBQUERY($a.friends, $b, SUBQUERY($b.friends, $c, $c.age > $a.age) …) …)
///                                                    └── reads $b and $a: for each $a, a bit for each $b
///
/// Where rows link to each other, an element is reached along many ways, and their number is exponential in the number
/// of levels. The memo answers all but the first of them. The elements of an outer level change more slowly than those
/// of an inner level. So answers are kept for one combination of the outer elements, and forgotten at the next one.
///
/// A page of some 100 bytes is kept for each cluster of 256 rows in which rows were tested, so memory is bounded by the
/// size of the table.
final class SubqueryMemo {
  private struct Page {
    var round = 0
    var known = Bitmap256()
    var found = Bitmap256()
  }

  private var pages: [Int64: Page] = [:]
  /// The outer elements to which the current round belongs, by ascending level.
  private var outer: [ObjectKey] = []
  /// Pages of earlier rounds count as empty, so that a change of the outer elements takes constant time.
  private var round = 1

  /// Names the outer elements that the next answers depend on.
  func enter(_ keys: [ObjectKey]) {
    if keys == outer { return }
    outer = keys
    round += 1
  }

  /// Whether the row satisfies the subquery; nil if it was not tested.
  func answer(of key: ObjectKey) -> Bool? {
    guard let page = pages[key.chunk], page.round == round, page.known[key.bit] else { return nil }
    return page.found[key.bit]
  }

  /// Keeps whether the row satisfies the subquery.
  func learn(_ key: ObjectKey, _ answer: Bool) {
    var page = pages[key.chunk] ?? Page()
    if page.round != round { page = Page(round: round) }
    page.known[key.bit] = true
    page.found[key.bit] = answer
    pages[key.chunk] = page
  }
}
