public import FiefRuntime

/// The position of a row. The graph that was searched holds the cluster as long as the graph does not change.
@safe  // The position may be passed on; each use of the unmanaged reference is marked.
@frozen
@usableFromInline
package struct BorrowedRow {
  @usableFromInline package let key: ObjectKey
  @usableFromInline package let cluster: Borrowed<Cluster>
  @usableFromInline package let slot: Int

  @inlinable
  init(key: ObjectKey, cluster: Borrowed<Cluster>, slot: Int) {
    assert(slot >= 0, "A row that was found has a slot.")
    self.key = key
    self.cluster = cluster
    self.slot = slot
  }

  /// The contents of a collection cell, which the cluster holds; nil if it is empty. Traps for single values.
  package func collection(leaf: Int) -> Borrowed<StoredCollection>? {
    cluster.with { $0.leaves[leaf].values.collection(at: slot) }.map { unsafe Borrowed($0) }
  }
}
