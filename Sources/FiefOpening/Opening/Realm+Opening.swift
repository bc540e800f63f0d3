import Dispatch
import FiefObjects
import FiefRuntime
import FiefSessions
import Foundation
import Synchronization

extension Realm {
  /// Exists for source compatibility with Realm: local realms have nothing to download.
  @frozen
  public enum OpenBehavior: Sendable {
    /// Opens the local realm.
    case never
    /// Opens the local realm.
    case always
    /// Opens the local realm.
    case once
  }

  /// Opens a store for the main actor. The file is read and migrated in the background.
  ///
  ///     @MainActor
  ///     func countDogs() async throws -> Int {
  ///       let realm = try await Realm()
  ///       return realm.objects(Dog.self).count
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: the options.
  ///   - downloadBeforeOpen: without effect.
  /// - Throws: the errors of `init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  @MainActor
  public init(
    configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let store = try await RealmOpening.storeInBackground(configuration)
    self.init(store.session(.main, SharedConfiguration(configuration)))
  }

  /// Opens a store for an actor, and must be called on that actor. The realm does not keep the actor alive.
  ///
  ///     actor Kennel {
  ///       private var realm: Realm!
  ///       init() async throws { realm = try await Realm(actor: self) }
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: the options.
  ///   - actor: the actor of the realm.
  ///   - downloadBeforeOpen: without effect.
  /// - Throws: the errors of `init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: isolated A, downloadBeforeOpen: OpenBehavior = .never
  ) async throws {
    let store = try await RealmOpening.storeInBackground(configuration, isolation: actor)
    self.init(store.session(.of(actor), SharedConfiguration(configuration)))
  }

  /// Opens a store for the actor to which the caller is isolated. In a nonisolated function the call does not compile.
  ///
  ///     actor Kennel {
  ///       func count() async throws -> Int {
  ///         try await Realm.open().objects(Dog.self).count
  ///       }
  ///     }
  ///
  /// The initializer of an actor is not isolated to it yet. Write `Realm(actor: self)` there: Swift 6.3 crashes when it
  /// compiles a call of `open`.
  ///
  /// - Parameters:
  ///   - configuration: the options.
  ///   - isolation: the caller's actor.
  ///   - downloadBeforeOpen: without effect.
  /// - Throws: the errors of `init(configuration:queue:)`; `CancellationError` when the task is cancelled.
  public static func open(
    configuration: Configuration = .defaultConfiguration, _isolation isolation: isolated any Actor = #isolation,
    downloadBeforeOpen: OpenBehavior = .never
  ) async throws -> Realm {
    let store = try await RealmOpening.storeInBackground(configuration, isolation: isolation)
    return Realm(store.session(.of(isolation), SharedConfiguration(configuration)))
  }

  /// Opens a store in the background, and passes a realm to a callback.
  ///
  ///     Realm.asyncOpen { result in
  ///       switch result {
  ///       case .success(let realm): print(realm.objects(Dog.self).count)
  ///       case .failure(let error): print(error)
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: the options.
  ///   - callbackQueue: the serial queue of the realm, on which `callback` is called.
  ///   - callback: receives the realm, or the error: those of `init(configuration:queue:)`, and `POSIXError.ECANCELED`
  ///     after a cancellation. It is called once.
  /// - Returns: a task that can cancel the opening. The opening goes on when the task is released.
  ///
  /// Traps for a concurrent queue.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Swift.Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let (task, executor) = (AsyncOpenTask(), Confinement.of(callbackQueue))
    let record = OpeningRecord.current
    // The callback is called once, on its own queue.
    let callback = UncheckedBox(callback)
    let opening = BackgroundOpening()
    // Only the realm has a reference to the store when the callback is called.
    @Sendable func finish() -> Swift.Result<Realm, any Swift.Error> {
      let opened = Swift.Result { try opening.take() }
      if task.isCancelled { return .failure(POSIXError(.ECANCELED)) }
      return opened.map { Realm($0.session(executor, SharedConfiguration(configuration))) }
    }
    DispatchQueue.global().async {
      opening.open(configuration, record)
      callbackQueue.async { callback.value(finish()) }
    }
    return task
  }

  /// An opening in progress, which `Realm.asyncOpen(configuration:callbackQueue:callback:)` has returned.
  public final class AsyncOpenTask: Sendable {
    private let wasCancelled = Atomic<Bool>(false)

    init() {}

    /// Cancels the opening. The callback receives `POSIXError.ECANCELED`. Does nothing after the callback was called.
    ///
    ///     let task = Realm.asyncOpen { result in print(result) }
    ///     task.cancel()
    public func cancel() { wasCancelled.store(true, ordering: .relaxed) }

    /// Never calls its block, as nothing is downloaded.
    ///
    /// - Parameters:
    ///   - queue: unused.
    ///   - block: unused.
    public func addProgressNotification(
      queue: DispatchQueue = .main, block: @escaping (SyncSession.Progress) -> Void
    ) {}

    var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }
  }
}

