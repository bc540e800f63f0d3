import FiefSessions

/// An object, collection or other value that belongs to a realm, and so to a thread, a queue or an actor.
///
///     func isLive<C: ThreadConfined>(_ thing: C) -> Bool {
///       thing.realm != nil && !thing.isFrozen && !thing.isInvalidated
///     }
public protocol ThreadConfined: SendableMetatype {
  /// The realm that the value belongs to; nil when it is unmanaged.
  var realm: Realm? { get }
  /// Whether the value can no longer be used, because it was deleted or its realm was invalidated.
  var isInvalidated: Bool { get }
  /// Whether the value is frozen: it shows one version for good, on any thread.
  var isFrozen: Bool { get }
  /// Returns a frozen copy of the current version, which any thread may read. Traps for an unmanaged or invalidated
  /// value.
  func freeze() -> Self
  /// Returns the live counterpart in the realm of the running thread, queue or actor; nil when it does not exist there.
  /// Traps for an unmanaged value.
  func thaw() -> Self?
  /// Returns the counterpart in another realm of its store; nil when it does not exist there.
  func _resolved(in realm: Realm) -> Self?
}

extension ThreadConfined {
  /// The default implementation freezes or thaws.
  public func _resolved(in realm: Realm) -> Self? { realm.isFrozen ? freeze() : thaw() }
}

extension ObjectBase {
  /// The realm of a managed object; nil when the object is unmanaged, or was deleted by this very instance. May be read
  /// on any thread.
  ///
  ///     try dog.realm?.write { dog.age += 1 }
  public final var realm: Realm? {
    guard let session = retainedSession, !(flags.contains(.deleted) && !isThere) else { return nil }
    return Realm(session)
  }

  /// Whether the object is frozen: it shows one version for good, on any thread.
  ///
  ///     if let live = dog.isFrozen ? dog.thaw() : dog { print(live.name) }
  public final var isFrozen: Bool { retainedSession?.isFrozen ?? false }
}
