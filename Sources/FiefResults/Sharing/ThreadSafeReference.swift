import FiefGraph
import FiefObjects
import FiefSessions
import Synchronization

/// Passes an object or a collection to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: dog)
///     queue.async {
///       let realm = try! Realm()
///       guard let dog = realm.resolve(reference) else { return }   // deleted meanwhile
///     }
///
/// A reference retains the version from which it was made. It can be resolved once.
public final class ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let state: Mutex<FrozenReference<Confined>?>

  /// Creates a reference to a managed object or collection. One made in a write resolves after the write is committed.
  ///
  ///     let reference = ThreadSafeReference(to: person.dogs)
  ///
  /// - Parameter threadConfined: the object or collection, live or frozen.
  ///
  /// Traps when the object is unmanaged or was deleted, and outside its thread, queue or actor.
  public init(to threadConfined: Confined) { state = Mutex(FrozenReference(threadConfined, "A ThreadSafeReference")) }

  /// Whether it has been resolved. A deletion of the object does not show here: resolving then returns nil.
  ///
  ///     let reference = ThreadSafeReference(to: dog)
  ///     let same = realm.resolve(reference)
  ///     print(reference.isInvalidated)          // true
  public var isInvalidated: Bool { state.withLock { $0 == nil } }

  /// Takes out the reference.
  func resolve() -> FrozenReference<Confined> {
    let reference = state.withLock { state in
      let held = state
      state = nil
      return held
    }
    guard let reference else {
      fatalError("Can only resolve a thread safe reference once: make another where the object is.")
    }
    return reference
  }
}

extension Realm {
  /// Returns the object or collection of a reference in this realm; nil when it does not exist here, and in a realm of
  /// another file or identifier.
  ///
  ///     let reference = ThreadSafeReference(to: dog)
  ///     queue.async {
  ///       let realm = try! Realm(queue: queue)
  ///       if let dog = realm.resolve(reference) { print(dog.name) }
  ///     }
  ///
  /// A realm that has no pinned version yet then shows the version of the reference. Objects that were deleted after it
  /// exist until the realm refreshes. A realm at an older version is refreshed first, unless it is frozen, in a write
  /// or in an observer's block; there, a newer object gives nil.
  ///
  /// - Parameter reference: the reference, which is used up.
  ///
  /// Traps when the reference was resolved before, and outside the realm's thread, queue or actor.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    session.checkConfinement()
    return reference.resolve().resolve(in: session)
  }
}
