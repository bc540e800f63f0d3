#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  import Combine
  import Fief
  import FiefRuntime
  import Synchronization

  /// The subscription of one subscriber: the observation of a value, or the opening of a realm.
  ///
  ///     waiting ──begin──▶ running ──cancel or completion──▶ ended
  ///         └────────────cancel─────────────────────────────▲
  ///
  /// The observation holds the subscription, which holds its token. The end of either breaks the circle. What has ended
  /// does not hold the subscriber, because the application may hold the token for longer.
  final class ChangeSubscription<Downstream: Subscriber>: Subscription {
    private let state: Mutex<UncheckedBox<State>>

    private enum State {
      case waiting(Downstream)
      case running(Downstream, stop: () -> Void)
      case ended

      var downstream: Downstream? {
        switch self {
        case .waiting(let downstream), .running(let downstream, _): downstream
        case .ended: nil
        }
      }
    }

    init(_ downstream: Downstream) { state = Mutex(UncheckedBox(.waiting(downstream))) }

    /// Begins, unless the subscriber has cancelled already.
    ///
    /// - Parameter start: returns the function that stops what it began.
    func begin(_ start: () -> () -> Void) {
      guard case .waiting = present else { return }
      let stop = UncheckedBox(start())
      let hasEnded = state.withLock { state in
        guard case .waiting(let downstream) = state.value else { return true }
        state = UncheckedBox(.running(downstream, stop: stop.value))
        return false
      }
      if hasEnded { stop.value() }
    }

    func send(_ value: Downstream.Input) { _ = present.downstream?.receive(value) }

    /// Ends with what began: the observation of a deleted object, or the opening. Nothing is stopped, since the
    /// application may hold the token, and give it to writes.
    func finish(_ completion: Subscribers.Completion<Downstream.Failure> = .finished) {
      end().downstream?.receive(completion: completion)
    }

    /// Does nothing: changes are published without being asked for.
    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      if case .running(_, let stop) = end() { stop() }
    }

    private var present: State { state.withLock { $0 }.value }

    /// - Returns: the state before.
    private func end() -> State {
      state.withLock { state in
        defer { state = UncheckedBox(.ended) }
        return state
      }.value
    }
  }
#endif
