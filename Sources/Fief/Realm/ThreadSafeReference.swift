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
  /// The store, for asking whether the thing is there still.
  private let store: Store

  /// A reference to a thing of a realm. In a write it resolves once that is committed.
  ///
  /// Traps when the thing is unmanaged or was deleted.
  public init(to threadConfined: Confined) {
    let handover = Handover(threadConfined, "A ThreadSafeReference")
    store = handover.frozen.store
    state = Mutex(handover)
  }

  /// Whether it was resolved, or the thing is gone from the latest version.
  public var isInvalidated: Bool {
    guard let handover = state.withLock({ $0 }) else { return true }
    // What was made in a write that is not committed is not gone.
    let latest = store.published.current
    if latest.version <= handover.base { return false }
    return handover.seen(by: Session(store, .frozen, handover.frozen.configuration, frozenAt: latest)) == nil
  }

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

/// A thing as of one version, which any thread may have.
struct Handover<Confined: ThreadConfined>: @unchecked Sendable {
  /// Frozen: any thread may read it.
  private let thing: Confined
  let frozen: Session
  /// The last published version when it was made.
  let base: UInt64

  init(_ thing: Confined, _ what: String) {
    guard let session = thing.realm?.session else {
      fatalError("\(what) needs a managed thing: add the object to a realm first; it may also have been deleted.")
    }
    session.checkConfinement()
    if thing.isInvalidated { fatalError("\(what) needs a thing that is valid: this one was deleted or invalidated.") }
    frozen = session.frozenWithChanges()
    base = frozen.graph.version
    guard let copy = session.isFrozen ? thing : thing._seen(in: Realm(frozen)) else {
      fatalError("\(what) needs a thing that is valid: this one was deleted or invalidated.")
    }
    self.thing = copy
  }

  /// The thing as a session of its store sees it; nil when it is not there.
  func seen(by session: Session) -> Confined? { thing._seen(in: Realm(session)) }
}

extension Realm {
  /// The object or collection that a reference carries, in this realm; nil when it was deleted meanwhile.
  ///
  /// A realm that sees an older version than the reference's is refreshed first, unless it is in a write; there, what is newer gives
  /// nil. The realm must be of the same store. Traps when the reference was resolved before.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    session.checkConfinement()
    return session.resolve(reference.take())
  }
}

extension Session {
  /// The thing of a handover, as seen here.
  func resolve<Confined: ThreadConfined>(_ handover: Handover<Confined>) -> Confined? {
    if handover.frozen.store !== store {
      fatalError("A thread safe reference was resolved in a realm of another file or identifier than it was made in.")
    }
    if !isFrozen && transaction == nil && !observers.isDelivering && graph.version <= handover.base { _ = advance() }
    return handover.seen(by: self)
  }
}

/// Holds an object or a collection for any thread: each read gives it as the reading thread's realm sees it.
///
///     func show(@ThreadSafe dog: Dog?) {
///       queue.async { print(dog?.name ?? "gone") }
///     }
///
/// Nil when the thing was deleted. Setting something unmanaged traps.
@propertyWrapper
public final class ThreadSafe<Confined: ThreadConfined>: Sendable {
  private let held: Mutex<Handover<Confined>?>

  /// The thing, in the realm of the running thread (or queue, or actor).
  public var wrappedValue: Confined? {
    get {
      guard let handover = held.withLock({ $0 }) else { return nil }
      return handover.frozen.thawed().resolve(handover)
    }
    set {
      let handover = newValue.map { Handover($0, "@ThreadSafe") }
      held.withLock { $0 = handover }
    }
  }

  /// A holder of a managed thing, or of nothing.
  public init(wrappedValue: Confined?) { held = Mutex(wrappedValue.map { Handover($0, "@ThreadSafe") }) }
}
