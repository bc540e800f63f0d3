import FiefObjects
import FiefOpening
import FiefRuntime
import FiefSessions
import Synchronization

/// An open store, as one `RealmStore` holds it.
final class HeldStore: Sendable {
  let store: Store
  let options: SharedConfiguration

  init(_ store: Store, _ options: SharedConfiguration) {
    self.store = store
    self.options = options
    store.asynchronousReferences.add(1, ordering: .relaxed)
  }

  deinit { store.asynchronousReferences.subtract(1, ordering: .relaxed) }
}

/// The calls that are under way in a `RealmStore`.
///
///     open ──close()──▶ closed, some reads and writes are under way ──▶ idle ──release()──▶ released
///
/// A read or write asks for the store between `begin()` and `end()` alone, and drops it before `end()`. So when a
/// closed store is idle, nothing of it is left but what the application holds.
final class StoreUse: Sendable {
  private let state: Mutex<State>

  private struct State {
    var held: HeldStore?
    var isClosed = false
    /// The number of reads and writes between `begin()` and `end()`.
    var count = 0
    /// Called when a closed store is idle.
    var closers: [@Sendable (Bool) -> Void] = []
    /// The iterations that have not ended, as far as they are known.
    var sequences: [WeakReference<AnyObject>] = []
  }

  init(_ held: HeldStore) { state = Mutex(State(held: held)) }

  /// The store; nil when it is released.
  var held: HeldStore? { state.withLock { $0.held } }

  private static var closed: Realm.Error {
    Realm.Error(.storeIsClosed, "The RealmStore was closed: make another one to read or write.")
  }

  func begin() throws {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.count += 1 }
      return !state.isClosed
    }
    if !isOpen { throw Self.closed }
  }

  func end() {
    let closers = state.withLock { state in
      state.count -= 1
      assert(state.count >= 0, "What ends has begun.")
      if state.count > 0 || !state.isClosed { return [] as [@Sendable (Bool) -> Void] }
      defer { state.closers = [] }
      return state.closers
    }
    for closer in closers { closer(true) }
  }

  /// Runs a closure with a realm that shows the latest version.
  func read<Result>(_ body: (Realm) throws -> Result) throws -> Result {
    try Task.checkCancellation()
    guard let held else { throw Self.closed }
    // A session of its own: readers on several processors share no counts of references.
    let (store, options) = (held.store, held.options)
    return try body(Realm(Session(store, .frozen, options: options, frozenAt: store.published.current)))
  }

  /// Adds an iteration, which `close()` ends.
  ///
  /// - Returns: false when the store is closed.
  func add(_ sequence: some StoreIteration) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      if state.sequences.count == state.sequences.capacity { state.sequences.removeAll { $0.object == nil } }
      state.sequences.append(WeakReference(sequence))
      return true
    }
  }

  /// Refuses all that has not begun.
  ///
  /// - Returns: the iterations that may not have ended. Whoever closes the store meanwhile waits for them as well.
  func close() -> [any StoreIteration] {
    state.withLock { state in
      state.isClosed = true
      return state.sequences.compactMap { $0.object as? any StoreIteration }
    }
  }

  /// Returns when nothing is under way in a closed store.
  func isIdle() async {
    _ = await AwaitedValue<Bool>.receive { handOver in
      let isIdle = state.withLock { state in
        assert(state.isClosed, "An open store is never idle for good.")
        if state.count > 0 { state.closers.append(handOver) }
        return state.count == 0
      }
      if isIdle { handOver(true) }
    }
  }

  /// Releases the store.
  func release() {
    let held = state.withLock { state in
      assert(state.isClosed && state.count == 0, "A store is released when nothing uses it.")
      defer { (state.held, state.sequences) = (nil, []) }
      return state.held
    }
    withExtendedLifetime(held) {}
  }
}

/// An iteration over a sequence of a `RealmStore`.
protocol StoreIteration: Actor {
  /// Ends it, and returns when nothing of it uses the store.
  func end() async
}
