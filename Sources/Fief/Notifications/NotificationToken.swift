import FiefRuntime
import Synchronization

/// Keeps an observation alive: letting go of it ends the observation.
///
/// It keeps the realm alive too, and with it the data of an in-memory realm. It may be held and let go of on any
/// thread.
public final class NotificationToken: Sendable {
  private let state: Mutex<State>

  private enum State: @unchecked Sendable {
    /// To be registered on another queue or actor; the store is kept alive until then.
    case coming(Store)
    /// Registered with a session. Both are only held here, and compared.
    case live(Session, Observation)
    case ended
  }

  /// A token of nothing, for properties that need a first value.
  public init() { state = Mutex(.ended) }

  /// A token of an observation that is registered.
  init(_ session: Session, _ observation: Observation) { state = Mutex(.live(session, observation)) }

  /// A token of one that is going to be.
  init(coming store: Store) { state = Mutex(.coming(store)) }

  deinit { invalidate() }

  /// Ends the observation: no block begins from now on.
  ///
  /// - Returns: whether it was going on.
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

  /// Whether it was not invalidated.
  var isLive: Bool { state.withLock { if case .ended = $0 { false } else { true } } }

  /// Takes note of what was registered meanwhile.
  ///
  /// - Returns: false when the token was invalidated; then the observation has to be ended.
  func arrived(_ session: Session, _ observation: Observation) -> Bool {
    let held = UncheckedBox((session, observation))
    return state.withLock { state in
      guard case .coming = state else { return false }
      state = .live(held.value.0, held.value.1)
      return true
    }
  }

  /// The observation, which must be one of a session; else this traps.
  func observation(of session: Session) -> Observation {
    let held = state.withLock { UncheckedBox($0) }.value
    guard case .live(let own, let observation) = held, observation.isLive else {
      fatalError("A token in withoutNotifying was invalidated before: give only tokens that are live.")
    }
    guard own === session else {
      fatalError("A token in withoutNotifying is of another realm: give only tokens of the realm that writes.")
    }
    return observation
  }
}
