/// What belongs to a realm, and with it to a thread, a queue or an actor: objects and collections.
public protocol ThreadConfined {
  /// The realm that it belongs to; nil when it is unmanaged.
  var realm: Realm? { get }
  /// Whether it can no longer be used: deleted, or its realm invalidated.
  var isInvalidated: Bool { get }
  /// Whether it is frozen: shows one version for ever, to any thread.
  var isFrozen: Bool { get }
  /// The same as of now, for ever, readable from any thread.
  func freeze() -> Self
  /// The live counterpart in the realm of the running thread; nil when it is not there (any more, or yet).
  func thaw() -> Self?
  /// The same thing as another realm of its store sees it; nil when it is not there.
  func _seen(in realm: Realm) -> Self?
}

extension ObjectBase {
  /// The realm of a managed object; nil when it is unmanaged, or was deleted by this very instance. May be asked
  /// anywhere.
  public final var realm: Realm? {
    guard let session = heldSession, !(flags.contains(.deleted) && !isThere) else { return nil }
    return Realm(session)
  }

  /// Whether it is frozen: shows one version for ever, to any thread.
  public final var isFrozen: Bool { heldSession?.isFrozen ?? false }
}
