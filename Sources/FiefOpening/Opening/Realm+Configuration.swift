import FiefDurability
import FiefObjects
import FiefRuntime
import FiefSessions
import Foundation

extension Realm {
  /// The options with which a realm is opened.
  ///
  ///     var configuration = Realm.Configuration(inMemoryIdentifier: "tests")
  ///     configuration.objectTypes = [Dog.self, Person.self]
  ///     let realm = try Realm(configuration: configuration)
  ///
  /// A file at a URL of the application, and the configuration of `Realm()`:
  ///
  ///     var configuration = Realm.Configuration(fileURL: url, schemaVersion: 2)
  ///     configuration.durability = .relaxed
  ///     Realm.Configuration.defaultConfiguration = configuration
  ///
  /// The first opening of a store in the process decides about `objectTypes`, `schemaVersion`, `durability`, `history`,
  /// `isExclusive`, `fileMode`, `parallelQueries` and `maximumNumberOfActiveVersions` until the store is closed. Later
  /// openings must have an equal `readOnly` and an equal key. `outboxName` and `outboxLimit` belong to the realm of one
  /// thread, queue or actor, and `inMemoryLifetime` applies to each opening.
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    /// The configuration of `Realm()`. Setting it affects later openings only.
    ///
    ///     Realm.Configuration.defaultConfiguration = Realm.Configuration(schemaVersion: 2)
    ///     let realm = try Realm()
    ///
    /// An in-memory realm that it names lives as long as this is the default.
    public static var defaultConfiguration: Configuration {
      get { MemoryStores.standardConfiguration }
      set { MemoryStores.standardConfiguration = newValue }
    }

    /// The location of the file; nil for an in-memory realm. Setting it clears `inMemoryIdentifier`. Opening for
    /// writing creates the missing parent folders.
    ///
    ///     configuration.fileURL = folder.appendingPathComponent("dogs.realm")
    ///
    /// Any other URL than that of a file is refused, with `.fail`. Beside `dogs.realm` the library keeps files whose
    /// names begin with `dogs.realm.`: `.journal`, `.history` and `.lock`. Opening refuses to write a realm under such
    /// a name, with `.fileAccess`, when the name in front ends in `.realm` or is that of a realm; `.import` counts as
    /// well. A file of another program under one of them is never changed: opening refuses it and names it, and a file
    /// at `.history` costs earlier versions alone. A new name may have at most 218 bytes on most file systems, so that
    /// those beside it fit.
    public var fileURL: URL? {
      didSet { if fileURL != nil { inMemoryIdentifier = nil } }
    }

    /// The name of an in-memory realm. All realms of the process with one name share their data for as long as
    /// `inMemoryLifetime` specifies. Setting it clears `fileURL`.
    ///
    ///     configuration.inMemoryIdentifier = "tests"
    ///     print(configuration.fileURL == nil)          // true
    public var inMemoryIdentifier: String? {
      get { inMemoryIdentifierStorage }
      set {
        if newValue != nil { fileURL = nil }
        if newValue != inMemoryIdentifierStorage { (hasOwnStore, store) = (false, nil) }
        inMemoryIdentifierStorage = newValue
      }
    }

    private var inMemoryIdentifierStorage: String?

    /// The lifetime of the data of an in-memory realm. Without effect on files.
    ///
    ///     configuration.inMemoryIdentifier = "cache"
    ///     configuration.inMemoryLifetime = .process
    public var inMemoryLifetime = InMemoryLifetime.lastReference

    /// Whether the identifier belongs to this configuration alone, so that its store lives as long as the
    /// configuration.
    private var hasOwnStore = false

    /// Keeps that store alive; nil in configurations that stores and sessions hold.
    private(set) var store: StoreReference?

    /// A copy without it, for a store or a session.
    var withoutStore: Configuration {
      if store == nil { return self }
      var copy = self
      copy.store = nil
      return copy
    }

    /// Returns a copy that holds `store`, if this configuration has a store of its own.
    package func retaining(_ store: Store) -> Configuration {
      if !hasOwnStore { return self }
      var copy = self
      copy.store = StoreReference(store)
      return copy
    }

    /// The identity of the in-memory store; nil for a file.
    var memoryIdentity: Store.Identity? { inMemoryIdentifierStorage.map { .memory($0) } }

