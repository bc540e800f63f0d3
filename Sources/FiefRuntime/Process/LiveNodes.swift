#if DEBUG
  import Synchronization

  private let liveNodes = Atomic<Int>(0)
#endif

/// Counts the live tables, clusters, collections, backlink blocks and postings of the process, in debug builds. A test
/// that releases all its versions must find the count that it began with.
@usableFromInline
package enum LiveNodes {
  /// The current count; always 0 in a release build.
  package static var count: Int {
    #if DEBUG
      liveNodes.load(ordering: .relaxed)
    #else
      0
    #endif
  }

  /// Whether this build counts nodes.
  package static var areCounted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Counts a node that comes into use.
  @inlinable
  @inline(__always)
  package static func add() {
    #if DEBUG
      count(1)
    #endif
  }

  /// Counts a node that was released.
  @inlinable
  @inline(__always)
  package static func remove() {
    #if DEBUG
      count(-1)
    #endif
  }

  #if DEBUG
    @usableFromInline static func count(_ change: Int) { liveNodes.add(change, ordering: .relaxed) }
  #endif
}
