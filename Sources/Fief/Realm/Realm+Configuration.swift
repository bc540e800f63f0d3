import Foundation

extension Realm {
  /// What a realm is opened with.
  ///
  ///     var configuration = Realm.Configuration(inMemoryIdentifier: "tests")
  ///     configuration.objectTypes = [Dog.self, Person.self]
  ///     let realm = try Realm(configuration: configuration)
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    /// What `Realm()` opens. Setting it affects later openings only.
    ///
    /// An in-memory realm that it names lives as long as it is the default.
    public static var defaultConfiguration: Configuration {
      get { StoreHolds.standardConfiguration }
      set { StoreHolds.standardConfiguration = newValue }
    }

    /// Where the file is; nil for an in-memory realm. Setting it clears `inMemoryIdentifier`. Opening for writing makes
    /// the folders that are missing on the way.
    public var fileURL: URL? {
      didSet { if fileURL != nil { inMemoryIdentifier = nil } }
    }

    /// The name of an in-memory realm. All realms of the process that are opened under one name share their data, for
    /// as long as `inMemoryLifetime` says. Setting it clears `fileURL`.
    public var inMemoryIdentifier: String? {
      get { inMemoryIdentifierStorage }
      set {
        if newValue != nil { fileURL = nil }
        if newValue != inMemoryIdentifierStorage { (hasOwnStore, hold) = (false, nil) }
        inMemoryIdentifierStorage = newValue
      }
    }

    private var inMemoryIdentifierStorage: String?

    /// How long the data of an in-memory realm lives. Without effect on files.
    public var inMemoryLifetime = InMemoryLifetime.lastReference

    /// Whether the identifier is this configuration's own, so that what it names lives as long as the configuration.
    private var hasOwnStore = false

    /// What keeps that; nil in configurations that stores and sessions keep.
    private(set) var hold: StoreHold?

    /// The same, to be kept by a store or a session.
    var withoutHold: Configuration {
      if hold == nil { return self }
      var copy = self
      copy.hold = nil
      return copy
    }

    /// The same, given out again by a realm of a store.
    func holding(_ store: Store) -> Configuration {
      if !hasOwnStore { return self }
      var copy = self
      copy.hold = StoreHold(store)
      return copy
    }

    /// The in-memory store that is meant; nil when a file is.
    var memoryIdentity: Store.Identity? { inMemoryIdentifierStorage.map { .memory($0) } }

    /// Refused at opening: files are not encrypted. It is here so that its use is an error and not a silence.
    public var encryptionKey: Data?

    /// Whether the realm can only be read. The file must exist, and have this `schemaVersion`; classes that it lacks
    /// are empty.
    public var readOnly = false

    /// The version of the application's schema. When it is higher than the file's, opening adds the properties that the
    /// file lacks (zero, or null where that is allowed) and removes those that no class has any more; one that is lower
    /// is refused. Objects of a class that is gone stay in the file.
    public var schemaVersion: UInt64 = 0

    /// Whether a file whose schema or `schemaVersion` differs is emptied, instead of being migrated or refused.
    public var deleteRealmIfMigrationNeeded = false

    /// Asked at the first opening in the process with the size of the file and how much of it is in use, in bytes; true
    /// compacts it first.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?

    /// The classes that the realm keeps; nil means every class of the program whose `shouldIncludeInDefaultSchema()` is
    /// true.
    public var objectTypes: [ObjectBase.Type]? {
      get { objectTypesStorage?.types }
      set { objectTypesStorage = newValue.map(TypeList.init) }
    }

    private var objectTypesStorage: TypeList?

    /// A file that is copied to `fileURL` when none is there yet.
    public var seedFilePath: URL?

    /// How many old versions readers may keep alive before a write refuses to begin; nil for any number.
    public var maximumNumberOfActiveVersions: UInt?

    /// Gets what asymmetric objects say, once the writes that created them are committed: in the order of creation, one
    /// call at a time, in a task of its own. What a call that throws was given is given again with the documents of the
    /// next commit that has some; nothing is kept beyond the life of the process. Without a handler documents go
    /// nowhere.
    ///
    /// Realms of one store may be opened with different handlers: each gets what was written through realms that were
    /// opened with it.
    public var ingestHandler: (@Sendable ([IngestDocument]) async throws -> Void)? {
      get { ingest?.call }
      set { ingest = newValue.map(IngestHandler.init) }
    }

