import Fief

/// Frozen copies of live values.
@MainActor
enum FrozenCopy {
  /// Returns a frozen copy of a value at the version that its realm shows.
  ///
  /// - Parameter known: an earlier copy, which is returned while its version is still the present one.
  /// - Returns: the value itself when it is unmanaged or frozen, or was created by the write that is under way.
  nonisolated static func of<Value: ThreadConfined>(_ value: Value, unless known: Value?) -> Value {
    guard let realm = value.realm, !realm.isFrozen else { return value }
    let version = realm.freeze()
    if let known, known.isFrozen, known.realm == version { return known }
    return value._resolved(in: version) ?? value
  }

  /// Returns what can be read of a value whatever becomes of it: a frozen copy of an object or a collection that
  /// exists, also in an any-value, any other value itself.
  nonisolated static func kept<Value>(_ value: Value) -> Value { copy(of: value) as? Value ?? value }

  // It takes any value for the reason that `ImplicitWrite` has.
  @inline(never)
  nonisolated private static func copy(of value: Any) -> Any? {
    if let mixed = value as? AnyRealmValue { return mixed.holding { kept($0) } }
    func copy(_ confined: some ThreadConfined) -> Any { of(confined, unless: nil) }
    guard let confined = value as? any ThreadConfined, !confined.isInvalidated else { return nil }
    return copy(confined)
  }

  /// Whether a value can change, and its realm reports changes.
  static func changes<Value: ThreadConfined>(_ value: Value, _ realm: Realm) -> Bool {
    !value.isFrozen && !value.isInvalidated && realm.mayChange
  }
}
