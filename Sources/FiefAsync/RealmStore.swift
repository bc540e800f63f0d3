public import FiefDurability
public import FiefObjects
public import FiefOpening
import FiefSessions

/// A store of objects for asynchronous code: any task may read and write it, from any function and actor.
///
///     let store = try await RealmStore(configuration: configuration)
///     try await store.write { realm in
///       realm.add(Dog(value: ["name": "Rex", "age": 3]))
///     }
///     let names = try await store.read { realm in
///       realm.objects(Dog.self).where { $0.age > 2 }.map(\.name)
///     }
///
/// It opens what `Realm` opens, and holds it open until `close()` or its release. Realms of threads, queues and actors
/// work beside it: all of them see the commits of all. Closures receive a realm and return `Sendable` values, such as
/// numbers, strings, structs of the application, and `Frozen` objects.
///
/// Objects of a realm are not `Sendable`, so the compiler refuses closures that would pass them out. Unmanaged objects
/// may be taken in, when nothing uses them afterwards.
public final class RealmStore: Sendable {
  let use: StoreUse
  private let writer = StoreWriter()
  /// The options, without a reference that keeps an in-memory store alive.
  private let options: SharedConfiguration

  /// Opens a store. The file is read and migrated in the background.
  ///
  ///     let store = try await RealmStore(configuration: .inMemory(objectTypes: [Dog.self]))
  ///
  /// - Parameter configuration: the options.
  /// - Throws: the errors of `Realm.init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  public init(configuration: Realm.Configuration = .defaultConfiguration) async throws {
    let store = try await RealmOpening.storeInBackground(configuration)
    options = SharedConfiguration(configuration)
    use = StoreUse(HeldStore(store, options))
  }

  /// The configuration with which the store was opened.
  ///
  ///     let realm = try Realm(configuration: store.configuration)
  public var configuration: Realm.Configuration {
    use.held.map { options.value.retaining($0.store) } ?? options.value
  }

  /// Runs a closure with a realm that shows the latest version, and returns its result.
  ///
  ///     let count = try await store.read { realm in realm.objects(Dog.self).count }
  ///
  /// Reads run at the same time as other reads and as writes. They see every write that returned before. As many reads
  /// as the machine has processors, less one, run on the threads that tasks share; the others run on threads of their
  /// own, 64 at most. So a read that takes long delays no other, nor the tasks of the application.
  ///
  /// The realm is frozen: it shows one version, and refuses writes. Objects that a closure returns as `Frozen`, or
  /// keeps in another safe way, stay as they are.
  ///
  /// - Parameter body: reads, and may ask `Task.isCancelled`: it runs in the caller's task.
  /// - Returns: the result of the closure.
  /// - Throws: the error of the closure; `CancellationError` when the task was cancelled before the closure began;
  ///   `.storeIsClosed`.
  @concurrent
  @_disfavoredOverload
  public func read<Result: Sendable>(_ body: sending (Realm) throws -> Result) async throws -> Result {
    try use.begin()
    defer { use.end() }
    return try await ReadingPlaces.shared.run { [use] in try use.read(body) }
  }

  /// Runs a closure in a write transaction, commits it, and returns its result.
  ///
  ///     let id = try await store.write { realm in
  ///       realm.create(Dog.self, value: ["name": "Rex"]).id
  ///     }
  ///
  /// Writes of all stores and realms of a file run one after the other, in the order in which they came. No thread
  /// waits for the turn, nor for the disk: writes that wait for the disk at the same time share a synchronization.
  ///
  /// - Parameters:
  ///   - durability: when this write is complete: after it survives a power failure (`.full`), or after the system has
  ///     accepted it (`.relaxed`). Nil is the `durability` of the configuration. Without effect in memory.
  ///   - body: the changes. A closure may cancel the write itself, and then returns its result without a commit.
  /// - Returns: the result of the closure, when other realms and reads see the commit, and it is durable.
  /// - Throws: the error of the closure, or the reason why the write failed, as for `Realm.write(withoutNotifying:_:)`;
  ///   the write is rolled back then. `.commitOutcomeUnknown` when the disk failed before the write was durable; the
  ///   store goes on showing the write if the configuration's `durability` is `.relaxed`. `CancellationError` when the
  ///   task was cancelled before the closure began; `.storeIsClosed`.
  /// - Complexity: linear in the changes.
  ///
  /// Traps for a read-only configuration.
  @discardableResult
  @_disfavoredOverload
  public func write<Result: Sendable>(
    durability: Durability? = nil, _ body: sending (Realm) throws -> Result
  ) async throws -> Result {
    try use.begin()
    defer { use.end() }
    return try await writer.write(use, durability: durability, body)
  }

  /// Closes the store: ends its sequences, and waits for the reads and writes that have begun. Later ones throw
  /// `.storeIsClosed`. The file is closed when this returns, unless realms, objects or other stores hold it.
  ///
  ///     await store.close()
  ///     _ = try Realm.deleteFiles(for: configuration)
  ///
  /// Does nothing the second time. If it is called while another call waits, both return at the same point.
  public func close() async {
    for sequence in use.close() { await sequence.end() }
    await use.isIdle()
    await writer.end()
    use.release()
  }
}
