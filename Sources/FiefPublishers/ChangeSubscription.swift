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
  /// The observation holds the subscription, which holds its token. The end of either breaks the circle.
  final class ChangeSubscription<Downstream: Subscriber>: Subscription {
    private let downstream: Downstream
    private let state = Mutex(UncheckedBox(State.waiting))

    private enum State {
      case waiting
      case running(stop: () -> Void)
      case ended
    }

    init(_ downstream: Downstream) { self.downstream = downstream }

    /// Begins, unless the subscriber has cancelled already.
    ///
    /// - Parameter start: returns the function that stops what it began.
    func begin(_ start: () -> () -> Void) {
      if hasEnded { return }
      let stop = UncheckedBox(start())
      let hasEnded = state.withLock { state in
        if case .ended = state.value { return true }
        state = UncheckedBox(.running(stop: stop.value))
        return false
      }
      if hasEnded { stop.value() }
    }

    func send(_ value: Downstream.Input) {
      if !hasEnded { _ = downstream.receive(value) }
    }

    func finish(_ completion: Subscribers.Completion<Downstream.Failure> = .finished) {
      if end() { downstream.receive(completion: completion) }
    }

    /// Does nothing: changes are published without being asked for.
    func request(_ demand: Subscribers.Demand) {}

    func cancel() { end() }

    private var hasEnded: Bool { state.withLock { if case .ended = $0.value { true } else { false } } }

    /// Stops what has begun.
    ///
    /// - Returns: whether it had not ended before.
    @discardableResult
    private func end() -> Bool {
      let old = state.withLock { state in
        defer { state = UncheckedBox(.ended) }
        return state
      }
      switch old.value {
      case .waiting: return true
      case .running(let stop):
        stop()
        return true
      case .ended: return false
      }
    }
  }
#endif
