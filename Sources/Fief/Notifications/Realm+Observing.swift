import FiefGraph

/// What is called when a realm changes.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void

extension Realm {
  /// What happened to a realm.
  public enum Notification: String, Sendable {
    /// It shows another version: it has committed a write, or has moved on to another's.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a newer version, and it does not move on by itself.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// Calls a block whenever the realm shows another version: at the end of each of its own commits, before `write`
  /// returns; and when it has moved on to what another place committed.
  ///
  /// - Parameter block: called in the realm's place, before the blocks of objects and collections.
  /// - Returns: what keeps the observation alive.
  ///
  /// Traps on a frozen or read-only realm, outside the realm's place, and on a thread whose run loop is not running.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    session.checkObserving("A realm")
    session.checkDelivering("A realm")
    return session.register(RealmObservation(seen: session.graph, block))
  }
}

extension Session {
  /// Traps unless something may be observed here and now.
  func checkObserving(_ what: String) {
    if isFrozen { fatalError("\(what) that is frozen cannot be observed, as it never changes: thaw it first.") }
    checkConfinement()
    if configuration.readOnly {
      fatalError("\(what) of a realm that was opened read-only cannot be observed, as it never changes.")
    }
  }

  /// Traps where nobody could ever be told: on a thread whose run loop is not running.
  func checkDelivering(_ what: String) {
    if confinement.findRunLoop() { return }
    fatalError(
      "\(what) cannot be observed here, as \(confinement.words) has no running run loop and so could never be told of "
        + "changes: observe with `on: queue`, in a realm of a queue or an actor, on the main thread, or on a thread "
        + "whose run loop is running.")
  }

  /// Traps in a write that has changed something, as there is no version then from which changes could be told.
  func checkUnchanged(_ what: String) {
    guard let transaction, !Delta(from: transaction.base, to: transaction.graph).isEmpty else { return }
    fatalError(
      "\(what) cannot be observed inside a write transaction that has made changes: observe it before or after.")
  }

  /// Lets an observation begin.
  func register(_ observation: Observation) -> NotificationToken {
    observers.add(observation)
    if observation.isBehind(self) { bell.ring() }
    return NotificationToken(self, observation)
  }
}
