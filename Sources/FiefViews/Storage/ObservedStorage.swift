public import Fief

/// The value of a wrapper, followed from version to version.
///
///     given ──first use──▶ live: observed, shown as a frozen copy ──▶ deleted: shown as the default
///              │            ▲──────────── deletion undone ──────────────╯
///              └──▶ unmanaged: shown as it is ──added to a realm──▶ live
///              └──▶ frozen, and deleted since: shown as it is
public final class ObservedStorage<Value: RealmSubscribable>: FollowedSource<Value> {
  /// The live or unmanaged value; a frozen one that was given and not thawed yet, or that no longer exists.
  private var current: Value
  private let keyPaths: [String]?

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
      forget()
      current = newValue
      announce()
    }
  }

  /// The value for a view: frozen if it is managed. An object that was deleted is replaced by a new one.
  @MainActor var shown: Value {
    noteRead()
    thaw()
    follow(current, keyPaths: keyPaths)
    if current.isInvalidated { return Value._makeReplacement() ?? lastShown ?? current }
    return show(current)
  }

  /// The value in the state in which views were shown it last.
  @MainActor var asShown: Value { lastShown ?? shown }

  /// The value for a binding. A value that was deleted is given as views were shown it last: code that holds the
  /// binding, such as another view, reads it without asking.
  @MainActor var bound: Value {
    let value = value
    return value.isInvalidated ? asShown : value
  }

  /// Makes the value live. May be called often.
  @MainActor private func thaw() {
    if current.isFrozen, !isFollowed, let live = current.thaw() { current = live }
  }

  /// Takes over a value that was assigned through a binding. The same value, and the one that the binding gives after a
  /// deletion, stand for a change of its parts.
  @MainActor func assign(_ new: Value) {
    if value == new || lastShown == new { changedDirectly() } else { value = new }
  }

  /// Requests that views are evaluated again, after a change through a binding that no observation reports: of an
  /// unmanaged value, or of one that was added to a realm since it was shown.
  @MainActor func changedDirectly() { if !isFollowed { announce() } }
}
