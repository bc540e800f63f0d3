import FiefGraph
import Synchronization

/// A registered observer: the watched object or collection, the version delivered last, and the block to call.
///
///     registered ──▶ version 7 delivered ──▶ version 9 delivered ──▶ … ──▶ ended
///
/// It belongs to a session. All its members except `isLive` and `end()` are confined to the session's executor.
class Observation {
  private let live = Atomic<Bool>(true)
  /// The version that was delivered last.
  @exclusivity(unchecked) final var seen: Graph

  init(seen: Graph) { self.seen = seen }

  /// Whether the observation has not ended.
  final var isLive: Bool { live.load(ordering: .acquiring) }

  /// Ends the observation. Any thread may call this.
  ///
  /// - Returns: whether the observation was active.
  @discardableResult
  final func end() -> Bool { live.exchange(false, ordering: .acquiringAndReleasing) }

  /// Whether there is, or may be, a change to deliver.
  func isBehind(_ session: Session) -> Bool { seen.version != session.graph.version }

  /// Calls the block if anything changed, and advances `seen` to the session's version.
  func tell(_ session: Session, _ differences: Differences) {}

  /// Skips the changes of one commit, from `old` to `new`. When changes before `old` are still undelivered, nothing is
  /// skipped, and the next delivery covers all of them.
  func skip(from old: Graph, to new: Graph) {
    if seen.version == old.version { seen = new }
  }
}

/// An observation of a realm as a whole.
final class RealmObservation: Observation {
  private let block: NotificationBlock
  @exclusivity(unchecked) private var isRunning = false

  init(seen: Graph, _ block: @escaping NotificationBlock) {
    self.block = block
    super.init(seen: seen)
  }

  override func isBehind(_ session: Session) -> Bool { false }

  /// Calls the block, unless it is already running: a block is not notified of its own writes.
  func call(_ notification: Realm.Notification, _ session: Session) {
    if !isLive || isRunning { return }
    isRunning = true
    defer { isRunning = false }
    seen = session.graph
    block(notification, Realm(session))
  }
}
