import Foundation
import Synchronization

/// The stores that are open in this process, each as long as somebody holds it.
enum StoreRegistry {
  /// Opening is serial: two threads that open one store at once get one store.
  private static let stores = Mutex<[Store.Identity: FaintReference<Store>]>([:])

  /// The store of an identity, opened with `make` when it is not open.
  ///
  /// - Returns: the store, and whether it was open before.
  static func open(
    _ identity: Store.Identity, _ make: () throws -> Store
  ) throws -> (store: Store, wasOpen: Bool) {
    if let open = present(identity) { return (open, true) }
    return try opening.withLock { _ in
      if let open = present(identity) { return (open, true) }
      let made = try make()
      stores.withLock { stores in
        stores = stores.filter { $0.value.object != nil }
        stores[identity] = FaintReference(made)
      }
      return (made, false)
    }
  }

  /// The store of an identity, if it is open.
  static func present(_ identity: Store.Identity) -> Store? { stores.withLock { $0[identity]?.object } }

  private static let opening = Mutex(())
}