    /// The handler, told apart from others.
    private(set) var ingest: IngestHandler?

    /// When a write to a file returns: once it survives a power failure (`.full`), or once the system has it
    /// (`.relaxed`).
    public var durability = Durability.full

    /// The POSIX permissions (`0o600`, say) of new files: the realm's own, temporary ones included, and copies that
    /// `writeCopy` makes. Nil, as at first, leaves them to the process (`umask`).
    ///
    /// Whatever replaces a file keeps that file's permissions, so a realm that is there already keeps its own; folders
    /// are left to the process. The owner must be able to read and write. Without effect on Windows and WASI.
    public var fileMode: UInt16?

    /// Metatypes are immutable and the same on every thread.
    private struct TypeList: @unchecked Sendable {
      let types: [ObjectBase.Type]
    }

    /// A configuration from its parts; each is described at the property of its name.
    ///
    /// Without a file and without an identifier it is that of the default file.
    public init(
      fileURL: URL? = Self.defaultFileURL, inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
      readOnly: Bool = false, schemaVersion: UInt64 = 0, deleteRealmIfMigrationNeeded: Bool = false,
      shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil, objectTypes: [ObjectBase.Type]? = nil,
      seedFilePath: URL? = nil, durability: Durability = .full, inMemoryLifetime: InMemoryLifetime = .lastReference,
      fileMode: UInt16? = nil
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      inMemoryIdentifierStorage = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
      self.durability = durability
      self.fileMode = fileMode
      self.inMemoryLifetime = inMemoryLifetime
    }

    /// A configuration of an in-memory realm that nobody else has: its identifier is new.
    ///
    ///     let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    ///
    /// The data lives as long as the configuration, a copy of it, or something of the realm is held.
    public static func inMemory(objectTypes: [ObjectBase.Type]? = nil) -> Configuration {
      var configuration = Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: objectTypes)
      (configuration.hasOwnStore, configuration.hold) = (true, StoreHold())
      return configuration
    }

    /// Whether both open the same in the same way: file, identifier, key, read-only and version are compared.
    public static func == (a: Configuration, b: Configuration) -> Bool {
      a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier && a.encryptionKey == b.encryptionKey
        && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
    }

    /// Its parts, as text.
    public var description: String {
      var parts: [String] = []
      if let fileURL { parts.append("fileURL = \(fileURL.path)") }
      if let inMemoryIdentifier { parts.append("inMemoryIdentifier = \(inMemoryIdentifier)") }
      parts.append("readOnly = \(readOnly)")
      parts.append("schemaVersion = \(schemaVersion)")
      if let objectTypes { parts.append("objectTypes = \(objectTypes.map { $0.className() })") }
      return "Realm.Configuration {\n" + parts.map { "\t\($0);\n" }.joined() + "}"
    }

    /// Where `default.realm` lies: on Apple's platforms in the application's documents, elsewhere in
    /// `$XDG_DATA_HOME` (or `$HOME/.local/share`), in a folder with the program's name.
    public static var defaultFileURL: URL { DefaultLocation.folder.appendingPathComponent("default.realm") }
  }
}

/// Where files go that were given no place, by the platform's convention.
enum DefaultLocation {
  static var folder: URL { folder(ProcessInfo.processInfo.environment) }

  /// The folder, where a process is run with an environment.
  static func folder(_ environment: [String: String]) -> URL {
    #if canImport(Darwin)
      let place: FileManager.SearchPathDirectory
      #if os(macOS)
        place = .applicationSupportDirectory
      #else
        place = .documentDirectory
      #endif
      let base = FileManager.default.urls(for: place, in: .userDomainMask).first ?? URL(fileURLWithPath: ".")
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
      // Foundation asks the system's list of users alone.
      let home =
        environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        ?? FileManager.default.homeDirectoryForCurrentUser
      return home.appendingPathComponent(".local/share/\(program)")
    #endif
  }

  private static var program: String { ProcessInfo.processInfo.processName }
}
