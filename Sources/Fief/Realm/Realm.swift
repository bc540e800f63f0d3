import FiefGraph
import Foundation

/// A store of objects, as seen from one thread, queue or actor.
///
///     let realm = try Realm()
///     try realm.write {
///       realm.add(Dog(value: ["name": "Rex", "age": 3]))
///     }
///     let old = realm.objects(Dog.self)
///
/// A handle, cheap to make and to copy: opening the same store again in the same place gives the same one. It shows one
/// version of the store, advances when it writes, refreshes, or (where there is a run loop, a queue or an actor) by
/// itself, and is closed when the last handle, object and collection of it is let go.
///
/// It may be used only where it was opened; anything else traps. `freeze()` gives one that may be used anywhere.
@frozen
public struct Realm: Equatable {
  @usableFromInline let session: Session

  @usableFromInline
  init(_ session: Session) { self.session = session }

  /// Whether both are handles of the same realm in the same place.
  public static func == (a: Realm, b: Realm) -> Bool { a.session === b.session || a.session.sees(sameAs: b.session) }

  // MARK: Opening

  /// Opens the default configuration.
  ///
  /// - Parameter queue: the serial queue that the realm is for, on which this must be called; nil for the running
  ///   thread.
  /// - Throws: `Realm.Error`, as `init(configuration:queue:)`.
  public init(queue: DispatchQueue? = nil) throws { try self.init(configuration: .defaultConfiguration, queue: queue) }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - configuration: what to open, and how. If the store is open already its classes and version stay as they are.
  ///   - queue: the serial queue that the realm is for, on which this must be called; nil for the running thread.
  /// - Throws: `Realm.Error`: everything that is wrong with the classes (`.fail`, with a line for each problem), with
  ///   the configuration, or with the file.
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

  /// What it was opened with.
  public var configuration: Configuration { session.configuration.holding(session.store) }

  /// Whether it has no object of any class.
  public var isEmpty: Bool {
    session.checkConfinement()
    return session.read { graph in session.store.allBindings.allSatisfy { graph[$0.table]?.count == 0 } }
  }

  /// Whether a write transaction is under way.
  public var isInWriteTransaction: Bool {
    session.checkPlaceOfUse()
    return session.transaction != nil
  }

  /// Whether it is frozen: shows one version for ever, to any thread.
  public var isFrozen: Bool { session.isFrozen }

  /// The number of the version that it shows; the versions of a store are numbered upwards.
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

  /// Refuses configurations that make no sense, and says what store is meant.
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

  /// Refuses permissions with which the realm's owner could not open it again.
  static func checkMode(_ mode: UInt16?) throws {
    guard let mode, mode & 0o600 != 0o600 || mode > 0o777 else { return }
    throw Realm.Error(
      .fail,
      "The fileMode 0o\(String(mode, radix: 8)) does not do: give permissions (at most 0o777) that let the owner read "
        + "and write, such as 0o600.")
  }

  /// What names the store of a file, however its path is spelled, and whether the file is there yet or not.
  static func identity(ofFile url: URL) -> Store.Identity {
    // Foundation follows no link of a path whose end is missing: what is there is followed, and the rest added.
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

  /// A store that is open was opened with options that later openings must share.
  private static func compare(_ open: Realm.Configuration, _ asked: Realm.Configuration) throws {
    if open.readOnly != asked.readOnly {
      throw Realm.Error(
        .fail,
        "The realm is already opened with different read permissions: open it with readOnly = \(open.readOnly).",
        file: asked.fileURL)
    }
  }
}
