import Dispatch
import Foundation

/// Where a session may be used.
///
/// The main thread, the main queue and the main actor are one place.
enum Confinement: @unchecked Sendable {
  /// On one thread, by the number of its life.
  case thread(UInt64, name: String)
  /// On the main thread, the main queue, or the main actor.
  case main
  /// On one serial queue.
  case queue(DispatchQueue)
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
    isMain ? .main : .thread(ThreadLife.current.number, name: threadName)
  }

  /// A queue.
  static func of(_ queue: DispatchQueue) -> Confinement { queue === DispatchQueue.main ? .main : .queue(queue) }

  /// An actor.
  static func of(_ actor: any Actor) -> Confinement { actor === MainActor.shared ? .main : .actor(ActorPlace(actor)) }

  /// Whether the main thread, queue or actor runs. Where programs end in `dispatchMain()`, as asynchronous ones on Linux do, the
  /// main queue is served by any thread.
  static var isMain: Bool { Thread.isMainThread || QueueIdentity.isCurrent(.main) }

  /// How the running thread is called in messages.
  static var threadName: String {
    if isMain { return "the main thread" }
    let name = Thread.current.name ?? ""
    return name.isEmpty ? "thread \(Fief.currentThread())" : "thread '\(name)'"
  }

  /// Two confinements with one identity share a session.
  enum Identity: Hashable, Sendable {
    case main
    case thread(UInt64)
    case queue(ObjectIdentifier)
    case actor(ObjectIdentifier)
  }

  var identity: Identity? {
    switch self {
    case .thread(let number, _): .thread(number)
    case .main: .main
    case .queue(let queue): .queue(ObjectIdentifier(queue))
    case .actor(let place): .actor(place.identity)
    case .frozen: nil
    }
  }

  /// In words: "the main thread".
  var words: String {
    switch self {
    case .thread(_, let name): name
    case .main: "the main thread"
    case .queue(let queue): "queue '\(queue.label)'"
    case .actor(let place): "actor \(place.name)"
    case .frozen: "any thread"
    }
  }

  /// Whether the running code is where the session may be used. For an actor this traps by itself when it is not.
  func isHere() -> Bool {
    switch self {
    case .thread(let number, _): return number == ThreadLife.current.number
    case .main: return Self.isMain
    case .queue(let queue): return QueueIdentity.isCurrent(queue)
    case .actor(let place):
      guard let actor = place.actor else { return false }
      actor.preconditionIsolated(
        "Realm accessed from incorrect thread: it is confined to actor \(place.name) and was used on \(Self.threadName)."
      )
      return true
    case .frozen: return true
    }
  }

  /// Whether it is one where work can be left to be done.
  var canSchedule: Bool {
    switch self {
    case .thread, .frozen: false
    case .main, .queue, .actor: true
    }
  }

  /// Has `work` done there, soon; never before this returns.
  ///
  /// - Returns: false when it will not be done: nobody looks after a plain thread, and an actor may be gone.
  @discardableResult
  func schedule(_ work: @escaping @Sendable () -> Void) -> Bool {
    switch self {
    case .thread, .frozen: return false
    case .main: DispatchQueue.main.async(execute: work)
    case .queue(let queue): queue.async(execute: work)
    case .actor(let place):
      guard let actor = place.actor else { return false }
      Task { await Self.run(work, on: actor) }
    }
    return true
  }

  private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}

/// Tells whether a queue is the one that runs, by a mark that is left on it.
enum QueueIdentity {
  private static let key: DispatchSpecificKey<ObjectIdentifier> = {
    let key = DispatchSpecificKey<ObjectIdentifier>()
    DispatchQueue.main.setSpecific(key: key, value: ObjectIdentifier(DispatchQueue.main))
    return key
  }()

  /// Leaves the mark.
  static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: ObjectIdentifier(queue)) }

  /// Whether a marked queue runs, or one that runs its blocks on it.
  static func isCurrent(_ queue: DispatchQueue) -> Bool {
    DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)
  }
}
