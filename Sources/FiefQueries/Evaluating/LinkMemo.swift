import FiefGraph

/// Which rows of a table satisfy a test, found for each cluster when it is first asked for.
///
///     bits      0110…  1010…  ────  ────  0001…     a bit for each key, four words for each cluster
///     isKnown     1      1      0     0     1       whether the cluster was asked
///
/// A table of persons that link at random into a table of dogs asks for each dog's cluster many times; a test of a
/// whole cluster costs little more than one of a single row.
struct LinkMemo {
  private var bits: [UInt64] = []
  private var isKnown: [Bool] = []
  /// Whether all clusters were asked.
  private(set) var isComplete = false

  /// Whether it has room for what is learnt.
  var isOpen: Bool { !isKnown.isEmpty }

  /// Makes room for clusters with numbers below `count`.
  mutating func open(clusters count: Int) {
    bits = Array(repeating: 0, count: count * 4)
    isKnown = Array(repeating: false, count: count)
  }

  /// Whether the row satisfies the test; nil as long as its cluster was not asked.
  @inline(__always)
  func knows(_ key: ObjectKey) -> Bool? {
    let chunk = Int(key.chunk)
    guard chunk < isKnown.count && isKnown[chunk] else { return nil }
    return bits[chunk * 4 + key.bit >> 6] >> UInt64(key.bit & 63) & 1 != 0
  }

  /// Takes note of the rows of a cluster that satisfy the test, by bit.
  @inline(__always)
  mutating func learn(_ chunk: Int64, _ rows: Bitmap256) {
    let chunk = Int(chunk)
    for word in 0..<4 { bits[chunk * 4 + word] = rows[word: word] }
    isKnown[chunk] = true
  }

  /// Takes note that clusters which were not asked have no rows.
  mutating func close() { isComplete = true }

  /// Which of some keys, all of them of rows or 0, satisfy the test; once all clusters were asked.
  @inline(__always)
  func slots<Key: FixedWidthInteger>(of keys: ContiguousArray<Key>) -> Bitmap256 {
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