    /// A key of 64 random bytes, with which the realm's files are encrypted where CryptoKit exists: by AES-GCM, with
    /// keys that HKDF derives from it. Elsewhere opening throws `.fail` with the lines that make a `cipher` of
    /// swift-crypto. A key of another length is refused as well.
    ///
    ///     configuration.encryptionKey = key          // 64 bytes that the application keeps in its keychain
    ///
    /// Everything that holds for `cipher` holds for a key.
    public var encryptionKey: Data?

    /// The application's cryptography, with which the realm's files are encrypted; nil for plain files.
    ///
    ///     configuration.cipher = KennelCipher(key: key, keyIdentifier: identifier)
    ///
    /// The contents of all files are encrypted: the snapshot, the journal, the history, copies, and what openings after
    /// a crash cut off. File sizes, versions, the number of commits and the times in the history show. A file keeps its
    /// key for as long as it lives: opening throws `.wrongKey` for another one, for none, and for a key to a plain
    /// file, and changes nothing. To encrypt a file, or to change its key, write a copy (`writeCopy(toFile:cipher:)`).
    /// A seed may be plain or have this cipher. See <doc:FilesDurabilityRecovery> for what encryption does not hide.
    ///
    /// All realms of one open store must have the same key. A realm in memory has none but that of its seed: opening
    /// throws `.fail` for one without a seed.
    public var cipher: (any FileCipher)?

    /// Whether the realm is read-only. The file must exist and have this `schemaVersion`. Classes that the file lacks
    /// are empty. Writing traps. The realm follows processes that write the file, as long as its classes fit: they may
    /// add classes and properties. When a class or a property of this realm is gone, renamed or of another type, or a
    /// class that the file lacked has come behind others, the realm stays at its version, which is logged. It also
    /// stays there if a class declares narrower integers than the file has.
    ///
    ///     let dogs = try Realm(configuration: .init(fileURL: url, readOnly: true, schemaVersion: 2)).objects(Dog.self)
    ///
    /// All realms of one store must agree; opening throws `.fail` otherwise. It also throws `.fail` together with
    /// `deleteRealmIfMigrationNeeded` or `shouldCompactOnLaunch`, and in memory without a `seedFilePath`.
    public var readOnly = false

    /// The version of the application's schema. When it is higher than the file's, opening migrates the file: its
    /// schema becomes that of the classes, and `migrationBlock` runs.
    ///
    ///     configuration.schemaVersion = 3          // files of the versions 0 to 2 are migrated
    ///
    /// Missing properties are added with zero, or null where allowed. Properties that no class declares any more are
    /// removed. A property of another type, or one that must not be null any more, begins with zero. A property that
    /// may be null from now on keeps its values. A class that becomes embedded loses the objects without an owner, and
    /// gets copies of those with several. Objects of a removed class stay in the file.
    ///
    /// A lower version is refused, and so is `UInt64.max`, with `.fail`. With an equal version, new classes are
    /// adopted, and changes of indexes, of delete rules, and of the widths of integers if the stored values fit.
    /// Objects of a missing class stay in the file. Any other difference throws `.schemaMismatch`.
    public var schemaVersion: UInt64 = 0

    /// The code that runs when the file has a lower `schemaVersion`. It can set new properties from old values, rename
    /// properties and classes, and create and delete objects. It is not called for a new file.
    ///
    ///     configuration.migrationBlock = { migration, oldVersion in
    ///       if oldVersion < 2 { migration.renameProperty(onType: "Dog", from: "name", to: "callName") }
    ///     }
    ///
    /// When it throws, the opening throws its error and the file stays as it was.
    public var migrationBlock: MigrationBlock?

    /// The migrations as steps. Setting them sets `migrationBlock`, and raises `schemaVersion` to that of the last
    /// step.
    ///
    ///     configuration.migrations = Migrations {
    ///       Step(2) { migration in migration.renameProperty(onType: "Dog", from: "name", to: "callName") }
    ///     }
    public var migrations: Migrations? {
      didSet {
        migrationBlock = migrations?.block
        schemaVersion = max(schemaVersion, migrations?.schemaVersion ?? 0)
      }
    }

    /// Receives the progress of a migration, on the thread that opens the realm: at the beginning of each part, and
    /// after every 1,024 objects of `enumerateObjects`. It must not use the realm.
    ///
    ///     configuration.migrationProgress = { progress in print(progress.phase, progress.completedCount) }
    public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

    /// Whether a file whose schema or `schemaVersion` differs is emptied instead of being migrated or refused. The
    /// `migrationBlock` is not called then.
    ///
    ///     configuration.deleteRealmIfMigrationNeeded = true          // for contents that can be fetched again
    public var deleteRealmIfMigrationNeeded = false

