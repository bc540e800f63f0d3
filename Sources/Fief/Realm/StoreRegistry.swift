import Foundation

/// The stores that are open in this process, each as long as somebody holds it.
///
/// Opening and closing one store exclude each other: who opens a store that is just being closed waits until its files are let go.
enum StoreRegistry {
  /// Protects all of the below. Never held while a store is opened or closed.
  private static let door = NSCondition()
  nonisolated(unsafe) private static var stores: [Store.Identity: FaintReference<Store>] = [:]
  nonisolated(unsafe) private static var opening: Set<Store.Identity> = []

  /// The store of an identity, opened with `make` when it is not open.
  ///
  /// - Returns: the store, and whether it was open before.
  static func open(
    _ identity: Store.Identity, _ make: () throws -> Store
  ) throws -> (store: Store, wasOpen: Bool) {
    door.lock()
    while true {
      // An entry without an object is a store that is being closed at this moment: it takes itself out.
      if let entry = stores[identity] {
        if let store = entry.object {
          door.unlock()
          return (store, true)
        }
      } else if opening.insert(identity).inserted {
        break
      }
      door.wait()
    }
    door.unlock()
    let made: Store
    do {
      made = try make()
    } catch {
      door.lock()
      opening.remove(identity)
      door.broadcast()
      door.unlock()
      throw error
    }
    door.lock()
    opening.remove(identity)
    stores[identity] = FaintReference(made)
    door.broadcast()
    door.unlock()
    return (made, false)
  }

  /// Runs something with the files of a store that is not open.
  ///
  /// - Throws: `alreadyOpen` when it is.
  static func whileClosed<Result>(_ identity: Store.Identity, _ body: () throws -> Result) throws -> Result {
    door.lock()
    while true {
      if let entry = stores[identity] {
        if entry.object != nil {
          door.unlock()
          throw Realm.Error(.alreadyOpen, "The realm is open: let go of all its realms, objects and collections first.")
        }
      } else if opening.insert(identity).inserted {
        break
      }
      door.wait()
    }
    door.unlock()
    defer {
      door.lock()
      opening.remove(identity)
      door.broadcast()
      door.unlock()
    }
    return try body()
  }

  /// The store of an identity, if it is open.
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
}
