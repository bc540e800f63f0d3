/// Where a row lies. The cluster is held by the graph that was asked, while that does not change.
@frozen
@usableFromInline
package struct PeekedRow {
  @usableFromInline package let key: ObjectKey
  @usableFromInline package let cluster: Unmanaged<Cluster>
  @usableFromInline package let slot: Int

  @inlinable
  init(key: ObjectKey, cluster: Unmanaged<Cluster>, slot: Int) {
    self.key = key
    self.cluster = cluster
    self.slot = slot
  }
}
