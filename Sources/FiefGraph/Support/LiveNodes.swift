#if DEBUG
  import Synchronization

  private let liveNodes = Atomic<Int>(0)
#endif

/// Counts the tables, clusters, collections and bags that are alive in the process, in debug builds: a test that
/// drops all its versions must find the count as it was before.
public enum LiveNodes {
  /// How many there are now; always 0 in a release build.
  public static var count: Int {
    #if DEBUG
      liveNodes.load(ordering: .relaxed)
    #else
      0
    #endif
  }

  /// Whether this build counts.
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
