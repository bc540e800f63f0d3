import FiefObjects
import FiefSessions
import Synchronization

extension Realm.Configuration {
  /// The lifetime of the data of an in-memory realm.
  ///
  ///     let cache = Realm.Configuration(inMemoryIdentifier: "cache", inMemoryLifetime: .process)
  public enum InMemoryLifetime: Hashable, Sendable {
    /// Until the last realm, object, collection, token or reference of it is released.
    ///
    /// Two kinds of realms live longer. The one that `Realm.Configuration.defaultConfiguration` names lives as long as
    /// it is the default. The one of `Configuration.inMemory()` lives as long as a copy of that configuration.
    case lastReference
    /// Until the process ends.
    case process
  }
}

/// Keeps the in-memory store of one configuration and its copies alive; empty until the store is opened.
///
/// Stores and sessions hold configurations without it, to avoid a reference cycle.
final class StoreReference: Sendable {
  private let store: Mutex<Store?>

  init() { store = Mutex(nil) }

  init(_ store: Store) {
    self.store = Mutex(store)
    store.configurationReferences.add(1, ordering: .relaxed)
  }

  /// Retains the store from now on.
  func keep(_ store: Store) {
    let isNew = self.store.withLock { held in
      // A second store cannot appear: the identifier names this one for as long as it lives.
      if held != nil { return false }
      held = store
      return true
    }
    if isNew { store.configurationReferences.add(1, ordering: .relaxed) }
  }

  deinit { _ = store.withLock { $0 }?.configurationReferences.subtract(1, ordering: .relaxed) }
}

/// The references that keep in-memory stores alive in addition to their sessions.
///
///     the default configuration    the store that it names, while it is the default
///     Configuration.inMemory()     its own: `StoreReference`
///     inMemoryLifetime             for the process
///
/// A released reference may be the last one to a store, whose `deinit` takes locks. So references always leave a lock
/// before they are released.
enum MemoryStores {
  private struct Standard {
    var configuration = Realm.Configuration()
    /// The in-memory store that the configuration names, once it is open.
    var store: Store?
  }

  private static let standard = Mutex(Standard())
  private static let lasting = Mutex<[Store.Identity: Store]>([:])

  /// The default configuration. Setting it releases the store that the previous one named, unless the new one names it
  /// too.
  static var standardConfiguration: Realm.Configuration {
    get { standard.withLock { $0.configuration } }
    set {
      let identity = newValue.memoryIdentity
      let last = standard.withLock { state in
        let last = state
        state.configuration = newValue
        if last.configuration.memoryIdentity != identity { state.store = nil }
        return last
      }
      withExtendedLifetime(last) {}
      // The store may already be open. A store that is opened at this moment is retained by the opening thread, before
      // or after this.
      if let store = identity.flatMap(StoreRegistry.present) { keepIfStandard(store) }
    }
  }

  /// Retains a store that was opened with a configuration, as that configuration requires.
  static func keep(_ store: Store, _ configuration: Realm.Configuration) {
    guard case .memory = store.identity else { return }
    keepIfStandard(store)
    configuration.store?.keep(store)
    if configuration.inMemoryLifetime == .process { lasting.withLock { $0[store.identity] = store } }
  }

  private static func keepIfStandard(_ store: Store) {
    let last = standard.withLock { state in
      guard state.configuration.memoryIdentity == store.identity else { return state.store }
      let last = state.store
      state.store = store
      return last
    }
    withExtendedLifetime(last) {}
  }

  /// The reasons for which a store stays alive.
  static func holders(of store: Store) -> Set<Realm.OpenRealm.Holder> {
    var holders: Set<Realm.OpenRealm.Holder> = []
    if standard.withLock({ $0.store === store }) { holders.insert(.defaultConfiguration) }
    if store.configurationReferences.load(ordering: .relaxed) > 0 { holders.insert(.configuration) }
    if lasting.withLock({ $0[store.identity] === store }) { holders.insert(.process) }
    if store.asynchronousReferences.load(ordering: .relaxed) > 0 { holders.insert(.realmStore) }
    return holders
  }
}
