import Synchronization

extension Realm.Configuration {
  /// How long the data of an in-memory realm lives.
  public enum InMemoryLifetime: Hashable, Sendable {
    /// Until the last realm, object, collection, token or reference of it goes.
    ///
    /// Two realms live on all the same: the one that `Realm.Configuration.defaultConfiguration` names, as long as it is
    /// the default, and the one of `Configuration.inMemory()`, as long as a copy of that configuration is there.
    case lastReference
    /// As long as the process.
    case process
  }
}

/// Keeps the in-memory store of one configuration and its copies; nothing until it is opened.
///
/// Stores and sessions keep configurations without it, as they would keep themselves.
final class StoreHold: Sendable {
  private let held: Mutex<Store?>

  init() { held = Mutex(nil) }

  init(_ store: Store) {
    held = Mutex(store)
    store.configurationHolds.add(1, ordering: .relaxed)
  }

  /// Holds the store from now on.
  func keep(_ store: Store) {
    let isNew = held.withLock { held in
      // It is the store of one identifier, and there is no other while this one lives.
      if held != nil { return false }
      held = store
      return true
    }
    if isNew { store.configurationHolds.add(1, ordering: .relaxed) }
  }

  deinit { _ = held.withLock { $0 }?.configurationHolds.subtract(1, ordering: .relaxed) }
}

/// What keeps in-memory stores alive beside whoever looks at them.
///
///     the default configuration    the store that it names, while it is the default
///     Configuration.inMemory()     its own: `StoreHold`
///     inMemoryLifetime             for the process
///
/// What is let go of may be the last reference to a store, which takes locks when it goes. So nothing is ever let go of
/// inside a lock: it is handed out first.
enum StoreHolds {
  private struct Standard {
    var configuration = Realm.Configuration()
    /// The in-memory store that the configuration names, once it is open.
    var store: Store?
  }

  private static let standard = Mutex(Standard())
  private static let lasting = Mutex<[Store.Identity: Store]>([:])

  /// The default configuration. The store that the last one named is let go of, unless the new one names it too.
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
      // It may be open already. One that is being opened at this moment is held by who opens it, after this or before.
      if let store = identity.flatMap(StoreRegistry.present) { keepIfStandard(store) }
    }
  }

  /// Takes a store that was opened with a configuration into keeping, where that is asked for.
  static func keep(_ store: Store, _ configuration: Realm.Configuration) {
    guard case .memory = store.identity else { return }
    keepIfStandard(store)
    configuration.hold?.keep(store)
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

  /// What keeps a store.
  static func holders(of store: Store) -> Set<Realm.OpenRealm.Holder> {
    var holders: Set<Realm.OpenRealm.Holder> = []
    if standard.withLock({ $0.store === store }) { holders.insert(.defaultConfiguration) }
    if store.configurationHolds.load(ordering: .relaxed) > 0 { holders.insert(.configuration) }
    if lasting.withLock({ $0[store.identity] === store }) { holders.insert(.process) }
    return holders
  }
}