extension RealmOpening {
  /// Returns the store of a configuration. If it is not open, a background thread opens it.
  package static func storeInBackground(
    _ configuration: Realm.Configuration, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Store {
    try Task.checkCancellation()
    let record = OpeningRecord.current
    let opening = BackgroundOpening()
    _ = await AwaitedValue<Bool>.receive { handOver in
      DispatchQueue.global().async {
        opening.open(configuration, record)
        handOver(true)
      }
    }
    let store = try opening.take()
    try Task.checkCancellation()
    return store
  }
}

/// Passes an open store to the task or the callback that waits for it. The thread that has opened it has no reference
/// to it when these go on: who closes the store at once finds its file closed.
private final class BackgroundOpening: Sendable {
  private let opened = Mutex<Result<Store, any Error>?>(nil)

  func open(_ configuration: Realm.Configuration, _ record: OpeningRecord?) {
    let result = Result { try RealmOpening.store(configuration, record: record) }
    opened.withLock { $0 = result }
  }

  func take() throws -> Store {
    let result = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    guard let result else { fatalError("A store was taken before it was opened, or twice.") }
    return try result.get()
  }
}

extension Realm {
  /// Opens the default configuration.
  ///
  ///     let realm = try Realm()
  ///     try realm.write {
  ///       realm.add(Dog(value: ["name": "Rex"]))
  ///     }
  ///
  /// - Parameter queue: the serial queue of the realm, on which this must be called; nil for the running thread.
  /// - Throws: `Realm.Error`, like `init(configuration:queue:)`.
  /// - Complexity: constant when the store is open in the process, and linear in the file otherwise.
  ///
  /// Traps when called on another queue than `queue`, and for a concurrent queue.
  public init(queue: DispatchQueue? = nil) throws { try self.init(configuration: .defaultConfiguration, queue: queue) }

