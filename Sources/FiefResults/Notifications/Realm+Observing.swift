import FiefGraph
import FiefObjects
import FiefSessions

/// A block that is called when a realm changes.
///
///     let show: NotificationBlock = { notification, realm in print(notification, realm.version) }
///     token = realm.observe(show)
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// A change of the version that a realm shows or could show.
  ///
  ///     token = realm.observe { notification, realm in
  ///       if notification == .didChange { print(realm.version) }
  ///     }
  public enum Notification: String, Sendable {
    /// The realm shows another version, after its own commit or after it advanced to another realm's commit.
    case didChange = "RLMRealmDidChangeNotification"
    /// A newer version exists, and the realm does not advance automatically.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// Calls a block whenever the realm shows another version. After each of its own commits the block runs before
  /// `write` returns. It also runs after the realm has advanced to another realm's commit.
  ///
  ///     token = realm.observe { notification, realm in
  ///       if notification == .refreshRequired { realm.refresh() }
  ///     }
  ///
  /// Traps on a frozen realm, on one that is read-only and in memory, outside the realm's thread, queue or actor, and
  /// on a thread whose run loop is not running.
  ///
  /// - Parameter block: called on the realm's thread, queue or actor, before the blocks of objects and collections.
  /// - Returns: a token that keeps the observation alive.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    session.checkObserving("A realm")
    session.checkDelivering("A realm")
    let observation = CommitObservation(from: session.graph) { event, session in
      block(Notification(event), Realm(session))
    }
    return session.register(observation)
  }
}

extension Realm {
  /// Whether the realm may show other versions later: a read-only realm follows the processes that write its file.
  package var mayChange: Bool { !session.isFrozen && (!session.options.isReadOnly || session.store.follows) }

  /// Calls a block once, soon after the write in progress has ended, with a commit or without one.
  ///
  /// - Returns: a token that keeps the block waiting.
  package func awaitEndOfWrite(_ block: @escaping () -> Void) -> NotificationToken {
    session.register(WriteEnd(block))
  }
}

/// Waits for the end of the write in progress.
private final class WriteEnd: SessionObservation {
  // No version matters to it, so none is retained.
  let progress = ObservationProgress(delivered: .empty)
  private let block: () -> Void

  init(_ block: @escaping () -> Void) { self.block = block }

  func isBehind(_ session: Session) -> Bool { session.transaction == nil }

  func deliver(_ session: Session, _ delivery: Delivery) {
    end()
    block()
  }

  func skip(from old: Graph, to new: Graph) {}

  /// An invalidation has rolled the write back.
  func ended() { block() }
}

extension Realm.Notification {
  init(_ event: SessionEvent) {
    self =
      switch event {
      case .didChange: .didChange
      case .refreshRequired: .refreshRequired
      }
  }
}
