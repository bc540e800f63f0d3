import Fief
import FiefRuntime

/// The value of a wrapper, followed from version to version.
///
///     given ──first use──▶ live: observed, shown as a frozen copy ──▶ deleted: shown as the default
///              │                                                  ╲
///              └──▶ unmanaged: shown as it is ──added to a realm──▶ live
///              └──▶ frozen, and deleted since: shown as it is
///
/// A view gets a frozen value, because it keeps and compares values while the realm goes on.
public final class ObservedStorage<Value: RealmSubscribable>: ViewSource {
  /// The live or unmanaged value; a frozen one that was given and not thawed yet, or that no longer exists.
  private var current: Value
  private var token: NotificationToken?
  private let keyPaths: [String]?
  /// The value that views were shown last.
  private var lastShown: Value?
  private var isWaiting = false

  init(_ value: Value, keyPaths: [String]? = nil) {
    current = value
    self.keyPaths = keyPaths
  }

  /// The live or unmanaged value. Setting it makes views show the new one.
  @MainActor var value: Value {
    get {
      thaw()
      return current
    }
    set {
      token = nil
      lastShown = nil
      current = newValue
      announce()
    }
  }

  /// The value for a view: frozen if it is managed. An object that was deleted is replaced by a new one.
  @MainActor var shown: Value {
    noteRead()
    follow()
    if current.isInvalidated { return Value._makeReplacement() ?? lastShown ?? current }
    let frozen = FrozenCopy.of(current, unless: lastShown)
    lastShown = frozen
    return frozen
  }

  /// The value in the state in which views were shown it last.
  @MainActor var asShown: Value { lastShown ?? shown }

  /// Makes the value live, and observes it. May be called often.
  @MainActor private func follow() {
    thaw()
    guard token == nil, let realm = current.realm, FrozenCopy.changes(current, realm) else { return }
    if realm.isInWriteTransaction {
      // An observation that began in a write could miss the changes that the write has made already.
      if isWaiting { return }
      isWaiting = true
      later { [weak self] in
        self?.isWaiting = false
        self?.announce()
      }
      return
    }
    token = current.follow(keyPaths, on: nil) { [weak self] _, isFirst in
      // The state at the beginning is what the view shows already.
      if !isFirst { onMainActor { self?.announce() } }
    }
  }

  @MainActor private func thaw() {
    if current.isFrozen, token == nil, let live = current.thaw() { current = live }
  }

  /// Takes over a value that was assigned through a binding. The same value stands for a change of its parts.
  @MainActor func assign(_ new: Value) {
    if value == new { changedDirectly() } else { value = new }
  }

  /// Requests that views are evaluated again, after a change through a binding that no observation reports: of an
  /// unmanaged value, or of one that was added to a realm since it was shown.
  @MainActor func changedDirectly() { if token == nil { announce() } }
}

/// Frozen copies of live values.
@MainActor
enum FrozenCopy {
  /// Returns a frozen copy of a value at the version that its realm shows.
  ///
  /// - Parameter known: an earlier copy, which is returned while its version is still the present one.
  /// - Returns: the value itself when it is unmanaged or frozen, or was created by the write that is under way.
  static func of<Value: ThreadConfined>(_ value: Value, unless known: Value?) -> Value {
    guard let realm = value.realm, !realm.isFrozen else { return value }
    let version = realm.freeze()
    if let known, known.isFrozen, known.realm == version { return known }
    return value._resolved(in: version) ?? value
  }

  /// Whether a value can change, and its realm reports changes.
  static func changes<Value: ThreadConfined>(_ value: Value, _ realm: Realm) -> Bool {
    !value.isFrozen && !value.isInvalidated && !realm.configuration.readOnly
  }
}
