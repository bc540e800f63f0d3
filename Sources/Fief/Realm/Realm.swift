import FiefGraph
import Foundation

/// A store of objects, confined to one thread, queue or actor.
///
///     let realm = try Realm()
///     try realm.write {
///       realm.add(Dog(value: ["name": "Rex", "age": 3]))
///     }
///     let old = realm.objects(Dog.self)
///
/// A realm is a handle that is cheap to create and copy. Opening one store twice on the same thread, queue or actor
/// returns equal handles. A realm shows one version of the store. It advances when it writes or refreshes. With a run
/// loop, a queue or an actor it also advances automatically. It closes when its last handle, object and collection is
/// released.
///
/// A realm may only be used where it was opened; other uses trap. `freeze()` returns one that may be used anywhere.
@frozen
public struct Realm: Equatable {
  @usableFromInline let session: Session

  @usableFromInline
  init(_ session: Session) { self.session = session }

  /// Whether both are handles of the same realm on the same thread, queue or actor, or frozen realms of one version.
  public static func == (a: Realm, b: Realm) -> Bool { a.session === b.session || a.session.sees(sameAs: b.session) }

  // MARK: Opening

  /// Opens the default configuration.
  ///
  /// - Parameter queue: the serial queue of the realm, on which this must be called; nil for the running thread.
  /// - Throws: `Realm.Error`, like `init(configuration:queue:)`.
  public init(queue: DispatchQueue? = nil) throws { try self.init(configuration: .defaultConfiguration, queue: queue) }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - configuration: the options. If the store is already open, its classes and schema version stay in effect.
  ///   - queue: the serial queue of the realm, on which this must be called; nil for the running thread.
  /// - Throws: `Realm.Error` for all problems of the classes (`.fail`, with a line for each), of the configuration, or
  ///   of the file.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    if let queue {
      guard Confinement.of(queue).isHere() else {
        fatalError(
          "Realm opened from incorrect queue: open it in a block that runs on queue '\(queue.label)', to which it is to be confined."
        )
      }
      self.init(try RealmOpening.open(configuration, .of(queue)))
    } else {
      self.init(try RealmOpening.open(configuration, .currentThread))
    }
  }

  /// Opens the default configuration with another file.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  // MARK: State

  /// The configuration with which the realm was opened.
  public var configuration: Configuration { session.configuration.holding(session.store) }

  /// Whether it has no object of any class in its schema.
  public var isEmpty: Bool {
    session.checkConfinement()
    return session.read { graph in session.store.allBindings.allSatisfy { graph[$0.table]?.count == 0 } }
  }

  /// Whether a write transaction is in progress.
  public var isInWriteTransaction: Bool {
    session.checkPlaceOfUse()
    return session.transaction != nil
  }

  /// Whether it is frozen: it shows one version permanently, on any thread.
  public var isFrozen: Bool { session.isFrozen }

  /// The number of the version that it shows. Later versions of a store have higher numbers.
  public var version: UInt64 {
    session.checkConfinement()
    return session.graph.version
  }
}

/// Opens stores and finds sessions.
enum RealmOpening {
  static func open(_ configuration: Realm.Configuration, _ confinement: Confinement) throws -> Session {
    try store(configuration).session(confinement, configuration)
  }

  static func store(_ configuration: Realm.Configuration) throws -> Store {
    SchemaBuilding.refuseOpening()
    let identity = try check(configuration)
    let start = LoggedTime.now
    let (store, wasOpen) = try StoreRegistry.open(identity) {
      try Store(
        identity, configuration,
        configuration.objectTypes.map(ModelSelection.named) ?? ModelSelection.ofProgram())
    }
    if wasOpen { try compare(store.configuration, configuration) }
    StoreHolds.keep(store, configuration)
    if !wasOpen { store.tellOfOpening(since: start) }
    return store
  }

  /// Refuses invalid configurations, and returns the identity of the store.
  private static func check(_ configuration: Realm.Configuration) throws -> Store.Identity {
    if configuration.schemaVersion == .max {
      throw Realm.Error(.fail, "Schema version \(UInt64.max) is reserved: use a lower one.")
    }
    if configuration.encryptionKey != nil { throw encryptionRefused }
    try checkMode(configuration.fileMode)
    if configuration.readOnly && configuration.deleteRealmIfMigrationNeeded {
      throw Realm.Error(.fail, "A read-only realm cannot have deleteRealmIfMigrationNeeded: choose one of the two.")
    }
    if configuration.readOnly && configuration.shouldCompactOnLaunch != nil {
      throw Realm.Error(.fail, "A read-only realm cannot have shouldCompactOnLaunch: choose one of the two.")
    }
    if let identifier = configuration.inMemoryIdentifier {
      if identifier.isEmpty { throw Realm.Error(.fail, "The in-memory identifier is empty: give the realm a name.") }
      return .memory(identifier)
    }
    guard let url = configuration.fileURL else {
      fatalError("A realm was opened without a fileURL and without an inMemoryIdentifier: set one of them.")
    }
    if url.path.isEmpty { throw Realm.Error(.fail, "The realm's file path is empty.") }
    return identity(ofFile: url)
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
    // Foundation resolves no symbolic links in a path whose end is missing. So the existing part is resolved, and the
    // rest is appended.
    var present = url.standardizedFileURL
    var missing: [String] = []
    while !FileManager.default.fileExists(atPath: present.path), present.pathComponents.count > 1 {
      missing.append(present.lastPathComponent)
      present.deleteLastPathComponent()
    }
    return .file(
      missing.reversed().reduce(present.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }.path)
  }

  static var encryptionRefused: Realm.Error {
    Realm.Error(
      .fail, "Encryption is not supported: leave encryptionKey nil, and keep the file on an encrypted volume.")
  }

  /// Checks the options that all realms of an open store must share.
  private static func compare(_ open: Realm.Configuration, _ asked: Realm.Configuration) throws {
    if open.readOnly != asked.readOnly {
      throw Realm.Error(
        .fail,
        "The realm is already opened with different read permissions: open it with readOnly = \(open.readOnly).",
        file: asked.fileURL)
    }
  }
}
