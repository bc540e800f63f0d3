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
  /// Traps on a frozen or read-only realm, outside the realm's thread, queue or actor, and on a thread whose run loop
  /// is not running.
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

extension Realm.Notification {
  init(_ event: SessionEvent) {
    self =
      switch event {
      case .didChange: .didChange
      case .refreshRequired: .refreshRequired
      }
  }
}

extension Session {
  /// Traps unless an observation may begin on the running executor.
  func checkObserving(_ what: String) {
    if isFrozen { fatalError("\(what) that is frozen cannot be observed, as it never changes: thaw it first.") }
    checkConfinement()
    if options.isReadOnly {
      fatalError("\(what) of a realm that was opened read-only cannot be observed, as it never changes.")
    }
  }

  /// Traps on a thread whose run loop is not running, as no change could be delivered there.
  func checkDelivering(_ what: String) {
    if confinement.findRunLoop() { return }
    fatalError(
      "\(what) cannot be observed here, as \(confinement.words) has no running run loop and so could never be told of "
        + "changes: observe with `on: queue`, in a realm of a queue or an actor, on the main thread, or on a thread "
        + "whose run loop is running.")
  }

  /// Traps in a write that has changed something. Changes could not be reported relative to an unpublished version.
  func checkUnchanged(_ what: String) {
    guard let transaction, !Delta(from: transaction.base, to: transaction.graph).isEmpty else { return }
    fatalError(
      "\(what) cannot be observed inside a write transaction that has made changes: observe it before or after.")
  }

  /// Registers an observation, and schedules its first delivery if it has something to deliver.
  func register(_ observation: any SessionObservation) -> NotificationToken {
    observers.add(observation)
    if observation.isBehind(self) { signal.raise() }
    return NotificationToken(self, observation)
  }
}
