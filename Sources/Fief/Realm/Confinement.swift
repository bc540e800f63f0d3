import Dispatch
import Foundation

/// Where a session may be used.
enum Confinement: @unchecked Sendable {
  /// On one thread.
  case thread(UInt, name: String)
  /// On one serial queue.
  case queue(DispatchQueue)
  /// On one actor's executor.
  case actor(any Actor)
  /// Anywhere: what it shows never changes.
  case frozen

  /// The thread that runs.
  static var currentThread: Confinement { .thread(Fief.currentThread(), name: threadName) }

  /// How the running thread is called in messages.
  static var threadName: String {
    if Thread.isMainThread { return "the main thread" }
    let name = Thread.current.name ?? ""
    return name.isEmpty ? "thread \(Fief.currentThread())" : "thread '\(name)'"
  }

  /// Two confinements with one identity share a session.
  struct Identity: Hashable {
    let kind: UInt8
    let number: UInt
  }

  var identity: Identity? {
    switch self {
    case .thread(let number, _): Identity(kind: 0, number: number)
    case .queue(let queue): Identity(kind: 1, number: UInt(bitPattern: ObjectIdentifier(queue)))
    case .actor(let actor): Identity(kind: 2, number: UInt(bitPattern: ObjectIdentifier(actor)))
    case .frozen: nil
    }
  }

  /// In words: "on the main thread".
  var words: String {
    switch self {
    case .thread(_, let name): name
    case .queue(let queue): "queue '\(queue.label)'"
    case .actor(let actor): "actor \(type(of: actor))"
    case .frozen: "any thread"
    }
  }

  /// Whether the running code is where the session may be used. For an actor this traps by itself when it is not.
  func isHere() -> Bool {
    switch self {
    case .thread(let number, _): return number == Fief.currentThread()
    case .queue(let queue): return QueueIdentity.isCurrent(queue)
    case .actor(let actor):
      actor.preconditionIsolated("Realm accessed from incorrect thread: it is confined to actor \(type(of: actor)).")
      return true
    case .frozen: return true
    }
  }
}

/// Tells whether a queue is the one that runs, by a mark that is left on it.
enum QueueIdentity {
  private static let key = DispatchSpecificKey<UInt>()

  /// Leaves the mark.
  static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: number(of: queue)) }

  static func isCurrent(_ queue: DispatchQueue) -> Bool {
    DispatchQueue.getSpecific(key: key) == number(of: queue) || (queue === DispatchQueue.main && Thread.isMainThread)
  }

  private static func number(of queue: DispatchQueue) -> UInt { UInt(bitPattern: ObjectIdentifier(queue)) }
}
