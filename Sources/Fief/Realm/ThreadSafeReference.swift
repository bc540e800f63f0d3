import FiefGraph
import Synchronization

/// Carries an object or a collection to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: dog)
///     queue.async {
///       let realm = try! Realm()
///       guard let dog = realm.resolve(reference) else { return }   // deleted meanwhile
///     }
///
/// It keeps the version from which it was made, and is resolved once.
public final class ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let state: Mutex<Handover<Confined>?>

  /// A reference to a thing of a realm. In a write it resolves once that is committed.
  ///
  /// Traps when the thing is unmanaged or was deleted.
  public init(to threadConfined: Confined) { state = Mutex(Handover(threadConfined, "A ThreadSafeReference")) }

  /// Whether it was resolved. That the thing was deleted does not show here: resolving then gives nil.
  public var isInvalidated: Bool { state.withLock { $0 == nil } }

  /// Takes out what it holds.
  func take() -> Handover<Confined> {
    let handover = state.withLock { state in
      let held = state
      state = nil
      return held
    }
    guard let handover else {
      fatalError("Can only resolve a thread safe reference once: make another where the object is.")
    }
    return handover
  }
}

extension Realm {
  /// The object or collection that a reference carries, in this realm; nil when it is not there, and in a realm of
  /// another file or identifier.
  ///
  /// A realm that has not looked at anything yet shows the reference's version from now on: what was deleted after that
  /// is there until the realm refreshes. One that sees an older version is refreshed first, unless it is in a write;
  /// there, what is newer gives nil.
  ///
  /// Traps when the reference was resolved before.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    session.checkConfinement()
    return session.resolve(reference.take())
  }
}
