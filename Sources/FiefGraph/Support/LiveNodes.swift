#if DEBUG
  import Synchronization

  private let liveNodes = Atomic<Int>(0)
#endif

/// Counts the live tables, clusters, collections, backlink blocks and postings of the process, in debug builds. A test
/// that releases all its versions must find the count that it began with.
public enum LiveNodes {
  /// The current count; always 0 in a release build.
  public static var count: Int {
    #if DEBUG
      liveNodes.load(ordering: .relaxed)
    #else
      0
    #endif
  }

  /// Whether this build counts nodes.
  public static var areCounted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  @inline(__always)
  static func add() {
    #if DEBUG
      liveNodes.add(1, ordering: .relaxed)
    #endif
  }

  @inline(__always)
  static func remove() {
    #if DEBUG
      liveNodes.subtract(1, ordering: .relaxed)
    #endif
  }
}
