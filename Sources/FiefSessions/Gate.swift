import Dispatch
public import FiefRuntime
import Foundation
public import Synchronization

/// A test whether the running code is on a session's executor: a question to the system, and its answer there.
///
///     made ──▶ shut ──learn──▶ open on the executor ──shut()──▶ shut for good
///                              (a thread's, an actor's and a frozen session's gate is open from the beginning)
///
/// An open gate proves that the running code is on the executor, and that it runs in no tracking scope
/// (`withObservationTracking`). A shut one proves nothing: the executor is then asked, and the read noted for the
/// scope. So reads that nobody tracks ask one question for both.
@usableFromInline
package struct Gate: ~Copyable {
  @usableFromInline typealias Question = @convention(c) () -> UInt

  @usableFromInline let question: Question
  // Atomic, as other threads ask while a thread ends, or while a frozen session is closed.
  @usableFromInline let answer: Atomic<UInt>
  /// Finds the running scope. Asked on the executor alone.
  @usableFromInline let scopes: TrackingScope.Finder
  /// The number of the queue whose answer is to be learned when it runs; nil for other executors.
  private let queue: UInt64?

  /// No question has this answer.
  private static var none: UInt { .max }

  init(_ confinement: Confinement) {
    var (question, answer, queue): (Question, UInt, UInt64?) = ({ 0 }, Self.none, nil)
    var scopes = TrackingScope.Finder.ofAnyThread
    switch confinement {
    case .thread: (question, answer, scopes) = (currentThreadQuestion, currentThread(), .ofThisThread)
    case .main where Thread.isMainThread:
      (question, answer, scopes) = (currentThreadQuestion, currentThread(), .ofThisThread)
    case .main: if let current = CurrentQueue.question { (question, queue) = (current, QueueIdentity.main) }
    case .queue(_, let number): if let current = CurrentQueue.question { (question, queue) = (current, number) }
    case .actor(let actor):
      if let executor = CurrentExecutor.question, let own = actor.ownIdentity { (question, answer) = (executor, own) }
    case .frozen: (answer, scopes) = (0, .nothing)
    }
    self.question = question
    self.answer = Atomic(answer)
    self.scopes = scopes
    self.queue = queue
    learn()
  }

  @inlinable
  @inline(__always)
  package var isOpen: Bool { isHere && scopes.scope.isNone }

  /// Whether the running code is on the executor, in a scope or not. False proves nothing.
  @inlinable
  @inline(__always)
  package var isHere: Bool { question() == answer.load(ordering: .relaxed) }

  /// Learns the answer of a queue, if that very queue is running, and not only one that targets it. The session retains
  /// the queue, so no other one gets its answer.
  func learn() {
    guard let queue, QueueIdentity.current == queue, let number = QueueIdentity.ownNumber else { return }
    answer.store(number, ordering: .relaxed)
  }

  func shut() {
    answer.store(Self.none, ordering: .relaxed)
    assert(isShut && !isOpen, "Nobody passes a gate that is shut.")
  }

  /// Whether it is not open anywhere now.
  @inlinable
  package var isShut: Bool { answer.load(ordering: .relaxed) == .max }
}
