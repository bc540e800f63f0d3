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
  /// The number of visits under way.
  nonisolated(unsafe) private static var visits: [Store.Identity: Int] = [:]

  /// The time for which an opening waits for visits, in seconds. Only a function of the application that receives log
  /// messages can make a visit last so long, and that function may itself wait for the opening.
  package static let visitLimit: TimeInterval = 10

  /// Returns the store of an identity, and opens it with `make` when it is not open.
  ///
  /// - Parameter limit: the time for which it waits for visits, in seconds.
  /// - Returns: the store, and whether it was open before.
  /// - Throws: the error of `make`; a `SessionError` when called while this thread opens the same store, which would be
  ///   a deadlock.
  package static func open(
    _ identity: Store.Identity, waitingForVisits limit: TimeInterval = visitLimit, _ make: () throws -> Store
  ) throws -> (store: Store, wasOpen: Bool) {
    if let store = try claim(identity, limit) { return (store, true) }
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
  /// - Parameter limit: the time for which it waits for visits, in seconds.
  /// - Throws: `SessionError.alreadyOpen` when the store is open; `.fail` when called while this thread opens the same
  ///   store; the error of `body`.
  package static func whileClosed<Result>(
    _ identity: Store.Identity, waitingForVisits limit: TimeInterval = visitLimit, _ body: () throws -> Result
  ) throws -> Result {
    if try claim(identity, limit) != nil {
      throw SessionError(.alreadyOpen, "The realm is open: release all its realms, objects and collections first.")
    }
    defer { giveBack(identity, nil) }
    return try body()
  }

  /// Whether a store is open, for anything but visits: their end is waited for, as by an opening.
  ///
  /// - Parameter limit: the time for which it waits for visits, in seconds.
  /// - Throws: a `SessionError` when called while this thread opens the same store.
  package static func isOpen(
    _ identity: Store.Identity, waitingForVisits limit: TimeInterval = visitLimit
  ) throws -> Bool {
    if try claim(identity, limit) != nil { return true }
    giveBack(identity, nil)
    return false
  }

  /// Returns the store of an identity, if it is open. The caller owns the reference, so a last reference is released
  /// outside the lock.
  package static func present(_ identity: Store.Identity) -> Store? {
    condition.lock()
    defer { condition.unlock() }
    return unsafe stores[identity]?.object
  }

  /// Calls `body` with each open store, as a visit.
  package static func map<Result>(_ body: (Store) -> Result) -> [Result] {
    condition.lock()
    let stores = unsafe stores
    condition.unlock()
    return stores.compactMap { visit($0.value, $0.key, body) }
  }

  /// Calls `body` with a store, if it is open, and retains the store for that call alone.
  ///
  /// When the application has released its last reference meanwhile, an opening does not take the store, but waits for
  /// the end of the visit: it may have other classes or other options.
  @discardableResult
  package static func visit<Result>(
    _ store: WeakReference<Store>, _ identity: Store.Identity, _ body: (Store) -> Result
  ) -> Result? {
    condition.lock()
    unsafe visits[identity, default: 0] += 1
    condition.unlock()
    defer { endVisit(identity) }
    // Released at the end of this line.
    return store.object.map(body)
  }

  /// Ends a visit whose reference to the store is released.
  private static func endVisit(_ identity: Store.Identity) {
    condition.lock()
    let count = unsafe visits[identity, default: 0] - 1
    assert(count >= 0, "A visit ends once.")
    unsafe visits[identity] = count == 0 ? nil : count
    if count == 0 { condition.broadcast() }
    condition.unlock()
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
  private static func claim(_ identity: Store.Identity, _ limit: TimeInterval) throws -> Store? {
    let end = Date(timeIntervalSinceNow: limit)
    while true {
      switch try findOrClaim(identity) {
      case .claimed: return nil
      case .open(let store): return store
      case .visited(let store):
        guard store.hasSessions || Date() >= end else { break }
        endVisit(identity)
        return store
      }
      endVisit(identity)
      waitForVisits(identity, until: end)
    }
  }

  private enum Found {
    /// The store is not open, and the caller has to open it.
    case claimed
    case open(Store)
    /// The store is open, and may be so for visits alone. The reference to it is one more visit, so that no other
    /// opening takes it for one of the application.
    case visited(Store)
  }

  private static func findOrClaim(_ identity: Store.Identity) throws -> Found {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let entry = unsafe stores[identity] {
        // An entry without an object is a store that is being closed. It removes its entry itself.
        if let store = entry.object {
          guard let count = unsafe visits[identity] else { return .open(store) }
          unsafe visits[identity] = count + 1
          return .visited(store)
        }
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
        return .claimed
      }
      condition.wait()
    }
  }

  private static func waitForVisits(_ identity: Store.Identity, until end: Date) {
    condition.lock()
    while unsafe visits[identity] != nil, condition.wait(until: end) {}
    condition.unlock()
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