    /// Called when a store is opened that is not open yet, in this process or another. It receives the size of the
    /// files and the size of their snapshot, in bytes. The file is compacted when it returns true. Without effect on
    /// in-memory realms.
    ///
    ///     configuration.shouldCompactOnLaunch = { total, used in total > 100 << 20 && used < total / 2 }
    ///
    /// It must not use the realm: opening it there throws `.fail`.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

    /// The classes of the realm; nil stands for every class of the program whose `shouldIncludeInDefaultSchema()` is
    /// true.
    ///
    ///     configuration.objectTypes = [Dog.self, Person.self]
    ///
    /// Nil leaves out classes that share a name, and the classes that link to them; using one of them traps. A list
    /// must contain every class to which its classes link. Opening throws `.fail` otherwise, and for nil on a platform
    /// where the classes of a program cannot be found.
    public var objectTypes: [ObjectBase.Type]? {
      get { objectTypesStorage?.value }
      set { objectTypesStorage = newValue.map { UncheckedBox($0) } }
    }

    /// Metatypes are immutable, and the same value on every thread.
    private var objectTypesStorage: UncheckedBox<[ObjectBase.Type]>?

    /// A schema that was made at run time, for a realm whose classes the program does not define; nil for the classes
    /// of the program.
    ///
    ///     configuration.dynamicSchema = DynamicSchema([
    ///       .init("Dog", primaryKey: "id", [.init("id", .int), .init("name", .string)])
    ///     ])
    ///
    /// Objects are `DynamicObject`s then. The schema is compared with the file as that of classes is, by
    /// `schemaVersion`, and `migrationBlock` migrates to it. Opening throws `.fail` for an invalid schema, with all
    /// problems, and together with `objectTypes`.
    public var dynamicSchema: DynamicSchema? {
      didSet { isDynamic = dynamicSchema != nil }
    }

    /// Whether the realm is opened without classes of the program.
    package var isDynamic = false

    /// A file that is copied to `fileURL` when `fileURL` does not exist yet, with its journal. An in-memory realm that
    /// is not open begins with the contents of the file, which is only read. Documents of asymmetric objects that wait
    /// in it are not copied: they are delivered from its own realm. Opening throws `CocoaError.fileReadNoSuchFile` when
    /// the seed is needed and does not exist.
    ///
    ///     configuration.seedFilePath = Bundle.main.url(forResource: "dogs", withExtension: "realm")
    public var seedFilePath: URL?

    /// Whether opening a `fileURL` with a file that Realm's own library wrote imports it first, as
    /// `Realm.importRealmFile(from:to:configuration:progress:)` does. Without this, opening such a file throws
    /// `.invalidDatabase`.
    ///
    ///     var configuration = Realm.Configuration(fileURL: url, schemaVersion: 3)
    ///     configuration.importsRealmFiles = true
    ///     let realm = try Realm(configuration: configuration)
    ///
    /// The file is replaced at once by a file of this library with its objects, or not at all. It stays beside that
    /// under a name that ends in `.original`, and is never written to. Opening throws what the import throws.
    ///
    /// With a `dynamicSchema` the file's classes are compared with those of the schema. `Realm(fileURL:dynamic:)`
    /// changes no file, and so imports none.
    public var importsRealmFiles = false

    /// The maximum number of versions that may be in use when a write begins; nil and 0 for no limit. Beyond it `write`
    /// throws `.fail` and `beginWrite` traps.
    ///
    ///     configuration.maximumNumberOfActiveVersions = 100
    public var maximumNumberOfActiveVersions: UInt?

    /// Whether a query that tests each of 250,000 objects or more may use all processors; true by default. Results are
    /// the same in either case. The realm that is opened first in the process decides for all realms of its file.
    ///
    ///     configuration.parallelQueries = false          // leaves the other processors to the rest of the program
    public var parallelQueries = true

    /// Receives the documents of asymmetric objects after the writes that created them are durable.
    ///
    ///     configuration.ingestHandler = { documents in
    ///       for document in documents { print(document.number, document["place"] ?? "") }
    ///     }
    ///
    /// Documents wait in the store, and survive its closing and a crash at any moment. They arrive in the order of
    /// creation, at most 1,000 in a call, one call at a time, in a separate task. When the handler returns, they are
    /// removed from the store by a small commit of their own. With `durability = .relaxed` they arrive within a second,
    /// as a power failure may take a write until then. When the handler throws, they are passed again after a pause: a
    /// tenth of a second at first, twice as long after each further failure, and at most a minute.
    ///
    /// Each document arrives at least once. If the process ends between the call and the removal, it arrives again,
    /// with the same `number`. The store stays open until a call returns.
    ///
    /// All realms of an open store with the same `outboxName` must have the same handler, from copies of one
    /// configuration, or none. Opening with another one throws `.fail`.
    public var ingestHandler: (@Sendable ([IngestDocument]) async throws -> Void)? {
      get { ingest?.call }
      set { ingest = newValue.map(IngestHandler.init) }
    }

