import Dispatch
public import FiefRuntime
import Foundation
public import Synchronization

/// A quick check whether the running code is on a session's executor: a function of the system, and its result there.
///
///     made ──▶ fails ──bindToQueue──▶ passes on the executor ──close()──▶ fails for good
///                                     (from the beginning for a thread, an actor and a frozen session)
///
/// The main thread serves the main queue until it calls `dispatchMain()`, which an asynchronous `main` does at its
/// first suspension where no run loop runs. From then on the threads of the system serve that queue in turn. So the
/// check of the main thread compares the thread first, and the queue from the first use on another thread on.
///
/// A check that passes proves that the running code is on the executor, and that it runs in no tracking scope
/// (`withObservationTracking`). One that fails proves nothing: the executor is then compared, and the read noted for
/// the scope. So untracked reads need one check for both.
@usableFromInline
package struct ConfinementCheck: ~Copyable {
  @usableFromInline typealias Identify = @convention(c) () -> UInt

  // Atomic, as other threads read it while a thread ends, while a frozen session is closed, and while the check of the
  // main thread is bound to the queue. Numbers of threads and of queues are addresses, so no function has the result of
  // the other one.
  /// The address of an `Identify`.
  @usableFromInline let function: Atomic<UInt>
  @usableFromInline let expected: Atomic<UInt>
  /// Finds the running scope, on the executor alone.
  @usableFromInline let scopes: TrackingScope.Finder
  /// The number of the queue that the check is bound to when it runs; nil for other executors.
  private let queue: UInt64?

  /// No function returns this.
  private static var none: UInt { .max }

  init(_ confinement: Confinement) {
    var (function, expected, queue): (Identify, UInt, UInt64?) = ({ 0 }, Self.none, nil)
    var isOfThisThread = false
    switch confinement {
    case .thread: isOfThisThread = true
    case .main: (isOfThisThread, queue) = (Thread.isMainThread, QueueIdentity.main)
    case .queue(_, let number): queue = number
    case .actor(let actor):
      if let executor = CurrentExecutor.function, let own = actor.ownIdentity { (function, expected) = (executor, own) }
    case .frozen: expected = 0
    }
    if isOfThisThread { (function, expected) = (currentThreadFunction, currentThread()) }
    self.function = Atomic(Self.address(of: function))
    self.expected = Atomic(expected)
    self.queue = queue
    scopes = isOfThisThread ? .ofThisThread : confinement.identity == nil ? .nothing : .ofAnyThread
    if !isOfThisThread { bindToQueue() }
    assert(!isOfThisThread || passesInScope, "The thread that makes a check passes it.")
  }

  /// Whether the running code is on the executor, and in no scope. False proves nothing.
  @inlinable
  @inline(__always)
  package var passes: Bool { _fastPath(passesInScope) && _fastPath(scopes.scope.isNone) }

  /// Whether the running code is on the executor, in a scope or not. False proves nothing.
  @inlinable
  @inline(__always)
  package var passesInScope: Bool {
    unsafe unsafeBitCast(function.load(ordering: .relaxed), to: Identify.self)() == expected.load(ordering: .relaxed)
  }

  /// Makes the check pass on a queue, if that very queue is running, and not only one that targets it. The session
  /// retains the queue, so no other one gets its number.
  ///
  /// Called on the executor, when the check fails there. So a check of the main thread is bound when another thread
  /// serves the main queue, and the main thread never does again.
  func bindToQueue() {
    guard let queue, QueueIdentity.current == queue else { return }
    scopes.openToAnyThread()
    guard let current = CurrentQueue.function, let number = QueueIdentity.ownNumber else { return }
    assert(number != Self.none, "No queue has the number of a check that fails.")
    expected.store(number, ordering: .relaxed)
    function.store(Self.address(of: current), ordering: .relaxed)
  }

  private static func address(of function: Identify) -> UInt { unsafe unsafeBitCast(function, to: UInt.self) }

  /// Makes the check fail everywhere, for good.
  func close() {
    expected.store(Self.none, ordering: .relaxed)
    assert(isClosed && !passesInScope, "Nothing passes a closed check.")
  }

  /// Whether it passes nowhere now.
  @inlinable
  package var isClosed: Bool { expected.load(ordering: .relaxed) == .max }
}
