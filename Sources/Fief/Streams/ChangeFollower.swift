import FiefGraph
import FiefRuntime
import FiefSessions
import Synchronization

/// Computes the changes of a thing when they are asked for.
///
///     next ──▶ is the observation behind? ──yes──▶ its change, if there is one
///       ▲               │ no, or nothing changed
///       └── woken ◀── wait until the session shows another version
///
/// The observation is one of those that blocks have, but it is not registered: nobody calls it but this type.
final class ChangeFollower<Thing: ThreadConfined, Element>: FollowedChanges {
  /// Makes an observation of a thing that passes its changes to a block.
  typealias Make = (_ thing: Thing, _ session: Session, _ from: Graph, _ block: @escaping (Element) -> Void) ->
    (any SessionObservation)?

  private let session: Session
  /// The observed thing and its observation; nil when the thing was gone at the beginning.
  private let observed: (thing: Thing, observation: any SessionObservation)?
  /// The change that reports that the thing was gone at the beginning, until it is taken.
  private var deletion: Element?
  private let mailbox: Mailbox
  private let wait: VersionWait
  private let last: LastSeen<Thing>

  private final class Mailbox {
    var element: Element?
  }

  init(
    _ handover: Handover<Thing>, _ session: Session, _ last: LastSeen<Thing>, deletion: Element?, _ make: Make
  ) {
    let mailbox = Mailbox()
    let thing = session.resolve(handover, from: .latest)
    observed = thing.flatMap { thing in
      make(thing, session, handover.ticket.frozen.graph) { mailbox.element = $0 }.map { (thing, $0) }
    }
    if observed == nil {
      self.deletion = deletion
      last.thing = handover.thing
    }
    self.session = session
    self.mailbox = mailbox
    self.last = last
    wait = VersionWait(seen: session.graph)
    session.observers.add(wait)
  }

  deinit {
    last.thing = nil
    wait.finish()
    session.observers.remove(wait)
  }

  func next(isolation: isolated (any Actor)?) async -> Element? {
    while wait.isLive, !Task.isCancelled {
      if let element = take() { return element }
      if !isLive { break }
      await wait.forVersion(after: session.graph, of: session, isolation: isolation)
    }
    wait.finish()
    return nil
  }

  func take() -> Element? {
    session.checkConfinement()
    guard let (thing, observation) = observed else {
      defer { deletion = nil }
      return deletion
    }
    guard observation.isLive, observation.isBehind(session) else { return nil }
    let before = observation.seen
    let isFirst = before.version == session.graph.version
    observation.deliver(session, Differences())
    guard let element = mailbox.element else { return nil }
    mailbox.element = nil
    let frozen = Session(session.store, .frozen, session.options, frozenAt: before)
    last.thing = isFirst ? nil : thing._seen(in: Realm(frozen))
    return element
  }

  func whenBehind(_ block: @escaping @Sendable () -> Void) { wait.wake(after: session.graph, of: session, block) }

  func stop() { wait.finish() }

  var isLive: Bool { wait.isLive && (observed?.observation.isLive ?? (deletion != nil)) }
}

/// An observer that wakes a task when its session shows another version.
///
///     quiet ──forVersion──▶ waiting ──deliver, finish or cancellation──▶ quiet
final class VersionWait: SessionObservation {
  let progress: ObservationProgress
  private let waker = Mutex<(@Sendable () -> Void)?>(nil)

  init(seen: Graph) { progress = ObservationProgress(seen: seen) }

  func isBehind(_ session: Session) -> Bool {
    waker.withLock { $0 != nil } && seen.version != session.graph.version
  }

  func deliver(_ session: Session, _ differences: Differences) {
    seen = session.graph
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
    seen = graph
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
