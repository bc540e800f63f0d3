/// Calls a function after other processes have appended to a journal.
///
/// The system reports the events of one file, so a watch is renewed when a checkpoint has replaced the journal. Where
/// the system reports none, the function is called now and then.
final class JournalWatch: Sendable {
  private let path: String
  private let system: any FileSystem
  private let state = Locked(State())

  private struct State {
    var notify: (@Sendable () -> Void)?
    var watch: AnyObject?
    var isPolling = false
  }

  /// The time between two calls where the system reports no events, in milliseconds.
  private static let interval = 250

  init(_ path: String, _ system: any FileSystem) { (self.path, self.system) = (path, system) }

  /// Sets the function, and begins to watch.
  func begin(_ notify: @escaping @Sendable () -> Void) {
    state.withLock { $0.notify = notify }
    renew()
  }

  /// Watches the file that has the name now. Does nothing before `begin`.
  func renew() {
    // Released after the lock.
    let old: AnyObject? = state.withLock { state in
      guard let notify = state.notify else { return nil }
      let old = state.watch
      state.watch = system.watch(path, notify)
      if state.watch == nil, !state.isPolling {
        state.isPolling = true
        lookLater()
      }
      return old
    }
    withExtendedLifetime(old) {}
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
