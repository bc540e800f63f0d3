import FiefGraph
import FiefObjects
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
package final class PulledChanges<Element> {
  private let session: Session
  private let wait: VersionWait
  private let mayFollow: () -> Bool
  private let change: () -> Element?
  private let end: () -> Void

  /// - Parameters:
  ///   - mayFollow: whether the thing still has changes.
  ///   - end: called when the iteration ends.
  ///   - change: returns the change since the last call; nil when nothing has changed.
  package init(
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

  /// Ends the iteration: a task that waits for a change gets nil.
  package func finish() { wait.finish() }

  deinit {
    end()
    wait.finish()
    session.observers.remove(wait)
  }

  /// Waits for the next change.
  ///
  /// - Returns: nil after the end.
  package func next(isolation: isolated (any Actor)?) async -> Element? {
    while wait.isLive, !Task.isCancelled {
      session.checkConfinement()
      if let element = change() {
        // A loop that never waits would retain the version at which it began.
        wait.delivered = session.graph
        return element
      }
      if !wait.isLive || !mayFollow() { break }
      await wait.forVersion(after: session.graph, of: session, isolation: isolation)
    }
    wait.finish()
    return nil
  }
}

/// An observer that wakes a task when its session shows another version.
///
///     quiet ──forVersion──▶ waiting ──deliver, finish or cancellation──▶ quiet
final class VersionWait: SessionObservation {
  let progress: ObservationProgress
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

  init(at graph: Graph) { progress = ObservationProgress(delivered: graph) }

  func isBehind(_ session: Session) -> Bool {
    waiting.withLock { $0 != nil } && delivered.version != session.graph.version
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

  /// Suspends the task until the session shows another version than `graph`, the wait ends, or the task is cancelled.
  func forVersion(after graph: Graph, of session: Session, isolation: isolated (any Actor)?) async {
    let held = UncheckedBox(self)
    await withTaskCancellationHandler {
      // The closure of the handler leaves the actor, and the session may advance before the body runs on it again.
      await withCheckedContinuation(isolation: isolation) { continuation in
        delivered = graph
        waiting.withLock { $0 = continuation }
        if !isLive || Task.isCancelled || graph.version != session.graph.version { wakeUp() }
      }
    } onCancel: {
      held.value.wakeUp()
    }
  }

  private func wakeUp() {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume()
  }
}
