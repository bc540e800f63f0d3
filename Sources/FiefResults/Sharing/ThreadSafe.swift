import FiefObjects
import FiefSessions
import Synchronization

/// Holds an object or a collection for any thread. Each read returns it in the realm of the reading thread.
///
///     func show(@ThreadSafe dog: Dog?) {
///       queue.async { [_dog] in print(_dog.wrappedValue?.name ?? "gone") }
///     }
///
/// In the Swift 6 language mode, a closure for another queue captures the wrapper, as `_dog` above: a captured `dog` is
/// an error there, and a warning in Swift 5.
///
/// Each read sees at least the version of the previous read; a realm at an older version is refreshed. A change that is
/// made through it inside a write is therefore visible to every read after the commit.
///
/// The value is nil after the object was deleted. Setting an unmanaged or deleted object traps. Setting nil releases
/// the version that is held.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  private let state: Mutex<State>

  private struct State {
    var reference: FrozenReference<Confined>?
    /// Counts the exchanges of the reference. A reader that finds another number on its return stores nothing.
    var exchanges: UInt64 = 0

    /// - Returns: the previous reference, which must be released outside the lock.
    mutating func exchange(_ next: FrozenReference<Confined>?) -> FrozenReference<Confined>? {
      exchanges &+= 1
      defer { reference = next }
      return reference
    }
  }

  /// The object or collection in the realm of the running thread, queue or actor. Nil when it was deleted or set to
  /// nil.
  ///
  ///     let safe = ThreadSafe(wrappedValue: dog)
  ///     queue.async {
  ///       if let dog = safe.wrappedValue, let realm = dog.realm { try? realm.write { dog.age += 1 } }
  ///     }
  ///
  /// Setting traps for an unmanaged or deleted object, and outside the thread, queue or actor of the object.
  public var wrappedValue: Confined? {
    get {
      let (held, exchanges) = state.withLock { ($0.reference, $0.exchanges) }
      guard let held else { return nil }
      let session = held.ticket.frozen.live(from: held.ticket.home)
      let thing = held.resolve(in: session, from: .latest)
      let next = held.next(after: thing, in: session)
      if let next, next.ticket.isLevel(with: held.ticket) { return thing }
      _ = state.withLock { state in state.exchanges == exchanges ? state.exchange(next) : nil }
      return thing
    }
    set {
      let next = newValue.map { FrozenReference($0, "@ThreadSafe") }
      _ = state.withLock { $0.exchange(next) }
    }
  }

  /// Creates a holder of a managed object or collection, or of nil.
  ///
  ///     let safe = ThreadSafe(wrappedValue: realm.objects(Dog.self).first)
  ///     queue.async { print(safe.wrappedValue?.name ?? "gone") }
  ///
  /// Traps for an unmanaged or deleted object, and outside the thread, queue or actor of the object.
  public init(wrappedValue: Confined?) {
    state = Mutex(State(reference: wrappedValue.map { FrozenReference($0, "@ThreadSafe") }))
  }
}
