// Reads columns in place, for scans of whole tables.
//
// Unsafe: a buffer leaves the array that owns it. It is valid as long as the cluster is held and not changed. The
// caller holds the graph, or the tree that contains the cluster, during the scan. A concurrent change then copies the
// cluster first, so the buffers given out here do not change. No reference is counted on the way, which would be a
// considerable part of the cost of a scan.

extension Cluster {
  /// The strings of the column at index `leaf`, by slot, in place. Null cells are empty strings. Traps for a column of
  /// another type.
  ///
  /// The buffer is valid as long as the cluster is held and not changed.
  @inlinable
  @inline(__always)
  public func strings(leaf: Int) -> UnsafeBufferPointer<String> {
    leaves.withUnsafeBufferPointer { leaves in
      guard case .string(let strings) = leaves[leaf].values else { wrongLeaf() }
      return strings.withUnsafeBufferPointer { $0 }
    }
  }

  /// The integers of the column at index `leaf`, by slot, in place. Null cells are zeros. Traps for a column of another
  /// type.
  ///
  /// The cells are valid as long as the cluster is held and not changed.
  @inlinable
  @inline(__always)
  public func integers(leaf: Int) -> IntegerCells { leaves.withUnsafeBufferPointer { $0[leaf].values.integers } }

  /// The null slots of the column at index `leaf`.
  @inlinable
  @inline(__always)
  public func nulls(leaf: Int) -> Bitmap256 { leaves.withUnsafeBufferPointer { $0[leaf].nulls } }

  /// Calls `body` with the column at index `leaf`, without copying it.
  @inlinable
  @inline(__always)
  public func withLeaf<Result>(_ leaf: Int, _ body: (borrowing Leaf) -> Result) -> Result {
    leaves.withUnsafeBufferPointer { body($0[leaf]) }
  }
}

extension RadixTree {
  /// `forEach` without counting references: this tree holds the chunks, and `body` receives unmanaged references to
  /// them.
  ///
  /// - Returns: Whether `body` returned true for every chunk.
  @inlinable
  @inline(__always)
  @discardableResult
  public func forEachUncounted(_ body: (Int64, Unmanaged<Chunk>) -> Bool) -> Bool {
    withExtendedLifetime(root) { Self.forEachUncounted(root.below, 0, levels, body) }
  }

  @inlinable
  static func forEachUncounted(
    _ node: RadixNode.Borrowed, _ base: Int64, _ level: Int, _ body: (Int64, Unmanaged<Chunk>) -> Bool
  ) -> Bool {
    switch node {
    case .empty: return true
    case .chunk(let chunk): return body(base, typed(chunk))
    case .inner(let nodes):
      for digit in 0..<RadixNode.fanOut {
        guard forEachUncounted(nodes[digit].below, RadixNode.base(base, digit, level), level - 1, body) else {
          return false
        }
      }
      return true
    }
  }
}
