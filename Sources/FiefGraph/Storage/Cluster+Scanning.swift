import FiefRuntime

// Reads columns in place, for scans of whole tables.
//
// Unsafe: a buffer leaves the array that owns it. It is valid as long as the cluster is held and not changed. The
// caller holds the graph, or the tree that contains the cluster, during the scan. A concurrent change then copies the
// cluster first, so the buffers given out here do not change. An array keeps its elements at one address for as long as
// it is neither changed nor freed. No reference is counted on the way, which would be a
// considerable part of the cost of a scan.

extension Cluster {
  /// The strings of the column at index `leaf`, by slot, in place. Null cells are empty strings. Traps for a column of
  /// another type.
  ///
  /// The buffer is valid as long as the cluster is held and not changed.
  @inlinable
  @inline(__always)
  public func strings(leaf: Int) -> UnsafeBufferPointer<String> {
    assert(leaves.indices.contains(leaf), "A leaf is one of the cluster's.")
    return unsafe leaves.withUnsafeBufferPointer { leaves in
      guard case .string(let strings) = unsafe leaves[leaf].values else { wrongLeaf() }
      return unsafe strings.withUnsafeBufferPointer { unsafe $0 }
    }
  }

  /// The integers of the column at index `leaf`, by slot, in place. Null cells are zeros. Traps for a column of another
  /// type.
  ///
  /// The cells are valid as long as the cluster is held and not changed.
  @inlinable
  @inline(__always)
  package func integers(leaf: Int) -> IntegerCells {
    assert(leaves.indices.contains(leaf), "A leaf is one of the cluster's.")
    return unsafe leaves.withUnsafeBufferPointer { unsafe $0[leaf].values.integers }
  }

  /// The slots whose integers in the column at index `leaf` lie in a range. Null cells are zeros. Traps for a column of
  /// another type.
  @inlinable
  @inline(__always)
  public func slots(leaf: Int, integersIn range: ClosedRange<Int64>) -> Bitmap256 {
    unsafe integers(leaf: leaf).slots(in: range)
  }

  /// How many integers in the column at index `leaf` lie in a range. Null cells are zeros. Traps for a column of
  /// another type.
  @inlinable
  @inline(__always)
  public func count(leaf: Int, integersIn range: ClosedRange<Int64>) -> Int {
    unsafe integers(leaf: leaf).count(in: range)
  }

  /// The slots whose strings in the column at index `leaf` equal `text` byte for byte. Null cells are empty strings.
  /// Traps for a column of another type.
  ///
  /// - Parameter short: `SmallString.words(ofShort: text)`, computed once for all clusters.
  @inlinable
  @inline(__always)
  public func slots(leaf: Int, equalTo text: String, short: (UInt64, UInt64)?) -> Bitmap256 {
    unsafe RawStrings.slots(of: strings(leaf: leaf), equalTo: text, short: short)
  }

  /// The null slots of the column at index `leaf`.
  @inlinable
  @inline(__always)
  public func nulls(leaf: Int) -> Bitmap256 {
    assert(leaves.indices.contains(leaf), "A leaf is one of the cluster's.")
    return unsafe leaves.withUnsafeBufferPointer { unsafe $0[leaf].nulls }
  }

  /// Calls `body` with the column at index `leaf`, without copying it.
  @inlinable
  @inline(__always)
  public func withLeaf<Result>(_ leaf: Int, _ body: (borrowing Leaf) -> Result) -> Result {
    assert(leaves.indices.contains(leaf), "A leaf is one of the cluster's.")
    return unsafe leaves.withUnsafeBufferPointer { unsafe body($0[leaf]) }
  }
}
