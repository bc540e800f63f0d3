import Foundation

extension Realm {
  /// What is open in this process: a realm that was opened, and is held by somebody.
  ///
  ///     for realm in Realm.openRealms { print(realm) }
  ///
  /// For tests, and for finding what keeps a file open or a realm in memory alive.
  public struct OpenRealm: Hashable, Sendable, CustomStringConvertible {
    /// What keeps an in-memory realm alive beside those who look at it.
    public enum Holder: Hashable, Sendable {
      /// It is the one that `Realm.Configuration.defaultConfiguration` names.
      case defaultConfiguration
      /// A copy of the configuration that `Configuration.inMemory()` gave.
      case configuration
      /// It was opened with `inMemoryLifetime` `.process`.
      case process
    }

    /// Its file; nil in memory.
    public let fileURL: URL?
    /// Its name; nil when it is a file's.
    public let inMemoryIdentifier: String?
    /// The threads, queues and actors where a live realm of it is held: by itself, or through an object, a collection
    /// or a token. In words, as messages have them.
    public let places: [String]
    /// How many frozen realms of it are held: by themselves, or through something frozen, a `ThreadSafeReference` or
    /// `@ThreadSafe`.
    public let frozenCount: Int
    /// The versions that live and frozen realms look at, ascending; each of them is kept in memory.
    public let versions: [UInt64]
    /// The number of the latest version, which is always kept.
    public let latestVersion: UInt64
    /// Whether a write is under way.
    public let isInWriteTransaction: Bool
    /// What keeps it alive beside all these.
    public let holders: Set<Holder>

    fileprivate var name: String { fileURL?.path ?? inMemoryIdentifier ?? "" }

    /// Everything in one line.
    public var description: String {
      let name = fileURL.map { "file '\($0.path)'" } ?? "in memory '\(inMemoryIdentifier ?? "")'"
      let write = isInWriteTransaction ? ", in a write" : ""
      let held = holders.map { "\($0)" }.sorted().joined(separator: ", ")
      return "\(name): on [\(places.joined(separator: ", "))], \(frozenCount) frozen, versions \(versions), "
        + "latest \(latestVersion)\(write)\(held.isEmpty ? "" : ", held by \(held)")"
    }
  }

  /// What is open in this process, by name. What other threads do meanwhile may be seen or not.
  ///
  /// - Complexity: linear in the number of open realms and their places.
  public static var openRealms: [OpenRealm] {
    StoreRegistry.all.map(OpenRealm.init).sorted { $0.name < $1.name }
  }
}

extension Realm.OpenRealm {
  init(_ store: Store) {
    switch store.identity {
    case .file(let path): (fileURL, inMemoryIdentifier) = (URL(fileURLWithPath: path), nil)
    case .memory(let identifier): (fileURL, inMemoryIdentifier) = (nil, identifier)
    }
    let bells = store.bells
    let frozen = store.frozenPins.versions
    places = bells.map(\.place.words).sorted()
    frozenCount = frozen.values.reduce(0, +)
    versions = Set(bells.compactMap(\.seenVersion)).union(frozen.keys).sorted()
    latestVersion = store.published.current.version
    isInWriteTransaction = store.lock.isHeld
    holders = StoreHolds.holders(of: store)
  }
}
