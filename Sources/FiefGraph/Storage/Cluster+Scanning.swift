// Looking at columns where they lie, for scans that go over whole tables.
//
// Unsafe: a buffer is given out of the array that lends it. It is good as long as the cluster is held and not changed.
// Who scans holds the graph, or the tree that the cluster stands in: a change from elsewhere then makes a cluster of
// its own, and what is handed out here stays as it is. No reference is counted on the way, which would be a good part
// of what a scan costs.

extension Cluster {
  /// The strings of the column at place `leaf`, by slot, where they lie; null cells are empty strings. Traps for a
  /// column of another type.
  ///
  /// Good as long as the cluster is held and not changed.
  @inlinable
  @inline(__always)
  public func strings(leaf: Int) -> UnsafeBufferPointer<String> {
    leaves.withUnsafeBufferPointer { leaves in
      guard case .string(let strings) = leaves[leaf].values else { wrongLeaf() }
      return strings.withUnsafeBufferPointer { $0 }
    }
  }

  /// The integers of the column at place `leaf`, by slot, where they lie; null cells are zeros. Traps for a column of
  /// another type.
  ///
  /// Good as long as the cluster is held and not changed.
  @inlinable
  @inline(__always)
  public func integers(leaf: Int) -> IntegerCells { leaves.withUnsafeBufferPointer { $0[leaf].values.integers } }

  /// The slots of the column at place `leaf` that are null.
  @inlinable
  @inline(__always)
  public func nulls(leaf: Int) -> Bitmap256 { leaves.withUnsafeBufferPointer { $0[leaf].nulls } }

  /// Calls `body` with the column at place `leaf`, uncopied.
  @inlinable
  @inline(__always)
  public func withLeaf<Result>(_ leaf: Int, _ body: (borrowing Leaf) -> Result) -> Result {
    leaves.withUnsafeBufferPointer { body($0[leaf]) }
  }
}

extension RadixTree {
  /// `forEach` without references counted: a chunk that `body` is given is held by this tree, and by nobody else.
  ///
  /// - Returns: whether `body` never returned false.
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
