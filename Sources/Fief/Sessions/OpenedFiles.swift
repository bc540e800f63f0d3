import FiefDurability
import FiefGraph
import Foundation

/// The files of a store while it is opened, and the graph that they contain. The graph is empty when there are no
/// files.
struct OpenedFiles {
  /// The file to which commits are appended; nil in memory and for a read-only realm.
  private(set) var file: StoreFile?
  private var graph = Graph.empty
  private var userVersion: UInt64 = 0
  private var isNew = true
  private var isFile = false
  private var url: URL?

  /// No files: a store in memory.
  init() {}

  /// Opens the file at a path according to the configuration.
  init(_ path: String, _ configuration: Realm.Configuration) throws {
    isFile = true
    url = configuration.fileURL
    do {
      if configuration.readOnly {
        let stored = try StoreFile.read(path)
        (graph, userVersion, isNew) = (stored.graph, stored.userVersion, false)
        return
      }
      try Self.prepare(path, configuration)
      let (file, stored) = try StoreFile.open(
        path, seed: configuration.seedFilePath.map(Self.seed), fileMode: configuration.fileMode)
      self.file = file
      if let cutOff = stored.cutOff {
        Logger.shared.log(.warn, "The realm \(path) was not closed. \(cutOff.description)")
      }
      (graph, userVersion) = (stored.graph, stored.userVersion)
      isNew = stored.version == 0
      if let shouldCompact = configuration.shouldCompactOnLaunch {
        let sizes = file.sizes
        if shouldCompact(sizes.snapshot + sizes.journal, sizes.snapshot) {
          try file.checkpoint(graph, version: graph.version, userVersion: userVersion)
        }
      }
    } catch let error as StoreError {
      throw Realm.Error(error)
    }
  }

  /// Returns a function that reads the seed store, its journal included.
  private static func seed(_ url: URL) -> StoreFile.Seed {
    { () throws(StoreError) in try StoreFile.read(url.standardizedFileURL.path) }
  }