  /// Opens a store.
  ///
  ///     let configuration = Realm.Configuration(fileURL: url, schemaVersion: 2, objectTypes: [Dog.self, Person.self])
  ///     let realm = try Realm(configuration: configuration)
  ///
  ///     let queue = DispatchQueue(label: "dogs")
  ///     let count = try queue.sync {
  ///       try Realm(configuration: configuration, queue: queue).objects(Dog.self).count
  ///     }
  ///
  /// - Parameters:
  ///   - configuration: the options. If the store is already open, its classes and schema version stay in effect.
  ///   - queue: the serial queue of the realm, on which this must be called; nil for the running thread.
  /// - Throws: `Realm.Error` (a missing seed file throws `CocoaError.fileReadNoSuchFile`), and the errors of the
  ///   `migrationBlock` and of an import (`importsRealmFiles`):
  ///   - `.fail` for all problems of the classes, with a line for each; for options that contradict each other or are
  ///     not supported; for a schema version below the file's, and for another one than that of a read-only file; for a
  ///     primary key that repeats after a migration; and for a `readOnly` or an `ingestHandler` other than that of the
  ///     open store.
  ///   - `.schemaMismatch` with all differences, for a file whose schema differs. For a read-only realm this is
  ///     `.fail`.
  ///   - `.uniqueConstraint` for a new unique index over values that repeat.
  ///   - `.wrongKey` for a key that is not the file's, for none where it has one, and for another key than that of the
  ///     open store.
  ///   - `.fileNotFound` for a read-only realm without a file; `.filePermissionDenied`, `.fileAccess`,
  ///     `.fileOperationFailed` and `.outOfDiskSpace` when the file cannot be opened or made.
  ///   - `.alreadyOpen` when another process has the file for itself (`isExclusive`); when it has the file open, and
  ///     this opening needs it alone: with `isExclusive`, for a migration, and for any other change of the classes in
  ///     the file; and when classes are to be added, and the other process is inside a write for a minute.
  ///   - `.invalidDatabase` and `.unsupportedFileFormatVersion` for a file that is not a realm of this library, and
  ///     `.damaged` for a damaged one. The files stay unchanged.
  /// - Complexity: constant when the store is open in the process, and linear in the file otherwise.
  ///
  /// Traps when called on another queue than `queue`, for a concurrent queue, when the configuration has neither a file
  /// nor an in-memory identifier, and in the initializer of a model class while the schema is being built.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    if let queue {
      guard Confinement.of(queue).isHere() else {
        fatalError(
          "Realm opened from incorrect queue: open it in a block that runs on queue '\(queue.label)', to which it is "
            + "to be confined."
        )
      }
      self.init(try RealmOpening.open(configuration, .of(queue)))
    } else {
      self.init(try RealmOpening.open(configuration, .currentThread))
    }
  }

  /// Opens the default configuration with another file.
  ///
  ///     let realm = try Realm(fileURL: URL(fileURLWithPath: "dogs.realm"))
  ///
  /// - Parameter fileURL: the file, which is created if it does not exist.
  /// - Throws: `Realm.Error`, like `init(configuration:queue:)`.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// The configuration with which the realm was opened.
  ///
  ///     let folder = realm.configuration.fileURL?.deletingLastPathComponent()
  public var configuration: Configuration { session.configuration.retaining(session.store) }

  /// Whether it has no object of any class in its schema.
  ///
  ///     if realm.isEmpty { try realm.seed(json: data) }
  ///
  /// - Complexity: linear in the number of classes.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var isEmpty: Bool {
    session.checkConfinement()
    session.noteReadOfAll()
    return session.read { graph in session.store.allBindings.allSatisfy { graph[$0.table]?.count == 0 } }
  }

  /// Opens a file whose classes the program does not define.
  ///
  ///     let realm = try Realm(fileURL: url, dynamic: true)
  ///     for objectSchema in realm.schema.objectSchema {
  ///       for object in realm.dynamicObjects(objectSchema.className) { print(object) }
  ///     }
  ///     try realm.write {
  ///       realm.dynamicCreate("Dog", value: ["name": "Rex"])
  ///     }
  ///
  /// The file is taken as it is: its classes, its schema version. All objects are `DynamicObject`s, and properties have
  /// their stored names. Opening changes nothing, and compacts nothing. For a schema of its own, see
  /// `Configuration.dynamicSchema`. The `cipher`, the `history` and the other options that do not concern classes are
  /// those of the default configuration.
  ///
  /// If the file is already open with classes of the program, the realm has these classes. While it is open without
  /// classes, opening it with classes throws `.fail`.
  ///
  /// - Parameters:
  ///   - fileURL: the file, which must exist.
  ///   - dynamic: whether the file is opened without classes; false is `init(fileURL:)`.
  ///   - readOnly: whether the realm is read-only; writing then traps.
  /// - Throws: `.fileNotFound` when there is no file; otherwise like `init(configuration:queue:)`.
  /// - Complexity: linear in the file.
  ///
  /// Traps in the initializer of a model class while the schema is being built.
  public init(fileURL: URL, dynamic: Bool, readOnly: Bool = false) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    configuration.readOnly = readOnly
    if dynamic {
      configuration.dynamicSchema = nil
      configuration.objectTypes = nil
      configuration.ingestHandler = nil
      configuration.deleteRealmIfMigrationNeeded = false
      configuration.shouldCompactOnLaunch = nil
      configuration.seedFilePath = nil
      configuration.schemaVersion = try schemaVersion(fileURL, try configuration.fileKey())
      configuration.isDynamic = true
    }
    try self.init(configuration: configuration)
  }
}
