#if canImport(Combine) && (canImport(Darwin) || FIEF_STAND_INS)
  import Combine
  import Fief
  import Synchronization

  /// The subscription of one subscriber: the observation of a value.
  ///
  ///     waiting ──begin──▶ observing ──cancel or deletion──▶ ended
  ///         └─────────────cancel───────────────────────────────▲
  ///
  /// The observation holds the subscription, which holds its token. The end of either breaks the circle.
  final class ChangeSubscription<Downstream: Subscriber>: Subscription {
    private let downstream: Downstream
    private let state = Mutex(State.waiting)

    private enum State {
      case waiting
      case observing(NotificationToken)
      case ended
    }

    init(_ downstream: Downstream) { self.downstream = downstream }

    /// Begins the observation, unless the subscriber has cancelled already.
    func begin(_ observe: () -> NotificationToken) {
      if hasEnded { return }
      let token = observe()
      let hasEnded = state.withLock { state in
        if case .ended = state { return true }
        state = .observing(token)
        return false
      }
      if hasEnded { token.invalidate() }
    }

    func send(_ value: Downstream.Input) {
      if !hasEnded { _ = downstream.receive(value) }
    }

    func finish() {
      if end() { downstream.receive(completion: .finished) }
    }

    /// Does nothing: changes are published without being asked for.
    func request(_ demand: Subscribers.Demand) {}

    func cancel() { end() }

    private var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Ends the observation.
    ///
    /// - Returns: whether it had not ended before.
    @discardableResult
    private func end() -> Bool {
      let old = state.withLock { state in
        defer { state = .ended }
        return state
      }
      switch old {
      case .waiting: return true
      case .observing(let token):
        token.invalidate()
        return true
      case .ended: return false
      }
    }
  }
#endif
