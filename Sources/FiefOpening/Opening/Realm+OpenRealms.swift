import FiefObjects
import FiefRuntime
import FiefSessions
import Foundation
import Synchronization

extension Realm {
  /// An open realm of this process: it was opened, and is still referenced.
  ///
  ///     for realm in Realm.openRealms { print(realm) }
  ///
  /// Helps tests, and the search for references that keep a file open or an in-memory realm alive.
  public struct OpenRealm: Hashable, Sendable, CustomStringConvertible {
    /// A reason other than its realms for which a realm stays open.
    public enum Holder: Hashable, Sendable {
      /// `Realm.Configuration.defaultConfiguration` names it.
      case defaultConfiguration
      /// A copy of its configuration from `Configuration.inMemory()` exists.
      case configuration
      /// It was opened with `inMemoryLifetime` `.process`.
      case process
      /// A `RealmStore` has it open.
      case realmStore
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
    StoreRegistry.map(OpenRealm.init).sorted { $0.name < $1.name }
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
    executors = signals.map(\.confinement.label).sorted()
    frozenCount = frozen.values.reduce(0, +)
    versions = Set(signals.compactMap(\.pinnedVersion)).union(frozen.keys).sorted()
    latestVersion = store.published.current.version
    isInWriteTransaction = store.lock.isHeld
    holders = MemoryStores.holders(of: store)
  }
}

extension Realm {
  /// Runs a closure, and returns the realms that it has opened and that are still open afterwards.
  ///
  ///     @Test func theImporterLetsGoOfItsRealms() throws {
  ///       let kept = try Realm.realmsLeftOpen {
  ///         try Importer(configuration: .inMemory(named: "import")).run()
  ///       }
  ///       #expect(kept.isEmpty, "\(kept)")
  ///     }
  ///
  /// An element prints the name of its realm and the threads, queues, actors, frozen realms and configurations that
  /// hold it. Realms that other code opens meanwhile do not count, so tests that run in parallel do not disturb each
  /// other. What counts is opened by the closure itself, by tasks that are its children, and by tasks that it makes
  /// with `Task { }`; not by detached tasks, and not by blocks on queues.
  ///
  /// - Parameters:
  ///   - timeout: how many seconds to wait for realms that close on other threads.
  ///   - body: opens realms.
  /// - Throws: the error of `body`.
  public static func realmsLeftOpen(timeout: TimeInterval = 2, after body: () throws -> Void) rethrows -> [OpenRealm] {
    let record = OpeningRecord(inside: .current)
    try OpeningRecord.$current.withValue(record) { try body() }
    let end = Date(timeIntervalSinceNow: timeout)
    while true {
      let open = record.open
      if open.isEmpty || Date() >= end { return open }
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  /// Runs an asynchronous closure, and returns the realms that it has opened and that are still open afterwards.
  ///
  ///     let kept = try await Realm.realmsLeftOpen {
  ///       try await Importer(configuration: .inMemory(named: "import")).run()
  ///     }
  ///     #expect(kept.isEmpty, "\(kept)")
  ///
  /// The synchronous form describes what counts.
  ///
  /// - Parameters:
  ///   - timeout: how many seconds to wait for realms that close on other threads.
  ///   - isolation: the caller's actor.
  ///   - body: opens realms.
  /// - Throws: the error of `body`.
  public static func realmsLeftOpen(
    timeout: TimeInterval = 2, isolation: isolated (any Actor)? = #isolation, after body: () async throws -> Void
  ) async rethrows -> [OpenRealm] {
    let record = OpeningRecord(inside: .current)
    try await OpeningRecord.$current.withValue(record, operation: body)
    let end = Date(timeIntervalSinceNow: timeout)
    while true {
      let open = record.open
      if open.isEmpty || Date() >= end { return open }
      // A cancelled task still gets the answer, without the pauses.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}

final class OpeningRecord: Sendable {
  /// The record of the running closure.
  @TaskLocal static var current: OpeningRecord?

  /// The record of the closure around this one.
  private let outer: OpeningRecord?
  private let stores = Mutex<[(store: WeakReference<Store>, identity: Store.Identity)]>([])

  init(inside outer: OpeningRecord?) { self.outer = outer }

  func add(_ store: Store) {
    stores.withLock { stores in
      if !stores.contains(where: { $0.store.refers(to: store) }) {
        stores.append((WeakReference(store), store.identity))
      }
    }
    outer?.add(store)
  }

  /// The stores that are still open, by name. Each is looked at in a visit, so the application can close it meanwhile.
  var open: [Realm.OpenRealm] {
    let stores = stores.withLock { $0 }
    return stores.compactMap { StoreRegistry.visit($0.store, $0.identity, Realm.OpenRealm.init) }
      .sorted { $0.description < $1.description }
  }
}
