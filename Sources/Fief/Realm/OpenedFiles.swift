import FiefDurability
import FiefGraph
import Foundation

/// A store's files at the moment of opening, and what they hold; an empty graph when there are none.
struct OpenedFiles {
  /// What commits are appended to; nil in memory and when the file can only be read.
  private(set) var file: StoreFile?
  private var graph = Graph.empty
  private var userVersion: UInt64 = 0
  private var isNew = true
  private var isFile = false
  private var url: URL?

  /// Nothing: a store in memory.
  init() {}

  /// Opens the file at a path as the configuration asks.
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

  /// Reads the store that a new one begins as, with whatever its journal has.
  private static func seed(_ url: URL) -> StoreFile.Seed {
    { () throws(StoreError) in try StoreFile.read(url.standardizedFileURL.path) }
  }

  /// Looks for the seed, and makes the folders that are missing on the way to the file.
  private static func prepare(_ path: String, _ configuration: Realm.Configuration) throws {
    let files = FileManager.default
    if let seed = configuration.seedFilePath, !files.fileExists(atPath: path) {
      guard files.fileExists(atPath: seed.path) else {
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: seed.path])
      }
    }
    try makeFolders(to: URL(fileURLWithPath: path), configuration)
  }

  /// Makes the folder of a file with all that lead to it, lastingly: what a commit promises goes with them if they go.
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

  /// Brings the schema of what is stored into the form that the classes ask for, and stores that.
  ///
  /// - Returns: the version to begin with.
  /// - Throws: `.fail` for a schema version that is too low, or another than a read-only file's; `.schemaMismatch`
  ///   (`.fail` of a read-only file) for what only a migration can settle. The files are as they were then.
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
    // Classes and indexes that a read-only file lacks are added to what is seen of it.
    if configuration.readOnly { return transaction.graph }
    let next = transaction.successor
    try commit(next, configuration)
    return next
  }

  /// Appends the way to a version to the file, together with the configuration's schema version.
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

  /// What is said of a file that only a migration could bring into the form of the classes: each difference, and what
  /// to do.
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

  /// A transaction in which no class is left.
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
  /// The error that stands for one of a store's files.
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
