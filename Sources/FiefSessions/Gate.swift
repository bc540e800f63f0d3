import Dispatch
public import FiefRuntime
import Foundation
public import Synchronization

/// A test whether the running code is on a session's executor: a question to the system, and its answer there.
///
///     made ──▶ shut ──learn──▶ open on the executor ──shut()──▶ shut for good
///                              (a thread's, an actor's and a frozen session's gate is open from the beginning)
///
/// The main thread serves the main queue until it calls `dispatchMain()`, which an asynchronous `main` does at its
/// first suspension where no run loop runs. From then on the threads of the system serve that queue in turn. So the
/// gate of the main thread asks for the thread first, and learns to ask for the queue at the first use on another one.
///
/// An open gate proves that the running code is on the executor, and that it runs in no tracking scope
/// (`withObservationTracking`). A shut one proves nothing: the executor is then asked, and the read noted for the
/// scope. So reads that nobody tracks ask one question for both.
@usableFromInline
package struct Gate: ~Copyable {
  @usableFromInline typealias Question = @convention(c) () -> UInt

  // Atomic, as other threads ask while a thread ends, while a frozen session is closed, and while the main thread's
  // gate learns to ask for the queue. Numbers of threads and of queues are addresses, so no question has the answer of
  // the other one.
  /// The address of a `Question`.
  @usableFromInline let question: Atomic<UInt>
  @usableFromInline let answer: Atomic<UInt>
  /// Finds the running scope. Asked on the executor alone.
  @usableFromInline let scopes: TrackingScope.Finder
  /// The number of the queue whose answer is to be learned when it runs; nil for other executors.
  private let queue: UInt64?

  /// No question has this answer.
  private static var none: UInt { .max }

  init(_ confinement: Confinement) {
    var (question, answer, queue): (Question, UInt, UInt64?) = ({ 0 }, Self.none, nil)
    var isOfThisThread = false
    switch confinement {
    case .thread: isOfThisThread = true
    case .main: (isOfThisThread, queue) = (Thread.isMainThread, QueueIdentity.main)
    case .queue(_, let number): queue = number
    case .actor(let actor):
      if let executor = CurrentExecutor.question, let own = actor.ownIdentity { (question, answer) = (executor, own) }
    case .frozen: answer = 0
    }
    if isOfThisThread { (question, answer) = (currentThreadQuestion, currentThread()) }
    self.question = Atomic(Self.address(of: question))
    self.answer = Atomic(answer)
    self.queue = queue
    scopes = isOfThisThread ? .ofThisThread : confinement.identity == nil ? .nothing : .ofAnyThread
    if !isOfThisThread { learn() }
  }

  @inlinable
  @inline(__always)
  package var isOpen: Bool { isHere && scopes.scope.isNone }

  /// Whether the running code is on the executor, in a scope or not. False proves nothing.
  @inlinable
  @inline(__always)
  package var isHere: Bool {
    unsafe unsafeBitCast(question.load(ordering: .relaxed), to: Question.self)() == answer.load(ordering: .relaxed)
  }

  /// Learns the answer of a queue, if that very queue is running, and not only one that targets it. The session retains
  /// the queue, so no other one gets its answer.
  ///
  /// Called on the executor, when the gate is shut there. So a gate of the main thread learns that another thread
  /// serves the main queue, and the main thread never does again.
  func learn() {
    guard let queue, QueueIdentity.current == queue else { return }
    scopes.openToAnyThread()
    guard let current = CurrentQueue.question, let number = QueueIdentity.ownNumber else { return }
    answer.store(number, ordering: .relaxed)
    question.store(Self.address(of: current), ordering: .relaxed)
  }

  private static func address(of question: Question) -> UInt { unsafe unsafeBitCast(question, to: UInt.self) }

  func shut() {
    answer.store(Self.none, ordering: .relaxed)
    assert(isShut && !isOpen, "Nobody passes a gate that is shut.")
  }

  /// Whether it is not open anywhere now.
  @inlinable
  package var isShut: Bool { answer.load(ordering: .relaxed) == .max }
}
