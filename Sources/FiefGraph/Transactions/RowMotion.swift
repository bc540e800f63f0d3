/// How often a transaction may have changed the positions of rows. Both counts only grow.
@frozen
@usableFromInline
package struct RowMotion: Equatable, Sendable {
  /// Counts the events that may copy a cluster, or change the slot of a row. While the number is unchanged, a cluster
  /// and a slot that were found before remain valid.
  @usableFromInline package internal(set) var moves: UInt64 = 0

  /// Counts those of the events that may delete a row. While the number is unchanged, every row that was found before
  /// exists.
  @usableFromInline package internal(set) var removals: UInt64 = 0

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func move() { moves &+= 1 }

  /// A removal is also a move, so a comparison of `moves` alone misses none.
  package mutating func remove() {
    moves &+= 1
    removals &+= 1
  }
}