    /// The name of the outbox in which documents of asymmetric objects wait. Each outbox of a store has its own handler
    /// and its own order. The documents that wait when a store is closed go to the handler of the next configuration
    /// with this name.
    ///
    ///     configuration.outboxName = "sightings"
    public var outboxName = ""

    /// The maximum number of documents that may wait in the store, in all its outboxes; nil for no limit. Creating an
    /// asymmetric object beyond it fails the write with `.outboxFull`.
    ///
    ///     configuration.outboxLimit = nil          // as many documents as the memory can hold
    public var outboxLimit: Int? = 100_000

    /// The handler, with an identity.
    private(set) var ingest: IngestHandler?

    /// The point at which a write to a file returns: after it survives a power failure (`.full`), or after the system
    /// has accepted it (`.relaxed`).
    ///
    ///     configuration.durability = .relaxed
    public var durability = Durability.full

    /// Whether this process alone has the file open for writing. By default any number of processes read and write a
    /// file: each commit follows the latest one of all of them, and the others see it, with their notifications, within
    /// some milliseconds.
    ///
    ///     configuration.isExclusive = true          // a second process that opens the file for writing gets an error
    ///
    /// Opening throws `.alreadyOpen` if another process has the file open for writing, and afterwards others get that
    /// error. It has no effect on a file that is open in this process already. A process that is alone pays a
    /// microsecond or two in a write for sharing, and nothing in a read.
    ///
    /// Among processes that share a file, a write waits for a write of another one. If that lasts longer than a minute,
    /// because the other process was stopped, say, `write` throws `.alreadyOpen` with its process number; `beginWrite`,
    /// which cannot throw, traps. Opening and reading the file do not wait; opening it with classes that it lacks does.
    /// A migration needs the file for itself, and so do any other change of the classes that the file has, such as a
    /// new index, `Realm.deleteFiles(for:)` and an import in place. Without effect on realms in memory. On Windows,
    /// WASI and file systems without locks of bytes every file is opened exclusively.
    public var isExclusive = false

    /// How long a process waits for another one, in milliseconds: a minute, which tests shorten.
    package var patience = 60_000

    /// How many earlier versions are kept, for `changes(since:)`, `undo()` and `redo()`. Those of a realm with a file
    /// are known again after it was closed and opened; those of an in-memory realm are not.
    ///
    ///     configuration.history = .versions(100, age: 3_600)
    public var history = History.none

    /// The POSIX permissions, such as `0o600`, of new files: the realm's own, temporary ones included, and the copies
    /// of `writeCopy`. Nil, the default, leaves them to the process (`umask`).
    ///
    ///     configuration.fileMode = 0o600          // for the owner alone
    ///
    /// A file that replaces another one keeps its permissions, so an existing realm keeps its own. Folders are left to
    /// the process. The owner must be able to read and write, and the mode is at most `0o777`; opening throws `.fail`
    /// otherwise. Without effect on Windows and WASI.
    public var fileMode: UInt16?

    /// The disk of the file. Benchmarks replace it by a slow one.
    package var fileSystem: any FileSystem = RealFileSystem()

    /// Creates a configuration. The property with the name of a parameter describes it.
    ///
    ///     let configuration = Realm.Configuration(fileURL: url, schemaVersion: 2, objectTypes: [Dog.self])
    ///
    /// Without a `fileURL` and an identifier, the file is `defaultFileURL`. An identifier takes precedence over a file.
    /// Opening traps when both are nil.
    public init(
      fileURL: URL? = Self.defaultFileURL, inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
      readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil, objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil, durability: Durability = .full, inMemoryLifetime: InMemoryLifetime = .lastReference,
      fileMode: UInt16? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      inMemoryIdentifierStorage = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
      self.durability = durability
      self.fileMode = fileMode
      self.inMemoryLifetime = inMemoryLifetime
    }

