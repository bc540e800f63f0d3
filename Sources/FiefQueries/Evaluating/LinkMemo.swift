import FiefGraph

/// The rows of a table that satisfy a test, computed for each cluster on first access.
///
///     bits      0110…  1010…  ────  ────  0001…     a bit for each key, four words for each cluster
///     isKnown     1      1      0     0     1       whether the cluster was tested
///
/// When the persons of a table link at random into a table of dogs, each cluster of dogs is needed many times. A test
/// of a whole cluster costs little more than a test of a single row.
struct LinkMemo {
  private var bits: [UInt64] = []
  private var isKnown: [Bool] = []
  /// Whether all clusters were tested.
  private(set) var isComplete = false

  /// Whether the memo has storage for results.
  var isOpen: Bool { !isKnown.isEmpty }

  /// Allocates storage for the clusters with numbers below `count`.
  mutating func open(clusters count: Int) {
    assert(count > 0, "A link leads to a cluster.")
    assert(!isComplete, "A memo is opened before it is filled.")
    bits = Array(repeating: 0, count: count * 4)
    isKnown = Array(repeating: false, count: count)
  }

  /// Whether the row satisfies the test; nil until its cluster was tested.
  @inline(__always)
  func knows(_ key: ObjectKey) -> Bool? {
    let chunk = Int(key.chunk)
    guard chunk < isKnown.count && isKnown[chunk] else { return nil }
    return bits[chunk * 4 + key.bit >> 6] >> UInt64(key.bit & 63) & 1 != 0
  }

  /// Stores which rows of a cluster satisfy the test, by bit.
  @inline(__always)
  mutating func learn(_ chunk: Int64, _ rows: Bitmap256) {
    let chunk = Int(chunk)
    assert(chunk < isKnown.count, "A memo was opened for each cluster that it learns.")
    for word in 0..<4 { bits[chunk * 4 + word] = rows[word: word] }
    isKnown[chunk] = true
  }

  /// Marks the memo as complete. Clusters that were not tested have no rows.
  mutating func close() { isComplete = true }

  /// The slots whose keys satisfy the test. Every key is that of a row or 0, and the memo is complete.
  @inline(__always)
  func slots<Key: FixedWidthInteger>(of keys: ContiguousArray<Key>) -> Bitmap256 {
    assert(isComplete, "All clusters are tested before the memo answers for keys of any.")
    var result = Bitmap256()
    for word in 0..<4 {
      var found: UInt64 = 0
      for slot in word * 64..<max(word * 64, min(keys.count, word * 64 + 64)) {
        let key = Int(truncatingIfNeeded: keys[slot])
        found |= (bits[key >> 6] >> UInt64(key & 63) & 1) << UInt64(slot & 63)
      }
      result[word: word] = found
    }
    return result
  }
}
