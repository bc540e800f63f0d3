import FiefGraph
import FiefRuntime
import FiefSessions
import Synchronization

/// The changes of a thing in a session, each computed when it is asked for.
///
///     next ──▶ has something changed since the last one? ──yes──▶ its change
///       ▲               │ no
///       └── woken ◀── wait until the session shows another version
///
/// It is used on the executor of its session.
final class PulledChanges<Element> {
  private let session: Session
  private let wait: VersionWait
  private let mayFollow: () -> Bool
  private let change: () -> Element?
  private let end: () -> Void

  /// - Parameters:
  ///   - mayFollow: whether the thing still has changes.
  ///   - end: called when the iteration ends.
  ///   - change: returns the change since the last call; nil when nothing has changed.
  init(
    _ session: Session, while mayFollow: @escaping () -> Bool = { true }, atEnd end: @escaping () -> Void = {},
    _ change: @escaping () -> Element?
  ) {
    self.session = session
    self.mayFollow = mayFollow
    self.end = end
    self.change = change
    wait = VersionWait(at: session.graph)
    session.observers.add(wait)
  }

  deinit {
    end()
    wait.finish()
    session.observers.remove(wait)
  }

  /// Waits for the next change.
  ///
  /// - Returns: nil after the end.
  func next(isolation: isolated (any Actor)?) async -> Element? {
    while wait.isLive, !Task.isCancelled {
      if let element = take() { return element }
      if !isLive { break }
      await wait.forVersion(after: session.graph, of: session, isolation: isolation)
    }
    wait.finish()
    return nil
  }

  /// Returns the change since the last element; nil when nothing has changed.
  func take() -> Element? {
    session.checkConfinement()
    return change()
  }

  /// Calls a block once when the session shows another version than the one that the last change led to.
  func whenBehind(_ block: @escaping @Sendable () -> Void) { wait.wake(after: session.graph, of: session, block) }

  /// Ends the changes. Wakes whoever waits for one.
  func stop() { wait.finish() }

  /// Whether changes may follow.
  var isLive: Bool { wait.isLive && mayFollow() }
}

/// An observer that wakes a task when its session shows another version.
///
///     quiet ──forVersion──▶ waiting ──deliver, finish or cancellation──▶ quiet
final class VersionWait: SessionObservation {
  let progress: ObservationProgress
  private let waker = Mutex<(@Sendable () -> Void)?>(nil)

  init(at graph: Graph) { progress = ObservationProgress(delivered: graph) }

  func isBehind(_ session: Session) -> Bool {
    waker.withLock { $0 != nil } && delivered.version != session.graph.version
  }

  func deliver(_ session: Session, _ delivery: Delivery) {
    delivered = session.graph
    wakeUp()
  }

  func skip(from old: Graph, to new: Graph) {}

  func ended() { wakeUp() }

  /// Ends the wait for good. Any thread may call this.
  func finish() {
    end()
    wakeUp()
  }

  /// Calls a block once when the session shows another version than `graph`; at once if it does so already, and after
  /// the end. Called on the session's executor.
  func wake(after graph: Graph, of session: Session, _ block: @escaping @Sendable () -> Void) {
    delivered = graph
    waker.withLock { $0 = block }
    if !isLive || graph.version != session.graph.version { wakeUp() }
  }

  /// Suspends the task until the session shows another version than `graph`, the wait ends, or the task is cancelled.
  func forVersion(after graph: Graph, of session: Session, isolation: isolated (any Actor)?) async {
    let held = UncheckedBox(self)
    await withTaskCancellationHandler {
      // The closure of the handler leaves the actor, and the session may advance before the body runs on it again.
      await withCheckedContinuation(isolation: isolation) { continuation in
        wake(after: graph, of: session) { continuation.resume() }
        if Task.isCancelled { wakeUp() }
      }
    } onCancel: {
      held.value.wakeUp()
    }
  }

  private func wakeUp() {
    let wake = waker.withLock { waker in
      defer { waker = nil }
      return waker
    }
    wake?()
  }
}
