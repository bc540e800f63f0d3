import FiefRuntime
import FiefSessions
import Synchronization

/// Keeps an observation alive until the token is invalidated or released.
///
///     let token = realm.objects(Dog.self).observe { _ in print("the dogs have changed") }
///     …
///     token.invalidate()
///
/// The token also keeps the realm alive, and with it the data of an in-memory realm. It may be retained and released on
/// any thread.
public final class NotificationToken: Sendable {
  private let state: Mutex<State>

  private enum State: @unchecked Sendable {
    /// The observation is to be registered on another queue or actor. The token keeps the store alive until then.
    case coming(Store)
    /// The observation is registered with a session. Both belong to the session's executor. The token uses only their
    /// members that any thread may call: `end()`, `isLive` and `observers.remove(_:)`.
    case live(Session, any SessionObservation)
    case ended
  }

  /// Creates a token without an observation, for properties that need an initial value.
  ///
  ///     var token = NotificationToken()
  ///     token = dog.observe { change in print(change) }
  public init() { state = Mutex(.ended) }

  /// Creates a token for a registered observation.
  package init(_ session: Session, _ observation: any SessionObservation) { state = Mutex(.live(session, observation)) }

  /// Creates a token for an observation that is registered later.
  package init(coming store: Store) { state = Mutex(.coming(store)) }

  deinit { invalidate() }

  /// Ends the observation. On the realm's own thread, queue or actor, no call of its block begins after this returns.
  /// Elsewhere, a call that is just beginning may still run. May be called on any thread, and more than once.
  ///
  ///     let token = dog.observe { change in print(change) }
  ///     token.invalidate()
  ///
  /// - Returns: whether the observation was active.
  @discardableResult
  public func invalidate() -> Bool {
    let old = state.withLock { state in
      let old = UncheckedBox(state)
      state = .ended
      return old
    }
    switch old.value {
    case .coming: return true
    case .live(let session, let observation):
      let wasLive = observation.end()
      session.observers.remove(observation)
      return wasLive
    case .ended: return false
    }
  }

  /// Whether the observation is to come or goes on. It ends with the token, and with what it observes.
  package var isLive: Bool {
    state.withLock { state in
      switch state {
      case .coming: true
      case .live(_, let observation): observation.isLive
      case .ended: false
      }
    }
  }

  /// Records the registered observation.
  ///
  /// - Parameter place: an observation that was registered in its place; nil for none.
  /// - Returns: false when the token has been invalidated. The caller then has to drop the observation.
  package func arrived(
    _ session: Session, _ observation: any SessionObservation, after place: (any SessionObservation)? = nil
  ) -> Bool {
    let held = UncheckedBox((session, observation, place))
    return state.withLock { state in
      switch state {
      case .coming where held.value.2 == nil: break
      case .live(_, let present) where present === held.value.2: break
      default: return false
      }
      state = .live(held.value.0, held.value.1)
      return true
    }
  }

  /// Returns the observation. Traps when the token was invalidated, when it is of another session, and when the
  /// observation is still to begin. The observation may have ended by itself: what it observes may be deleted when a
  /// write begins, which the caller cannot foresee.
  func observation(of session: Session) -> any SessionObservation {
    switch state.withLock({ UncheckedBox($0) }).value {
    case .live(let own, let observation):
      if own === session { return observation }
      fatalError("A token in withoutNotifying is of another realm: give only tokens of the realm that writes.")
    case .coming:
      fatalError(
        "A token in withoutNotifying is of an observation that has not begun yet on its queue or actor: give only "
          + "tokens of the realm that writes, when their observations have begun.")
    case .ended:
      fatalError("A token in withoutNotifying was invalidated before: give only tokens that are live.")
    }
  }
}
