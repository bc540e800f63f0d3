import Fief
import FiefRuntime

/// The writes that bindings make.
///
/// A binding that changes a managed value writes in a transaction of its own, or in the one that is already under way.
/// A binding cannot throw, so an error of its own transaction is passed to `onFailure`. The change has been rolled back
/// then, and the view shows the stored value again.
@MainActor
public enum ImplicitWrite {
  /// Receives the errors of the writes that bindings make. By default they are logged at level `error`.
  ///
  ///     ImplicitWrite.onFailure = { error in alerts.append("\(error)") }
  public static var onFailure: @MainActor (any Error) -> Void = { error in
    Logger.log(.error, "A change by a view was not stored: \(error)")
  }

  /// Changes a value, in a write transaction if it is managed. Does nothing when it no longer exists.
  ///
  /// - Parameters:
  ///   - value: live, frozen or unmanaged.
  ///   - body: receives the live or unmanaged value.
  static func change<Value: ThreadConfined>(_ value: Value, _ body: (Value) -> Void) {
    if value.isInvalidated { return }
    guard let realm = value.realm else { return body(value) }
    guard let live = value.isFrozen ? value.thaw() : value else { return }
    // The beginning of the write may show that others have deleted it meanwhile.
    run(live.realm ?? realm) { if !live.isInvalidated { body(live) } }
  }

  /// Runs a change in a realm.
  static func run(_ realm: Realm, _ body: () -> Void) {
    if realm.isInWriteTransaction { return body() }
    do {
      try realm.write(body)
    } catch {
      onFailure(error)
    }
  }

  /// Returns the live counterpart of a frozen value, or of what an any-value holds, so that it can be stored; the value
  /// itself if it is not frozen, or no longer exists.
  static func thawed<Value>(_ value: Value) -> Value {
    guard let live = liveCounterpart(of: value) else { return value }
    return live as? Value ?? value
  }

  /// Whether a value is an object that was deleted.
  @inline(never)
  static func isGone(_ value: Any) -> Bool { (value as? any ThreadConfined)?.isInvalidated ?? false }

  // The compiler of Swift 6.3 crashes when it specializes this for a class, so it takes any value.
  @inline(never)
  private static func liveCounterpart(of value: Any) -> Any? {
    if let mixed = value as? AnyRealmValue { return mixed.holding { $0.isFrozen ? $0.thaw() : $0 } }
    guard let confined = value as? any ThreadConfined, confined.isFrozen else { return nil }
    return confined.thaw()
  }
}

/// Runs a closure that belongs to the main actor, from a closure that is called there without saying so.
func onMainActor<Result>(_ body: @MainActor () -> Result) -> Result {
  MainActor.assumeIsolated { UncheckedBox(body()) }.value
}
