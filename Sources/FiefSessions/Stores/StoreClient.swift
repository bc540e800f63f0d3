import FiefDurability
import FiefGraph
import Foundation

/// The floor above, as a store and its sessions know it: the classes for which the store keeps rows.
package protocol StoreClient: AnyObject, Sendable {
  /// Returns an error of this floor or of one below in the words of the application. Errors of other origin are
  /// returned unchanged.
  func explain(_ error: any Error) -> any Error
}

/// The contents of a store's files, as they are when the store is opened.
package struct StoredState: Sendable {
  /// The latest version; empty when the store is new.
  package let graph: Graph
  /// The number that the application gave to the schema.
  package let schemaVersion: UInt64
  /// Whether nothing was ever stored.
  package let isNew: Bool
  /// Throws unless no other process has the files open. What it receives needs that, as the subject of a sentence.
  package var excludeOthers: @Sendable (String) throws -> Void = { _ in }

  /// The contents of files that were read without a store.
  package init(graph: Graph, schemaVersion: UInt64, isNew: Bool) {
    self.graph = graph
    self.schemaVersion = schemaVersion
    self.isNew = isNew
  }
}

/// The client that a store is opened for, and the version with which the store begins.
package struct PreparedStore: Sendable {
  package let client: any StoreClient
  /// The first version; nil for the stored one. A store that is written to commits it.
  let changed: Graph?
  /// The tables that the client is bound to.
  let tables: [TableSchema]

  package init(_ client: any StoreClient, changed: Graph?, tables: [TableSchema] = []) {
    self.client = client
    self.changed = changed
    self.tables = tables
  }
}

/// How a store is opened.
package struct StoreOptions: Sendable {
  package var isReadOnly = false
  /// The number that the application gives to its schema.
  package var schemaVersion: UInt64 = 0
  /// The file whose contents a new store begins with.
  package var seed: URL?
  /// The permissions of new files; nil for the default.
  package var fileMode: UInt16?
  /// The key of the files; nil for plain ones.
  package var key: FileKey?
  /// How long this process waits for others that have the files open, in milliseconds; nil for files that it opens
  /// alone.
  package var patience: Int?
  /// Whether a commit returns only when it survives a power failure.
  package var waitsForDisk = true
  /// The maximum number of versions in use; nil for no limit.
  package var versionLimit: UInt?
  /// Whether a query over many rows may use all processors.
  package var parallelQueries = true
  /// How many earlier versions are kept; nil for none.
  package var history: HistoryLimits?
  /// Decides whether the file is compacted first, by its size in bytes and the size of its snapshot.
  package var shouldCompact: (@Sendable (Int, Int) -> Bool)?
  /// The disk. Tests replace it by a simulated one.
  package var fileSystem: any FileSystem = RealFileSystem()

  package init() {}
}

/// How a session was opened, shared by the sessions of one opening.
package protocol SessionOptions: AnyObject, Sendable {
  var isReadOnly: Bool { get }
  /// The way of the documents that the sessions send.
  var outbox: OutboxLine { get }
}
