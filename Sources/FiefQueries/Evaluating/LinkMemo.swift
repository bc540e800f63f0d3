import FiefGraph

/// The rows of a table that satisfy a test: a bitmap for each cluster, computed when the cluster is needed first.
///
/// When the persons of a table link at random into a table of dogs, each cluster of dogs is needed many times. A test
/// of a whole cluster costs little more than a test of a single row.
struct LinkMemo {
  /// The rows of each cluster; nil for a cluster that was not tested.
  private var clusters: ContiguousArray<Bitmap256?> = []

  /// Whether the memo has storage for results.
  var isOpen: Bool { !clusters.isEmpty }

  /// Allocates storage for the clusters with numbers below `count`.
  mutating func open(clusters count: Int) {
    assert(count > 0 && !isOpen, "A memo is opened once, for the clusters to which links lead.")
    clusters = ContiguousArray(repeating: nil, count: count)
  }

  /// Whether the row satisfies the test; nil until its cluster was tested.
  @inline(__always)
  func knows(_ key: ObjectKey) -> Bool? {
    let chunk = Int(key.chunk)
    return chunk < clusters.count ? clusters[chunk]?[key.bit] : nil
  }

  /// Stores which rows of a cluster satisfy the test, by bit.
  @inline(__always)
  mutating func keep(_ chunk: Int64, _ rows: Bitmap256) {
    assert(chunk < clusters.count, "A memo was opened for each cluster that it learns.")
    clusters[Int(chunk)] = rows
  }
}
