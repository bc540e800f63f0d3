import FiefRuntime
import Foundation

/// The stores that are open in this process, each as long as somebody holds it.
///
/// Opening and closing one store exclude each other: who opens a store that is just being closed waits until its files
/// are let go.
enum StoreRegistry {
  /// Protects all of the below. Never held while a store is opened or closed, and so never while a reference goes that
  /// may be the last.
  private static let door = NSCondition()
  nonisolated(unsafe) private static var stores: [Store.Identity: WeakReference<Store>] = [:]
  /// What is being opened, or kept closed, and the threads that do it.
  nonisolated(unsafe) private static var taken: [Store.Identity: UInt] = [:]

  /// The store of an identity, opened with `make` when it is not open.
  ///
  /// - Returns: the store, and whether it was open before.
  /// - Throws: what `make` throws; `.fail` inside the opening of that very store, which would wait for itself.
  static func open(
    _ identity: Store.Identity, _ make: () throws -> Store
  ) throws -> (store: Store, wasOpen: Bool) {
    if let store = try take(identity) { return (store, true) }
    do {
      let made = try make()
      giveBack(identity, made)
      return (made, false)
    } catch {
      giveBack(identity, nil)
      throw error
    }
  }

  /// Runs something with the files of a store that is not open.
  ///
  /// - Throws: `alreadyOpen` when it is; `.fail` inside the opening of that very store.
  static func whileClosed<Result>(_ identity: Store.Identity, _ body: () throws -> Result) throws -> Result {
    if try take(identity) != nil {
      throw Realm.Error(.alreadyOpen, "The realm is open: let go of all its realms, objects and collections first.")
    }
    defer { giveBack(identity, nil) }
    return try body()
  }

  /// The store of an identity, if it is open. The reference is the caller's: it leaves the lock before it can be the
  /// last.
  static func present(_ identity: Store.Identity) -> Store? {
    door.lock()
    defer { door.unlock() }
    return stores[identity]?.object
  }

  /// Every store that is open.
  static var all: [Store] {
    door.lock()
    defer { door.unlock() }
    return stores.values.compactMap(\.object)
  }

  /// Takes a store out whose files were let go.
  static func forget(_ store: Store) {
    door.lock()
    if stores[store.identity]?.refers(to: store) ?? false { stores[store.identity] = nil }
    door.broadcast()
    door.unlock()
  }

  /// Keeps everybody else from opening a store that is not open.
  ///
  /// - Returns: the store, when it is open; nil when it is the caller's to open and to give back.
  private static func take(_ identity: Store.Identity) throws -> Store? {
    door.lock()
    defer { door.unlock() }
    while true {
      if let entry = stores[identity] {
        // An entry without an object is a store that is being closed at this moment: it takes itself out.
        if let store = entry.object { return store }
      } else if let owner = taken[identity] {
        if owner == currentThread() {
          throw Realm.Error(
            .fail,
            "The realm cannot be opened or deleted while this very thread is opening it: a block like "
              + "shouldCompactOnLaunch decides by what it is given, and must not use the realm.", file: identity.file)
        }
      } else {
        taken[identity] = currentThread()
        return nil
      }
      door.wait()
    }
  }

  /// Lets others open a store again, or have the one that was opened.
  private static func giveBack(_ identity: Store.Identity, _ store: Store?) {
    door.lock()
    taken[identity] = nil
    if let store { stores[identity] = WeakReference(store) }
    door.broadcast()
    door.unlock()
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
