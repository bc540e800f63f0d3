import FiefDurability
import FiefGraph
import FiefObjects
import FiefSessions
import Foundation

package enum RealmOpening {
  static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> Session {
    try store(configuration).session(confinement, SharedConfiguration(configuration))
  }

  /// Returns the store of a configuration, and opens it if it is not open.
  ///
  /// - Parameter record: takes note of the store.
  static func store(_ configuration: Realm.Configuration, record: OpeningRecord? = .current) throws -> Store {
    SchemaBuilding.refuseOpening()
    let identity = try check(configuration)
    let start = LoggedTime.now
    let (store, wasOpen): (Store, Bool)
    do {
      (store, wasOpen) = try StoreRegistry.open(identity) {
        // Wrong classes are refused before a file is imported.
        let selection = configuration.isDynamic ? nil : try configuration.selection()
        if configuration.importsRealmFiles, case .file(let path) = identity {
          try RealmFileImport.runInPlace(path, configuration)
        }
        return try Store(identity, try StoreOptions(configuration)) { stored in
          guard let selection else { return try prepareDynamic(stored, configuration) }
          return try prepare(stored, for: selection, configuration)
        }
      }
    } catch let error as SessionError {
      throw Realm.Error(error, file: error.file == nil ? nil : configuration.fileURL)
    } catch {
      throw RealmFileImport.refusal(error, identity, on: configuration.fileSystem) ?? Realm.Error.describing(error)
    }
    if wasOpen { try compare(store, configuration) }
    do {
      try store.attach(configuration.outboxLine)
    } catch let error as SessionError {
      throw Realm.Error(error, file: configuration.fileURL)
    }
    MemoryStores.keep(store, configuration)
    record?.add(store)
    if !wasOpen { store.logOpening(since: start, classCount: store.classes.models.count) }
    return store
  }

  /// Brings the stored contents into the form of the classes, and binds the classes to them.
  private static func prepare(
    _ stored: StoredState, for selection: ModelSelection, _ configuration: Realm.Configuration
  ) throws -> PreparedStore {
    let changed = try bring(stored, to: selection, configuration)
    let bindings = try selection.bindings(in: changed ?? stored.graph)
    return PreparedStore(
      StoreClasses(
        selection.models, leavingOut: selection.leftOut, bindings: bindings,
        dynamicClasses: DynamicClasses(access: DynamicAccess.self), importer: Inserter.self),
      changed: changed, tables: bindings.tables)
  }

  /// Binds the tables to dynamic classes, after bringing them into the form of the configuration's schema, if it has
  /// one.
  ///
  /// - Parameter replacing: whether the store begins with `stored`, instead of holding it already.
  static func prepareDynamic(
    _ stored: StoredState, _ configuration: Realm.Configuration, replacing: Bool = false
  ) throws -> PreparedStore {
    let changed =
      configuration.dynamicSchema == nil ? nil : try bring(stored, to: configuration.selection(), configuration)
    let graph = changed ?? stored.graph
    let classes = DynamicClasses(of: graph, access: DynamicAccess.self)
    let bindings = StoreBindings(dynamic: classes.known, DynamicClasses.tables(of: graph))
    return PreparedStore(
      StoreClasses(
        bindings.ordered.map(\.model), bindings: bindings, dynamicClasses: classes, importer: Inserter.self,
        isDynamic: true),
      changed: replacing ? graph : changed, tables: bindings.tables)
  }

  /// Returns the version to start with; nil for the stored one.
  private static func bring(
    _ stored: StoredState, to selection: ModelSelection, _ configuration: Realm.Configuration
  ) throws -> Graph? {
    let changed = try SchemaBringing(stored, to: selection, configuration).run()
    if changed != nil && !stored.isNew && configuration.schemaVersion > stored.schemaVersion {
      configuration.migrationProgress?(
        MigrationProgress(phase: .storing, className: nil, completedCount: 0, totalCount: 0))
    }
    return changed
  }

  /// Refuses invalid configurations, and returns the identity of the store.
  private static func check(_ configuration: Realm.Configuration) throws -> Store.Identity {
    if configuration.schemaVersion == .max {
      throw Realm.Error(.fail, "Schema version \(UInt64.max) is reserved: use a lower one.")
    }
    _ = try configuration.fileKey()
    try checkMode(configuration.fileMode)
    if configuration.readOnly && configuration.deleteRealmIfMigrationNeeded {
      throw Realm.Error(.fail, "A read-only realm cannot have deleteRealmIfMigrationNeeded: choose one of the two.")
    }
    if configuration.readOnly && configuration.shouldCompactOnLaunch != nil {
      throw Realm.Error(.fail, "A read-only realm cannot have shouldCompactOnLaunch: choose one of the two.")
    }
    try checkSchemas(configuration)
    if configuration.readOnly && configuration.inMemoryIdentifier != nil && configuration.seedFilePath == nil {
      throw Realm.Error(
        .fail, "An in-memory realm cannot be readOnly: it would stay empty. Give it a seedFilePath, or allow writing.")
    }
    if configuration.isDynamic && configuration.ingestHandler != nil {
      throw Realm.Error(.fail, "A realm without classes cannot have an ingestHandler: it creates no documents.")
    }
    if let limit = configuration.outboxLimit, limit < 0 {
      throw Realm.Error(.fail, "The outboxLimit is \(limit): give a number of at least 0, or nil for no limit.")
    }
    if let seed = configuration.seedFilePath { _ = try path(seed) }
    if let identifier = configuration.inMemoryIdentifier {
      if identifier.isEmpty { throw Realm.Error(.fail, "The in-memory identifier is empty: give the realm a name.") }
      return .memory(identifier)
    }
    guard let url = configuration.fileURL else {
      fatalError("A realm was opened without a fileURL and without an inMemoryIdentifier: set one of them.")
    }
    if url.path.isEmpty { throw Realm.Error(.fail, "The realm's file path is empty.") }
    _ = try path(url)
    return identity(ofFile: url)
  }

  /// The path of a file.
  ///
  /// - Throws: `.fail` for a URL that does not name a file.
  static func path(_ url: URL) throws -> String {
    if isFile(url) { return url.standardizedFileURL.path }
    throw Realm.Error(.fail, "The URL \(url.absoluteString) does not name a file: make one by URL(fileURLWithPath:).")
  }

  /// Whether a URL names a file. One without a scheme is a path.
  static func isFile(_ url: URL) -> Bool { url.isFileURL || url.scheme == nil }

  /// Refuses two schemas in one configuration.
  static func checkSchemas(_ configuration: Realm.Configuration) throws {
    if configuration.dynamicSchema != nil && configuration.objectTypes != nil {
      throw Realm.Error(.fail, "A realm cannot have objectTypes and a dynamicSchema: choose one of the two.")
    }
  }

  /// Refuses permissions with which the owner could not open the realm again.
  static func checkMode(_ mode: UInt16?) throws {
    guard let mode, mode & 0o600 != 0o600 || mode > 0o777 else { return }
    throw Realm.Error(
      .fail,
      "The fileMode 0o\(String(mode, radix: 8)) does not do: give permissions (at most 0o777) that let the owner read "
        + "and write, such as 0o600.")
  }

  /// Returns the identity of a file's store. It does not depend on the spelling of the path, nor on whether the file
  /// exists.
  static func identity(ofFile url: URL) -> Store.Identity {
    // Missing folders are made at the opening. So the existing part is resolved, and the rest is appended. The file
    // itself may be missing: it is resolved as the store resolves it, which follows a link that leads to no file yet.
    var present = url.standardizedFileURL
    var missing: [String] = []
    while present.pathComponents.count > 1 {
      if let resolved = try? RealFileSystem().resolve(present.path) {
        return .file(missing.reversed().reduce(URL(fileURLWithPath: resolved)) { $0.appendingPathComponent($1) }.path)
      }
      missing.append(present.lastPathComponent)
      present.deleteLastPathComponent()
    }
    return .file(url.standardizedFileURL.path)
  }

  /// Checks the options that all realms of an open store must share.
  private static func compare(_ store: Store, _ asked: Realm.Configuration) throws {
    let open = store.options
    if store.classes.isDynamic && !asked.isDynamic {
      throw Realm.Error(
        .fail,
        "The realm is already opened without classes: release all realms, objects and collections of it first, or open "
          + "it with the same dynamicSchema.",
        file: asked.fileURL)
    }
    if asked.inMemoryIdentifier == nil, open.key?.mark != (try asked.fileKey())?.mark {
      throw Realm.Error(
        .wrongKey,
        "The realm is already opened with \(open.key?.mark.phrase ?? "no key"): open it with the same cipher.",
        file: asked.fileURL)
    }
    if open.isReadOnly != asked.readOnly {
      throw Realm.Error(
        .fail,
        "The realm is already opened with different read permissions: open it with readOnly = \(open.isReadOnly).",
        file: asked.fileURL)
    }
  }
}
