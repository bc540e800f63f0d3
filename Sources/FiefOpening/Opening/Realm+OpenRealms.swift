import FiefObjects
import FiefSessions
import Foundation

extension Realm {
  /// An open realm of this process: it was opened, and is still referenced.
  ///
  ///     for realm in Realm.openRealms { print(realm) }
  ///
  /// Helps tests, and the search for references that keep a file open or an in-memory realm alive.
  public struct OpenRealm: Hashable, Sendable, CustomStringConvertible {
    /// A reason other than its realms for which an in-memory realm stays alive.
    public enum Holder: Hashable, Sendable {
      /// `Realm.Configuration.defaultConfiguration` names it.
      case defaultConfiguration
      /// A copy of its configuration from `Configuration.inMemory()` exists.
      case configuration
      /// It was opened with `inMemoryLifetime` `.process`.
      case process
    }

    /// The file; nil in memory.
    ///
    ///     let isOpen = Realm.openRealms.contains { $0.fileURL == url }
    public let fileURL: URL?
    /// The in-memory identifier; nil for a file.
    ///
    ///     let names = Realm.openRealms.compactMap(\.inMemoryIdentifier)
    public let inMemoryIdentifier: String?
    /// The threads, queues and actors on which a live realm of it is referenced, directly or through an object, a
    /// collection or a token. They are described as in messages.
    ///
    ///     for realm in Realm.openRealms { print(realm.executors.joined(separator: ", ")) }
    public let executors: [String]
    /// The number of its frozen realms that are referenced, directly or through frozen objects and collections, a
    /// `ThreadSafeReference` or `@ThreadSafe`.
    public let frozenCount: Int
    /// The versions that live and frozen realms use, ascending. Each of them is kept in memory.
    ///
    ///     for realm in Realm.openRealms where realm.versions.count > 8 { print("\(realm) keeps many versions.") }
    public let versions: [UInt64]
    /// The number of the latest version, which is always kept in memory.
    public let latestVersion: UInt64
    /// Whether a write is in progress.
    ///
    ///     let writing = Realm.openRealms.filter(\.isInWriteTransaction)
    public let isInWriteTransaction: Bool
    /// The other reasons for which it stays alive.
    ///
    ///     for realm in Realm.openRealms where realm.holders.contains(.configuration) { print(realm) }
    public let holders: Set<Holder>

    fileprivate var name: String { fileURL?.path ?? inMemoryIdentifier ?? "" }

    /// All properties in one line.
    public var description: String {
      let name = fileURL.map { "file '\($0.path)'" } ?? "in memory '\(inMemoryIdentifier ?? "")'"
      let write = isInWriteTransaction ? ", in a write" : ""
      let held = holders.map { "\($0)" }.sorted().joined(separator: ", ")
      return "\(name): on [\(executors.joined(separator: ", "))], \(frozenCount) frozen, versions \(versions), "
        + "latest \(latestVersion)\(write)\(held.isEmpty ? "" : ", held by \(held)")"
    }
  }

  /// The open realms of this process, by name. Concurrent changes of other threads may or may not be included. May be
  /// read on any thread.
  ///
  ///     for realm in Realm.openRealms where realm.fileURL == url { print("Still open: \(realm)") }
  ///
  /// - Complexity: O(n log n) in the number of open realms, and linear in their threads, queues and actors.
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
    let signals = store.signals
    let frozen = store.frozenPins.versions
    executors = signals.map(\.confinement.words).sorted()
    frozenCount = frozen.values.reduce(0, +)
    versions = Set(signals.compactMap(\.pinnedVersion)).union(frozen.keys).sorted()
    latestVersion = store.published.current.version
    isInWriteTransaction = store.lock.isHeld
    holders = StoreHolds.holders(of: store)
  }
}
