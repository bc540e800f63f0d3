import Dispatch
import FiefRuntime
import Foundation
import Synchronization

/// The executor that a session is confined to.
///
/// The main thread, the main queue and the main actor count as one executor.
package enum Confinement: @unchecked Sendable {
  /// One thread.
  case thread(ThreadExecutor)
  /// The main thread, the main queue, or the main actor.
  case main
  /// One serial queue, identified by the number that `QueueIdentity` attached to it.
  case queue(DispatchQueue, number: UInt64)
  /// One actor.
  case actor(ActorExecutor)
  /// Any thread may use the session, because it is frozen and never changes.
  case frozen

  /// A weak reference to an actor: usually the actor owns the realm.
  package final class ActorExecutor: @unchecked Sendable {
    private(set) weak var actor: (any Actor)?
    let identity: ObjectIdentifier
    let name: String
    /// The identity of the actor's executor, while the actor is its own executor.
    let ownIdentity: UInt?
    /// Keeps the actor's memory, so that no other actor gets its address while `ownIdentity` is compared.
    private unowned let memory: any Actor

    package init(_ actor: any Actor) {
      self.actor = actor
      identity = ObjectIdentifier(actor)
      name = "\(type(of: actor))"
      ownIdentity = CurrentExecutor.ownIdentity(of: actor)
      memory = actor
    }
  }

  /// The running thread.
  package static var currentThread: Confinement {
    isMain ? .main : .thread(ThreadLifetime.current.executor)
  }

  /// A serial queue.
  package static func of(_ queue: DispatchQueue) -> Confinement {
    let number = QueueIdentity.number(of: queue)
    return number == QueueIdentity.main ? .main : .queue(queue, number: number)
  }

  /// An actor.
  package static func of(_ actor: any Actor) -> Confinement {
    actor === MainActor.shared ? .main : .actor(ActorExecutor(actor))
  }

  /// Whether the main thread, queue or actor is running. In programs that end in `dispatchMain()`, as asynchronous
  /// programs on Linux do, any thread may serve the main queue.
  static var isMain: Bool { Thread.isMainThread || QueueIdentity.current == QueueIdentity.main }

  /// The name of the running thread in messages.
  static var threadName: String {
    if isMain { return "the main thread" }
    let name = Thread.current.name ?? ""
    return name.isEmpty ? "thread \(FiefRuntime.currentThread())" : "thread '\(name)'"
  }

  /// Two confinements with equal identities share a session.
  package enum Identity: Hashable, Sendable {
    case main
    case thread(UInt64)
    case queue(UInt64)
    case actor(ObjectIdentifier)
  }

  package var identity: Identity? {
    switch self {
    case .thread(let executor): .thread(executor.number)
    case .main: .main
    case .queue(_, let number): .queue(number)
    case .actor(let executor): .actor(executor.identity)
    case .frozen: nil
    }
  }

  /// A description for messages, such as "the main thread".
  package var label: String {
    switch self {
    case .thread(let executor): executor.name
    case .main: "the main thread"
    case .queue(let queue, _): "queue '\(queue.label)'"
    case .actor(let executor): "actor \(executor.name)"
    case .frozen: "any thread"
    }
  }

  /// Whether the running code may use the session. Traps when the session belongs to an actor on which the code does
  /// not run.
  package func isHere() -> Bool {
    switch self {
    case .thread(let executor): return executor.isHere
    case .main: return Self.isMain
    case .queue(_, let number): return QueueIdentity.current == number
    case .actor(let executor):
      guard let actor = executor.actor else { return false }
      actor.preconditionIsolated(
        "Realm accessed from incorrect thread: it is confined to actor \(executor.name) and was used on "
          + "\(Self.threadName)."
      )
      return true
    case .frozen: return true
    }
  }

  /// Whether the running code is known to run on this executor. Never traps.
  package var isRunning: Bool {
    if case .actor(let executor) = self { return executor.actor.map(CurrentExecutor.runs) ?? false }
    return isHere()
  }

  /// Whether it is an actor or a queue. These are looked up before the thread that currently serves them.
  var isOfActorOrQueue: Bool {
    switch self {
    case .actor, .queue: true
    case .main, .thread, .frozen: false
    }
  }

  /// Whether work can be scheduled here. For a thread this is the last result of `findRunLoop`.
  var canSchedule: Bool {
    switch self {
    case .thread(let executor): executor.hasRunLoop
    case .frozen: false
    case .main, .queue, .actor: true
    }
  }

  /// Determines whether work can be scheduled on this executor, which must be the running one.
  ///
  /// A thread can be given work when its run loop is running at this moment. A positive result is kept for the life of
  /// the thread. The main thread always qualifies: code that asks before its run loop starts is expected to run it
  /// later.
  package func findRunLoop() -> Bool {
    if case .thread(let executor) = self { return executor.findRunLoop() }
    return canSchedule
  }

  /// Schedules `work` to run here soon; never before this returns.
  ///
  /// - Returns: false when the work will not run: the thread has no known run loop, or the actor no longer exists.
  @discardableResult
  package func schedule(_ work: @escaping @Sendable () -> Void) -> Bool {
    switch self {
    case .thread(let executor): return executor.perform(work)
    case .frozen: return false
    case .main: MainWork.schedule(work)
    case .queue(let queue, _): queue.async(execute: work)
    case .actor(let executor):
      guard let actor = executor.actor else { return false }
      Task { await Self.run(work, on: actor) }
    }
    return true
  }

  private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}

/// Identifies queues by numbers that are attached to them, as several objects may in turn stand for one queue.
package enum QueueIdentity {
  /// The main queue's number.
  static let main: UInt64 = 0

  private static let key: DispatchSpecificKey<UInt64> = {
    let key = DispatchSpecificKey<UInt64>()
    DispatchQueue.main.setSpecific(key: key, value: main)
    return key
  }()
  private static let last = Mutex(main)

  /// Returns the number of a queue, and assigns one if necessary.
  package static func number(of queue: DispatchQueue) -> UInt64 {
    last.withLock { last in
      if let number = queue.getSpecific(key: key) { return number }
      last += 1
      assert(last != main, "The number of the main queue is its own.")
      queue.setSpecific(key: key, value: last)
      return last
    }
  }

  /// The number by which the system names the running queue; nil when that queue has no number of ours itself, or the
  /// system gives none.
  static var ownNumber: UInt? { CurrentQueue.number(withSpecific: key) }

  /// The number of the running queue, or of the nearest target queue that has one; nil when none has a number.
  static var current: UInt64? { DispatchQueue.getSpecific(key: key) }
}
