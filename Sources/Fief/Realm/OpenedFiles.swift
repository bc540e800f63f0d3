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
      let (file, stored) = try StoreFile.open(path)
      self.file = file
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

  /// Copies the seed, and makes the default folder.
  private static func prepare(_ path: String, _ configuration: Realm.Configuration) throws {
    let files = FileManager.default
    if configuration.fileURL == Realm.Configuration.defaultFileURL {
      try files.createDirectory(at: DefaultLocation.folder, withIntermediateDirectories: true)
    }
    if let seed = configuration.seedFilePath, !files.fileExists(atPath: path) {
      guard files.fileExists(atPath: seed.path) else {
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: seed.path])
      }
      // The seed is read as a store, with whatever its journal has, and copied as one file.
      let stored = try StoreFile.read(seed.standardizedFileURL.path)
      try StoreFile.writeCopy(of: stored.graph, version: stored.version, userVersion: stored.userVersion, to: path)
    }
  }

  /// Brings the schema of what is stored into the form that the classes ask for, and stores that.
  ///
  /// - Returns: the version to begin with.
  mutating func bring(_ models: [ModelClass], _ configuration: Realm.Configuration) throws -> Graph {
    if !isNew && configuration.schemaVersion < userVersion {
      throw Realm.Error(
        .fail,
        "Provided schema version \(configuration.schemaVersion) is less than last set version \(userVersion).",
        file: url)
    }
    var transaction = Transaction(graph)
    var layout = SchemaLayout(models)
    var isChanged = try layout.apply(to: transaction)
    let needsMigration = !layout.differences.isEmpty
    if configuration.deleteRealmIfMigrationNeeded && !isNew
      && (needsMigration || userVersion != configuration.schemaVersion)
    {
      transaction = try Self.emptied(graph)
      layout = SchemaLayout(models)
      isChanged = try layout.apply(to: transaction) || true
    } else if needsMigration {
      throw Realm.Error(
        configuration.readOnly ? .fail : .schemaMismatch,
        "Migration is required due to the following errors:\n"
          + layout.differences.map { "- \($0)" }.joined(separator: "\n"), file: url)
    }
    if configuration.readOnly {
      guard !isChanged else {
        throw Realm.Error(
          .fail,
          "The read-only realm lacks classes or indexes of the schema: open it for writing once, or narrow objectTypes.",
          file: url)
      }
      return graph
    }
    guard isChanged || userVersion != configuration.schemaVersion else { return graph }
    let next = transaction.successor
    if let file {
      do {
        try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: configuration.schemaVersion)
      } catch {
        throw Realm.Error(error)
      }
    }
    return next
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
