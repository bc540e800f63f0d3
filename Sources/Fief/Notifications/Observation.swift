import FiefGraph
import Synchronization

/// Somebody who wants to hear of changes: what is watched, up to which version it was told, and whom to call.
///
///     registered ──▶ told of version 7 ──▶ told of version 9 ──▶ … ──▶ ended
///
/// Belongs to a session, in whose place everything but `end()` happens.
class Observation {
  private let live = Atomic<Bool>(true)
  /// The version that it was told of last.
  @exclusivity(unchecked) final var seen: Graph

  init(seen: Graph) { self.seen = seen }

  /// Whether it goes on.
  final var isLive: Bool { live.load(ordering: .acquiring) }

  /// Ends it, from any thread.
  ///
  /// - Returns: whether it was going on.
  @discardableResult
  final func end() -> Bool { live.exchange(false, ordering: .acquiringAndReleasing) }

  /// Whether there is something to tell, or may be.
  func isBehind(_ session: Session) -> Bool { seen.version != session.graph.version }

  /// Tells what is new, if anything is, and moves on to what the session sees.
  func tell(_ session: Session, _ differences: Differences) {}

  /// Leaves out the changes of one commit. What came before it and was not told yet is told with the next.
  func skip(from old: Graph, to new: Graph) {
    if seen.version == old.version { seen = new }
  }
}

/// Somebody who wants to hear that a realm has changed.
final class RealmObservation: Observation {
  private let block: NotificationBlock
  @exclusivity(unchecked) private var isRunning = false

  init(seen: Graph, _ block: @escaping NotificationBlock) {
    self.block = block
    super.init(seen: seen)
  }

  override func isBehind(_ session: Session) -> Bool { false }

  /// Calls the block, unless it is the block itself that has just written.
  func call(_ notification: Realm.Notification, _ session: Session) {
    if !isLive || isRunning { return }
    isRunning = true
    defer { isRunning = false }
    seen = session.graph
    block(notification, Realm(session))
  }
}
