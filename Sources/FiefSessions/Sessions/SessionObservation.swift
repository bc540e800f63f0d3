import FiefGraph
import Synchronization

/// A registered observer: the watched object or collection, the version delivered last, and the block to call.
///
///     registered ──▶ version 7 delivered ──▶ version 9 delivered ──▶ … ──▶ ended
///
/// It belongs to a session. All its members except `isLive` and `end()` are confined to the session's executor.
package protocol SessionObservation: AnyObject {
  var progress: ObservationProgress { get }

  /// Whether there is, or may be, a change to deliver.
  func isBehind(_ session: Session) -> Bool

  /// Calls the block if anything changed, and advances `delivered` to the session's version.
  func deliver(_ session: Session, _ delivery: Delivery)

  /// Skips the changes of one commit, from `old` to `new`. When changes before `old` are still undelivered, nothing is
  /// skipped, and the next delivery covers all of them.
  func skip(from old: Graph, to new: Graph)

  /// Called after the session has ended the observation by itself, because it was invalidated.
  func ended()
}

/// The version up to which an observation was delivered, and whether it has ended.
package final class ObservationProgress {
  fileprivate let live = Atomic<Bool>(true)
  // Unchecked, because only the session's executor accesses it, and no access spans other code.
  @safe @exclusivity(unchecked) fileprivate var delivered: Graph
  /// The observation's place among those of its session; nil when it has none. Accessed under their lock alone.
  @safe @exclusivity(unchecked) var place: Int?

  package init(delivered: Graph) { self.delivered = delivered }
}

extension SessionObservation {
  /// Whether the observation has not ended.
  package var isLive: Bool { progress.live.load(ordering: .acquiring) }

  /// Ends the observation. Any thread may call this.
  ///
  /// - Returns: whether the observation was active.
  @discardableResult
  package func end() -> Bool { progress.live.exchange(false, ordering: .acquiringAndReleasing) }

  package func ended() {}

  /// The version that was delivered last.
  package var delivered: Graph {
    get { progress.delivered }
    set {
      assert(newValue.version >= progress.delivered.version, "An observation receives later versions alone.")
      progress.delivered = newValue
    }
  }

  /// Whether the session shows another version than the delivered one.
  package func isBehind(_ session: Session) -> Bool { delivered.version != session.graph.version }

  package func skip(from old: Graph, to new: Graph) {
    if delivered.version == old.version { delivered = new }
  }
}

/// A change of the version that a session shows or could show.
package enum SessionEvent {
  /// The session shows another version, after its own commit or after it advanced to another session's commit.
  case didChange
  /// A newer version exists, and the session does not advance automatically.
  case refreshRequired
}

/// An observation of a session as a whole. Its block is called after each commit of the session, and for any other
/// version that it has not received, however the session came to show it.
package final class CommitObservation: SessionObservation {
  private let block: (SessionEvent, Session) -> Void
  @safe @exclusivity(unchecked) private var isRunning = false

  package let progress: ObservationProgress

  package init(from start: Graph, _ block: @escaping (SessionEvent, Session) -> Void) {
    self.block = block
    progress = ObservationProgress(delivered: start)
  }

  /// A block that runs is behind when it has returned. A session that was invalidated shows no version.
  package func isBehind(_ session: Session) -> Bool {
    !isRunning && session.isPinned && delivered.version != session.graph.version
  }

  package func deliver(_ session: Session, _ delivery: Delivery) { call(.didChange, session) }

  /// Calls the block, unless it is already running: a block is not notified of its own writes.
  func call(_ event: SessionEvent, _ session: Session) {
    if !isLive { return }
    // After an invalidation, a ticket may lead to a version before those that were delivered.
    if event == .didChange { progress.delivered = session.graph }
    if isRunning { return }
    isRunning = true
    defer { isRunning = false }
    block(event, session)
  }
}
