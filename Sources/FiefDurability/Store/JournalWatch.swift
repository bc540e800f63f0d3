/// Calls a function after other processes have appended to a journal.
///
///     others have the store open ──▶ the journal is watched      own commits lead to calls, too
///     this process is alone      ──▶ the lock file is watched    own commits cost nothing; one that comes writes there
///
/// The system reports the events of one file, so a watch is renewed when a checkpoint has replaced the journal. Where
/// the system reports none, the function is called now and then.
final class JournalWatch: Sendable {
  private let path: String
  private let system: any FileSystem
  private let alone: (path: String, sharing: StoreSharing)?
  private let state = Locked(State())

  private struct State {
    var notify: (@Sendable () -> Void)?
    var watch: AnyObject?
    /// Whether the lock file is watched.
    var isAlone = false
    var isPolling = false
  }

  /// The time between two calls where the system reports no events, in milliseconds.
  private static let interval = 250

  /// - Parameters:
  ///   - path: the journal.
  ///   - alone: what is watched while no other process has the store open, and who knows that; nil to watch the journal
  ///     in any case.
  init(_ path: String, _ system: any FileSystem, whileAlone alone: (path: String, sharing: StoreSharing)? = nil) {
    (self.path, self.system, self.alone) = (path, system, alone)
  }

  /// Sets the function, and begins to watch.
  func begin(_ notify: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.notify = { [weak self] in
        self?.answer()
        notify()
      }
    }
    renew()
  }

  /// Watches the file that has the name now. Does nothing before `begin`.
  func renew() {
    // Released after the lock.
    let old: AnyObject? = state.withLock { state in
      guard let notify = state.notify else { return nil }
      let old = state.watch
      (state.watch, state.isAlone) = watch(notify)
      if state.watch == nil, !state.isPolling {
        state.isPolling = true
        lookLater()
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func watch(_ notify: @escaping @Sendable () -> Void) -> (watch: AnyObject?, isAlone: Bool) {
    if let alone, alone.sharing.isAlone, let watch = system.watch(alone.path, notify) {
      // A process may have come before its coming was watched.
      if alone.sharing.isAlone { return (watch, true) }
    }
    return (system.watch(path, notify), false)
  }

  /// Watches the other file after another process has come, or the last one has gone.
  private func answer() {
    // Under the lock, because the lock file is closed after `end`.
    let isOtherFile = state.withLock { state in
      guard let alone, state.notify != nil, state.watch != nil else { return false }
      return state.isAlone != alone.sharing.isAlone
    }
    if isOtherFile { renew() }
  }

  private func lookLater() {
    system.later(in: Self.interval) { [weak self] in
      guard let self else { return }
      let notify = self.state.withLock { state in
        if state.watch != nil { state.isPolling = false }
        return state.isPolling ? state.notify : nil
      }
      guard let notify else { return }
      notify()
      self.lookLater()
    }
  }

  /// Ends the calls.
  func end() {
    let old = state.withLock { state in
      defer { state = State() }
      return state.watch
    }
    withExtendedLifetime(old) {}
  }
}