    /// Creates a configuration of a new in-memory realm with a unique identifier.
    ///
    ///     let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    ///
    /// The data lives as long as the configuration, a copy of it, or a reference to the realm.
    ///
    /// - Parameters:
    ///   - name: the beginning of the identifier, for `Realm.openRealms` and messages; nil for an identifier without a
    ///     name. Two configurations with one name are two realms.
    ///   - objectTypes: the classes, as in the property `objectTypes`.
    ///   - seedFilePath: a file with whose contents the realm begins, as in the property `seedFilePath`.
    public static func inMemory(
      named name: String? = nil, objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
    ) -> Configuration {
      let unique = UUID().uuidString
      var configuration = Configuration(
        inMemoryIdentifier: name.map { "\($0) \(unique)" } ?? unique, objectTypes: objectTypes,
        seedFilePath: seedFilePath)
      (configuration.hasOwnStore, configuration.store) = (true, StoreReference())
      return configuration
    }

    /// Whether both have the same file, identifier, key, `readOnly` and `schemaVersion`.
    public static func == (a: Configuration, b: Configuration) -> Bool {
      a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier && a.encryptionKey == b.encryptionKey
        && a.cipher?.keyIdentifier == b.cipher?.keyIdentifier
        && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
    }

    /// A textual description of the options.
    ///
    ///     print(realm.configuration)
    public var description: String {
      var parts: [String] = []
      if let fileURL { parts.append("fileURL = \(fileURL.path)") }
      if let inMemoryIdentifier { parts.append("inMemoryIdentifier = \(inMemoryIdentifier)") }
      parts.append("readOnly = \(readOnly)")
      parts.append("schemaVersion = \(schemaVersion)")
      if let objectTypes { parts.append("objectTypes = \(objectTypes.map { $0.className() })") }
      if let dynamicSchema { parts.append("dynamicSchema = \(dynamicSchema.classes.map(\.name))") }
      if deleteRealmIfMigrationNeeded { parts.append("deleteRealmIfMigrationNeeded = true") }
      if shouldCompactOnLaunch != nil { parts.append("shouldCompactOnLaunch = (a closure)") }
      if let seedFilePath { parts.append("seedFilePath = \(seedFilePath.path)") }
      if isExclusive { parts.append("isExclusive = true") }
      if !parallelQueries { parts.append("parallelQueries = false") }
      if let maximumNumberOfActiveVersions {
        parts.append("maximumNumberOfActiveVersions = \(maximumNumberOfActiveVersions)")
      }
      if ingestHandler != nil { parts.append("ingestHandler = (a closure)") }
      if encryptionKey != nil { parts.append("encryptionKey = (hidden)") }
      if cipher != nil { parts.append("cipher = (hidden)") }
      return "Realm.Configuration {\n" + parts.map { "\t\($0);\n" }.joined() + "}"
    }

    /// The location of `default.realm`.
    ///
    ///     print(Realm.Configuration.defaultFileURL.path)
    ///
    /// On macOS this is a folder in Application Support, named by the bundle identifier, or else by the program. Other
    /// Apple platforms use the application's documents folder. Elsewhere it is a folder with the program's name in
    /// `$XDG_DATA_HOME`, on Windows in `%LOCALAPPDATA%`, or in `$HOME/.local/share`.
    public static var defaultFileURL: URL { DefaultLocation.folder.appendingPathComponent("default.realm") }
  }
}

/// The platform's folder for files without an explicit location.
package enum DefaultLocation {
  package static var folder: URL { folder(ProcessInfo.processInfo.environment) }

  /// The folder for a process with the given environment.
  static func folder(_ environment: [String: String]) -> URL {
    #if canImport(Darwin)
      let directory: FileManager.SearchPathDirectory
      #if os(macOS)
        directory = .applicationSupportDirectory
      #else
        directory = .documentDirectory
      #endif
      let base = FileManager.default.urls(for: directory, in: .userDomainMask).first ?? URL(fileURLWithPath: ".")
      #if os(macOS)
        return base.appendingPathComponent(Bundle.main.bundleIdentifier ?? program)
      #else
        return base
      #endif
    #else
      if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") {
        return URL(fileURLWithPath: home).appendingPathComponent(program)
      }
      #if os(Windows)
        if let data = environment["LOCALAPPDATA"] {
          return URL(fileURLWithPath: data).appendingPathComponent(program)
        }
      #endif
      // Foundation only consults the system's user database, not `HOME`.
      let home =
        environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        ?? FileManager.default.homeDirectoryForCurrentUser
      return home.appendingPathComponent(".local/share/\(program)")
    #endif
  }

  private static var program: String { ProcessInfo.processInfo.processName }
}
