public import Fief

/// A source whose value is followed from version to version, and shown as a frozen copy.
///
/// A view gets a frozen value, because it keeps and compares values while the realm goes on.
public class FollowedSource<Value: RealmSubscribable>: ViewSource {
  private var token: NotificationToken?
  /// The value that views were shown last.
  private(set) var lastShown: Value?
  /// Waits for the end of a write in which the value was read.
  private var endOfWrite: NotificationToken?

  /// Whether the value is observed. The observation ends with the value, which undoing may bring back.
  final var isFollowed: Bool { token?.isLive ?? false }

  /// Ends the observation: another value is shown from now on.
  final func forget() {
    token = nil
    endOfWrite = nil
    lastShown = nil
  }

  /// Observes a live value, unless it is observed already. May be called often.
  ///
  /// - Parameter keyPaths: names of the properties whose changes evaluate views again; nil for all.
  @MainActor final func follow(_ value: Value, keyPaths: [String]?) {
    guard !isFollowed, let realm = value.realm, FrozenCopy.changes(value, realm) else { return }
    if realm.isInWriteTransaction {
      // An observation that began in a write could miss the changes that the write has made already.
      if endOfWrite != nil { return }
      endOfWrite = realm.awaitEndOfWrite { [weak self] in
        self?.endOfWrite = nil
        onMainActor { self?.announce() }
      }
      return
    }
    token = value.follow(keyPaths, on: nil) { [weak self] value, isFirst in
      // The state at the beginning is what the view shows already, unless the realm has advanced since.
      if isFirst, self?.lastShown?.realm?.version == value?.realm?.version { return }
      onMainActor { self?.announce() }
    }
  }

  /// Returns the frozen copy of a value for views.
  @MainActor final func show(_ value: Value) -> Value {
    let frozen = FrozenCopy.of(value, unless: lastShown)
    lastShown = frozen
    return frozen
  }
}
