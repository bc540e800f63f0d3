import FiefDurability
import FiefGraph
import Foundation

/// The files of a store while it is opened, and their contents.
struct OpenedFiles {
  /// The file to which commits are appended; nil in memory and for a read-only store.
  private(set) var file: StoreFile?
  /// The reader of a read-only store.
  private(set) var reader: StoreReader?
  private(set) var stored = StoredState(graph: .empty, schemaVersion: 0, isNew: true)
  /// The versions from the snapshot on, and those before it, if earlier versions are kept.
  private(set) var earlier: VersionHistory?
  private(set) var beforeSnapshot: EarlierVersions?
  private let options: StoreOptions
  private let isWriting: Bool

  /// Opens the files of a store, if it has any, and finds out with which version it begins.
  static func open(
    _ identity: Store.Identity, _ options: StoreOptions, prepare: (StoredState) throws -> PreparedStore
  ) throws -> (files: OpenedFiles, prepared: PreparedStore) {
    do {
      let files = try OpenedFiles(identity, options)
      let prepared = try prepare(files.stored)
      if prepared.changed == nil || files.file?.mayCommit ?? true { return (files, prepared) }
    }
    // They were read while another process was inside a write, and the first commit has to follow that.
    let files = try OpenedFiles(identity, options, isWriting: true)
    return (files, try prepare(files.stored))
  }

  /// - Parameter isWriting: whether files that other processes have open are read in the turn of this one.
  private init(_ identity: Store.Identity, _ options: StoreOptions, isWriting: Bool = false) throws {
    self.options = options
    self.isWriting = isWriting
    switch identity {
    case .file(let path): try open(path)
    case .memory:
      if let seed = options.seed { stored = try Self.contents(ofSeed: seed, key: options.key) }
    }
  }

  /// Returns the contents with which a store in memory begins.
  private static func contents(ofSeed seed: URL, key: FileKey?) throws -> StoredState {
    try checkSeed(seed)
    let read = try Self.seed(seed, key: key)()
    return StoredState(graph: read.graph, schemaVersion: read.userVersion, isNew: false)
  }

  private static func checkSeed(_ seed: URL) throws {
    if FileManager.default.fileExists(atPath: seed.path) { return }
    throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: seed.path])
  }

  private mutating func open(_ path: String) throws {
    if options.isReadOnly {
      let (reader, read) = try StoreReader.open(
        path, history: options.history, key: options.key, on: options.fileSystem)
      self.reader = reader
      stored = StoredState(graph: read.graph, schemaVersion: read.userVersion, isNew: false)
      (earlier, beforeSnapshot) = (read.earlier, read.beforeSnapshot)
      return
    }
    try prepare(path)
    let (file, read) = try StoreFile.open(
      path, seed: options.seed.map { Self.seed($0, key: options.key) }, fileMode: options.fileMode,
      history: options.history, key: options.key, sharingWithin: options.patience, inTurn: isWriting,
      on: options.fileSystem,
      reporting: { Logger.log(.error, "\($0)") })
    self.file = file
    (earlier, beforeSnapshot) = (read.earlier, read.beforeSnapshot)
    if let cutOff = read.cutOff {
      Logger.shared.log(.warn, "The realm \(path) was not closed. \(cutOff.description)")
    }
    stored = StoredState(graph: read.graph, schemaVersion: read.userVersion, isNew: read.version == 0)
    stored.excludeOthers = { try file.excludeOthers(for: $0) }
    if let shouldCompact = options.shouldCompact, file.wasAlone {
      let sizes = file.sizes
      if shouldCompact(sizes.snapshot + sizes.journal, sizes.snapshot) {
        try file.checkpoint(read.graph, version: read.graph.version, userVersion: read.userVersion, earlier: earlier)
        Store.warn(ofLossIn: file)
      }
    }
  }

  /// Returns a function that reads the seed store, its journal included. It is plain, or has the key of the new store.
  /// Its documents stay with it.
  private static func seed(_ url: URL, key: FileKey?) -> StoreFile.Seed {
    { () throws(StoreError) in
      var seed = try read(url.standardizedFileURL.path, key: key)
      seed.graph = seed.graph.withoutDocuments
      return seed
    }
  }

  private static func read(_ seed: String, key: FileKey?) throws(StoreError) -> StoredVersion {
    do throws(StoreError) { return try StoreFile.read(seed) } catch {
      guard error.code == .wrongKey, let key else { throw error }
      return try StoreFile.read(seed, key: key)
    }
  }

  /// Checks that the seed exists, and creates the missing parent folders of the file.
  private func prepare(_ path: String) throws {
    guard options.fileSystem is RealFileSystem else { return }
    if let seed = options.seed, !FileManager.default.fileExists(atPath: path) { try Self.checkSeed(seed) }
    try Self.makeFolders(to: URL(fileURLWithPath: path))
  }

  /// Creates the missing parent folders of a file durably: a lost folder would take durable commits with it.
  private static func makeFolders(to file: URL) throws {
    var missing: [URL] = []
    var folder = file.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.pathComponents.count > 1 {
      missing.append(folder)
      folder.deleteLastPathComponent()
    }
    for folder in missing.reversed() {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try RealFileSystem().synchronizeFolder(folder.deletingLastPathComponent().path)
      } catch {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let isDenied = (error as? CocoaError)?.code == .fileWriteNoPermission
        throw SessionError(
          isDenied ? .filePermissionDenied : .fileOperationFailed,
          "The folder \(folder.path), which is to hold the realm's file, could not be made: "
            + "\(cause?.localizedDescription ?? "\(error)"). "
            + "Name a file where the application may write.", file: file)
      }
    }
  }

  /// Appends the changes up to `next` to the file, together with the application's schema version.
  ///
  /// - Parameter time: The time of the commit; nil for now.
  func commit(_ next: Graph, at time: UInt64?) throws {
    guard let file else { return }
    // Other processes have bound their classes to the tables. Only new ones may come while they have the file open.
    if stored.schemaVersion != options.schemaVersion || !next.schema.keepsTables(of: stored.graph.schema) {
      try file.excludeOthers(for: "A change of the schema")
    }
    try file.commit(
      Delta(from: stored.graph, to: next), version: next.version, userVersion: options.schemaVersion, time: time,
      contents: next)
  }
}
