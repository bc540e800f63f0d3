import FiefRuntime

/// Leads the threads of the library to a store, for work that no session asked for: following other processes, ending a
/// reservation, learning that a commit is durable.
///
/// Such work may begin at any moment, and so may just have the last reference to the store when the application opens
/// the file again. `StoreRegistry.visit` keeps the two apart.
struct StoreVisits: Sendable {
  private let store: WeakReference<Store>
  private let identity: Store.Identity

  init(_ store: Store) { (self.store, identity) = (WeakReference(store), store.identity) }

  /// Calls `body` with the store, if it is open.
  func callAsFunction(_ body: (Store) -> Void) { StoreRegistry.visit(store, identity, body) }
}
