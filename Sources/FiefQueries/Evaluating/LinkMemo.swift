import FiefGraph

/// The rows of a table that satisfy a test: a bitmap for each cluster, computed when the cluster is needed first.
///
/// When the persons of a table link at random into a table of dogs, each cluster of dogs is needed many times. A test
/// of a whole cluster costs little more than a test of a single row.
struct LinkMemo {
  /// Five words for each cluster: a bit for each row, and a word that is not zero when the cluster was tested.
  private var words: ContiguousArray<UInt64> = []

  /// Whether the memo has storage for results.
  var isOpen: Bool { !words.isEmpty }

  /// Allocates storage for the clusters with numbers below `count`.
  mutating func open(clusters count: Int) {
    assert(count > 0 && !isOpen, "A memo is opened once, for the clusters to which links lead.")
    words = ContiguousArray(repeating: 0, count: 5 * count)
  }

  /// Whether the row satisfies the test; nil until its cluster was tested.
  @inline(__always)
  func knows(_ key: ObjectKey) -> Bool? {
    let first = 5 &* Int(key.chunk)
    guard first < words.count, words[first &+ 4] != 0 else { return nil }
    return words[first &+ key.bit >> 6] >> UInt64(key.bit & 63) & 1 != 0
  }

  /// Stores which rows of a cluster satisfy the test, by bit.
  mutating func keep(_ chunk: Int64, _ rows: Bitmap256) {
    let first = 5 * Int(chunk)
    assert(first < words.count, "A memo was opened for each cluster that it learns.")
    for word in 0..<4 { words[first + word] = rows[word: word] }
    words[first + 4] = 1
  }
}
