import FiefRuntime
import Foundation

/// The open stores of this process. The registry does not retain them.
///
/// Opening and closing one store exclude each other: opening a store that is being closed waits until its files are
/// closed.
package enum StoreRegistry {
  /// Protects the properties below. It is never held while a store is opened or closed, nor while a possibly last
  /// reference is released.
  private static let condition = NSCondition()
  nonisolated(unsafe) private static var stores: [Store.Identity: WeakReference<Store>] = [:]
  /// What is being opened, or kept closed, and the threads that do it.
  nonisolated(unsafe) private static var claimed: [Store.Identity: UInt] = [:]

  /// Returns the store of an identity, and opens it with `make` when it is not open.
  ///
  /// - Returns: the store, and whether it was open before.
  /// - Throws: the error of `make`; a `SessionError` when called while this thread opens the same store, which would be
  ///   a deadlock.
  package static func open(
    _ identity: Store.Identity, _ make: () throws -> Store
  ) throws -> (store: Store, wasOpen: Bool) {
    if let store = try claim(identity) { return (store, true) }
    do {
      let made = try make()
      giveBack(identity, made)
      return (made, false)
    } catch {
      giveBack(identity, nil)
      throw error
    }
  }

  /// Runs `body` while a store stays closed.
  ///
  /// - Throws: `SessionError.alreadyOpen` when the store is open; `.fail` when called while this thread opens the same
  ///   store; the error of `body`.
  package static func whileClosed<Result>(_ identity: Store.Identity, _ body: () throws -> Result) throws -> Result {
    if try claim(identity) != nil {
      throw SessionError(.alreadyOpen, "The realm is open: release all its realms, objects and collections first.")
    }
    defer { giveBack(identity, nil) }
    return try body()
  }

  /// Returns the store of an identity, if it is open. The caller owns the reference, so a last reference is released
  /// outside the lock.
  package static func present(_ identity: Store.Identity) -> Store? {
    condition.lock()
    defer { condition.unlock() }
    return unsafe stores[identity]?.object
  }

  /// Calls `body` with each open store. It is retained for that call alone: a store that its user releases meanwhile
  /// would stay open, and could not be opened for other classes.
  package static func map<Result>(_ body: (Store) -> Result) -> [Result] {
    condition.lock()
    let identities = unsafe Array(stores.keys)
    condition.unlock()
    return identities.compactMap { present($0).map(body) }
  }

  /// Removes a store whose files have been closed.
  package static func remove(_ store: Store) {
    condition.lock()
    if unsafe stores[store.identity]?.refers(to: store) ?? false { unsafe stores[store.identity] = nil }
    condition.broadcast()
    condition.unlock()
  }

  /// Prevents other threads from opening a store that is not open.
  ///
  /// - Returns: the store when it is open; nil when the caller has to open it and call `giveBack`.
  private static func claim(_ identity: Store.Identity) throws -> Store? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let entry = unsafe stores[identity] {
        // An entry without an object is a store that is being closed. It removes its entry itself.
        if let store = entry.object { return store }
      } else if let owner = unsafe claimed[identity] {
        if owner == currentThread() {
          throw SessionError(
            .fail,
            "The realm cannot be opened or deleted while this very thread is opening it: a block like "
              + "shouldCompactOnLaunch decides by what it is given, and must not use the realm.", file: identity.file)
        }
      } else {
        unsafe claimed[identity] = currentThread()
        unsafe assert(stores[identity] == nil, "A file is claimed while no store has it.")
        return nil
      }
      condition.wait()
    }
  }

  /// Ends `claim`: publishes the opened store, if any, and wakes the waiting threads.
  private static func giveBack(_ identity: Store.Identity, _ store: Store?) {
    condition.lock()
    unsafe assert(claimed[identity] == currentThread(), "A claim is given back by the thread that made it.")
    unsafe assert(stores[identity] == nil, "No store is listed while its file is claimed.")
    unsafe claimed[identity] = nil
    if let store { unsafe stores[identity] = WeakReference(store) }
    condition.broadcast()
    condition.unlock()
  }
}

extension Store.Identity {
  /// The file; nil in memory.
  fileprivate var file: URL? {
    switch self {
    case .file(let path): URL(fileURLWithPath: path)
    case .memory: nil
    }
  }
}
