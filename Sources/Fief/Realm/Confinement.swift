import Dispatch
import FiefRuntime
import Foundation
import Synchronization

/// Where a session may be used.
///
/// The main thread, the main queue and the main actor are one place.
enum Confinement: @unchecked Sendable {
  /// On one thread.
  case thread(ThreadPlace)
  /// On the main thread, the main queue, or the main actor.
  case main
  /// On one serial queue, by the number that was left on it.
  case queue(DispatchQueue, number: UInt64)
  /// On one actor's executor.
  case actor(ActorPlace)
  /// Anywhere: what it shows never changes.
  case frozen

  /// An actor, which is not kept alive: it is usually the actor that keeps the realm.
  final class ActorPlace: @unchecked Sendable {
    private(set) weak var actor: (any Actor)?
    let identity: ObjectIdentifier
    let name: String

    init(_ actor: any Actor) {
      self.actor = actor
      identity = ObjectIdentifier(actor)
      name = "\(type(of: actor))"
    }
  }

  /// The running thread.
  static var currentThread: Confinement {
    isMain ? .main : .thread(ThreadLife.current.place)
  }

  /// A queue.
  static func of(_ queue: DispatchQueue) -> Confinement {
    let number = QueueIdentity.number(of: queue)
    return number == QueueIdentity.main ? .main : .queue(queue, number: number)
  }

  /// An actor.
  static func of(_ actor: any Actor) -> Confinement { actor === MainActor.shared ? .main : .actor(ActorPlace(actor)) }

  /// Whether the main thread, queue or actor runs. Where programs end in `dispatchMain()`, as asynchronous ones on
  /// Linux do, the main queue is served by any thread.
  static var isMain: Bool { Thread.isMainThread || QueueIdentity.current == QueueIdentity.main }

  /// How the running thread is called in messages.
  static var threadName: String {
    if isMain { return "the main thread" }
    let name = Thread.current.name ?? ""
    return name.isEmpty ? "thread \(FiefRuntime.currentThread())" : "thread '\(name)'"
  }

  /// Two confinements with one identity share a session.
  enum Identity: Hashable, Sendable {
    case main
    case thread(UInt64)
    case queue(UInt64)
    case actor(ObjectIdentifier)
  }

  var identity: Identity? {
    switch self {
    case .thread(let place): .thread(place.number)
    case .main: .main
    case .queue(_, let number): .queue(number)
    case .actor(let place): .actor(place.identity)
    case .frozen: nil
    }
  }

  /// In words: "the main thread".
  var words: String {
    switch self {
    case .thread(let place): place.name
    case .main: "the main thread"
    case .queue(let queue, _): "queue '\(queue.label)'"
    case .actor(let place): "actor \(place.name)"
    case .frozen: "any thread"
    }
  }

  /// Whether the running code is where the session may be used. For an actor this traps by itself when it is not.
  func isHere() -> Bool {
    switch self {
    case .thread(let place): return place.isHere
    case .main: return Self.isMain
    case .queue(_, let number): return QueueIdentity.current == number
    case .actor(let place):
      guard let actor = place.actor else { return false }
      actor.preconditionIsolated(
        "Realm accessed from incorrect thread: it is confined to actor \(place.name) and was used on \(Self.threadName)."
      )
      return true
    case .frozen: return true
    }
  }

  /// Whether the running code is known to be where the session may be used. Never traps.
  var isRunning: Bool {
    if case .actor(let place) = self { return place.actor.map(CurrentExecutor.runs) ?? false }
    return isHere()
  }

  /// Whether it is an actor or a queue, which is looked for before the thread that serves it at the moment.
  var isOfActorOrQueue: Bool {
    switch self {
    case .actor, .queue: true
    case .main, .thread, .frozen: false
    }
  }

  /// Whether it is one where work can be left to be done: of a thread, as far as was found out (`findRunLoop`).
  var canSchedule: Bool {
    switch self {
    case .thread(let place): place.hasRunLoop
    case .frozen: false
    case .main, .queue, .actor: true
    }
  }

  /// Finds out whether work can be left to be done here, in the place that runs.
  ///
  /// A thread can be left work when its run loop is running at this moment; where it has been found running, that is
  /// remembered. The main thread always can, as in the original: who asks before its run loop begins is going to run
  /// it.
  func findRunLoop() -> Bool {
    if case .thread(let place) = self { return place.findRunLoop() }
    return canSchedule
  }

  /// Has `work` done there, soon; never before this returns.
  ///
  /// - Returns: false when it will not be done: nobody looks after a thread without a run loop, and an actor may be
  ///   gone.
  @discardableResult
  func schedule(_ work: @escaping @Sendable () -> Void) -> Bool {
    switch self {
    case .thread(let place): return place.perform(work)
    case .frozen: return false
    case .main: DispatchQueue.main.async(execute: work)
    case .queue(let queue, _): queue.async(execute: work)
    case .actor(let place):
      guard let actor = place.actor else { return false }
      Task { await Self.run(work, on: actor) }
    }
    return true
  }

  private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}

/// Tells queues apart by numbers that are left on them: the objects that stand for a queue come and go.
enum QueueIdentity {
  /// The main queue's number.
  static let main: UInt64 = 0

  private static let key: DispatchSpecificKey<UInt64> = {
    let key = DispatchSpecificKey<UInt64>()
    DispatchQueue.main.setSpecific(key: key, value: main)
    return key
  }()
  private static let last = Mutex(main)

  /// The number of a queue; given to it when it has none.
  static func number(of queue: DispatchQueue) -> UInt64 {
    last.withLock { last in
      if let number = queue.getSpecific(key: key) { return number }
      last += 1
      queue.setSpecific(key: key, value: last)
      return last
    }
  }

  /// The number of the queue that runs, or of the one on which it runs its blocks; nil when none has a number.
  static var current: UInt64? { DispatchQueue.getSpecific(key: key) }
}
