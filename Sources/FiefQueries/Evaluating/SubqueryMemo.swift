import FiefGraph

/// The rows that satisfy a nested subquery, for the outer elements that it reads.
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
struct SubqueryMemo {
  /// The number of pages that are kept, at most.
  static let limit = 1 << 13

  private struct Place: Hashable {
    let outer: [ObjectKey]
    let chunk: Int64
  }

  private var pages: [Place: (known: Bitmap256, found: Bitmap256)] = [:]

  /// Whether the row satisfies the subquery beside some outer elements, by ascending level; nil if it was not tested.
  func answer(of key: ObjectKey, beside outer: [ObjectKey]) -> Bool? {
    guard let page = pages[Place(outer: outer, chunk: key.chunk)], page.known[key.bit] else { return nil }
    return page.found[key.bit]
  }

  /// Keeps whether the row satisfies the subquery.
  mutating func keep(_ answer: Bool, of key: ObjectKey, beside outer: [ObjectKey]) {
    assert(self.answer(of: key, beside: outer).map { $0 == answer } ?? true, "An answer stays what it is.")
    let place = Place(outer: outer, chunk: key.chunk)
    // Without outer elements there is a page for each cluster at most, and they are never forgotten.
    if !outer.isEmpty, pages.count >= Self.limit, pages[place] == nil { pages.removeAll(keepingCapacity: true) }
    var page = pages[place] ?? (Bitmap256(), Bitmap256())
    page.known[key.bit] = true
    page.found[key.bit] = answer
    pages[place] = page
  }
}