  /// Checks that the seed exists, and creates the missing parent folders of the file.
  private static func prepare(_ path: String, _ configuration: Realm.Configuration) throws {
    let files = FileManager.default
    if let seed = configuration.seedFilePath, !files.fileExists(atPath: path) {
      guard files.fileExists(atPath: seed.path) else {
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: seed.path])
      }
    }
    try makeFolders(to: URL(fileURLWithPath: path), configuration)
  }

  /// Creates the missing parent folders of a file durably: a lost folder would take durable commits with it.
  private static func makeFolders(to file: URL, _ configuration: Realm.Configuration) throws {
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
        let isDenied = (error as? CocoaError)?.code == .fileWriteNoPermission
        throw Realm.Error(
          isDenied ? .filePermissionDenied : .fileOperationFailed,
          "The folder \(folder.path), which is to hold the realm's file, could not be made: \(error). "
            + "Name a file where the application may write.", file: configuration.fileURL)
      }
    }
  }

  /// Changes the stored schema to that of the classes, and commits the change.
  ///
  /// - Returns: the version to start with.
  /// - Throws: `.fail` for a schema version that is too low, or that differs from a read-only file's version;
  ///   `.schemaMismatch` for differences that only a migration can resolve (`.fail` for a read-only file). The files
  ///   are unchanged then.
  func bring(_ selection: ModelSelection, _ configuration: Realm.Configuration) throws -> Graph {
    if isNew {
      let fresh = try selection.freshGraph()
      try commit(fresh, configuration)
      return fresh
    }
    let isReset = configuration.deleteRealmIfMigrationNeeded
    if !isReset || configuration.schemaVersion == userVersion { try checkVersion(configuration) }
    let isRaised = configuration.schemaVersion > userVersion
    var transaction = Transaction(graph)
    var layout = SchemaLayout(
      selection.models, over: graph, configuration.readOnly ? .reading : isRaised ? .raisedVersion : .sameVersion)
    if isReset && (!layout.differences.isEmpty || userVersion != configuration.schemaVersion) {
      transaction = try Self.emptied(graph)
      layout = SchemaLayout(selection.models, over: transaction.graph, .sameVersion)
    } else if !layout.differences.isEmpty {
      throw refusal(of: layout, configuration)
    } else if layout.isEmpty && userVersion == configuration.schemaVersion {
      return graph
    }
    do {
      try layout.apply(to: transaction)
    } catch {
      throw Realm.Error.describing(error)
    }
    // For a read-only file, missing classes and indexes are added in memory only.
    if configuration.readOnly { return transaction.graph }
    let next = transaction.successor
    try commit(next, configuration)
    return next
  }

  /// Appends the changes up to `next` to the file, together with the configuration's schema version.
  private func commit(_ next: Graph, _ configuration: Realm.Configuration) throws {
    guard let file else { return }
    do {
      try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: configuration.schemaVersion)
    } catch {
      throw Realm.Error(error)
    }
  }

  private func checkVersion(_ configuration: Realm.Configuration) throws {
    let asked = configuration.schemaVersion
    if asked < userVersion {
      throw Realm.Error(
        .fail,
        "Provided schema version \(asked) is less than last set version \(userVersion): a newer version "
          + "of the application wrote the file; set schemaVersion to \(userVersion) or higher.", file: url)
    }
    if configuration.readOnly && asked != userVersion {
      throw Realm.Error(
        .fail,
        "Provided schema version \(asked) is not \(userVersion), which the read-only file has: set schemaVersion to "
          + "\(userVersion), or open the file for writing once.", file: url)
    }
  }

  /// Returns the error for a file whose schema needs a migration: all differences, and what to do about them.
  private func refusal(of layout: SchemaLayout, _ configuration: Realm.Configuration) -> Realm.Error {
    var lines = ["Migration is required due to the following errors:"] + layout.differences.map { "- \($0)" }
    if configuration.readOnly {
      lines.append("The realm is read-only: open it for writing once, or declare its classes as they are stored.")
    } else {
      if layout.hasPropertyDifferences {
        lines.append(
          "Properties are added and removed when schemaVersion is raised: the file has \(userVersion), so set it to "
            + "\(userVersion + 1).")
      }
      if layout.hasOtherDifferences {
        lines.append(
          "What was changed is not settled by raising schemaVersion: declare it as it is stored, and what is new under "
            + "another name."
        )
      }
      lines.append("Or set deleteRealmIfMigrationNeeded to begin with an empty file.")
    }
    return Realm.Error(
      configuration.readOnly ? .fail : .schemaMismatch, lines.joined(separator: "\n"), file: url)
  }

  /// Returns a transaction that has removed all classes.
  private static func emptied(_ graph: Graph) throws -> Transaction {
    let transaction = Transaction(graph)
    let tables = graph.allTables.map(\.schema.key).filter { !$0.isNested }
    try transaction.clear(tables)
    for table in tables {
      for column in transaction.read({ $0[table]?.schema.columns ?? [] }) {
        try transaction.removeColumn(column.key, of: table)
      }
    }
    for table in tables { try transaction.removeTable(table) }
    return transaction
  }
}

extension Realm.Error {
  /// Converts an error of the store's files.
  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .fileNotFound: .fileNotFound
      case .filePermissionDenied: .filePermissionDenied
      case .fileExists: .fileExists
      case .fileAccess: .fileAccess
      case .outOfDiskSpace: .outOfDiskSpace
      case .invalidDatabase: .invalidDatabase
      case .unsupportedFileFormatVersion: .unsupportedFileFormatVersion
      case .alreadyOpen: .alreadyOpen
      case .damaged: .damaged
      case .storeIsReadOnly, .closed: .storeIsReadOnly
      case .commitOutcomeUnknown: .commitOutcomeUnknown
      case .fileOperationFailed: .fileOperationFailed
      }
    self.init(code, error.message, file: error.file.map { URL(fileURLWithPath: $0) })
  }
}
