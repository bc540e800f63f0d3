import FiefObjects
import FiefSessions
import Foundation

/// The configuration that the sessions of one opening share. A frozen session then costs one reference instead of a
/// copy of some fifteen fields.
package final class SharedConfiguration: SessionOptions {
  /// The configuration, without its reference to the store.
  package let value: Realm.Configuration

  package init(_ configuration: Realm.Configuration) { value = configuration.withoutStore }

  package var isReadOnly: Bool { value.readOnly }
  package var outbox: OutboxLine { value.outboxLine }
}

extension Session {
  /// The configuration that the session was opened with. Every session of this module was opened with one.
  var configuration: Realm.Configuration { unsafe unsafeDowncast(options, to: SharedConfiguration.self).value }
}

extension Realm.Configuration {
  /// The classes, or the schema that was made at run time.
  ///
  /// - Throws: `.fail` with all problems, one per line.
  func selection() throws -> ModelSelection {
    if let dynamicSchema { return try ModelSelection(dynamicSchema) }
    return try objectTypes.map(ModelSelection.named) ?? ModelSelection.ofProgram()
  }

  /// The way of the documents that realms of this configuration create.
  var outboxLine: OutboxLine { OutboxLine(name: outboxName, limit: outboxLimit, handler: ingest?.outbox) }
}

extension StoreOptions {
  init(_ configuration: Realm.Configuration) throws {
    self.init()
    key = try configuration.fileKey()
    isReadOnly = configuration.readOnly
    schemaVersion = configuration.schemaVersion
    seed = configuration.seedFilePath
    fileMode = configuration.fileMode
    patience = configuration.isExclusive ? nil : configuration.patience
    waitsForDisk = configuration.durability == .full
    versionLimit = configuration.maximumNumberOfActiveVersions.flatMap { $0 == 0 ? nil : $0 }
    parallelQueries = configuration.parallelQueries
    fileSystem = configuration.fileSystem
    history = configuration.history.limits
    shouldCompact = configuration.shouldCompactOnLaunch
  }
}

extension SchemaBringing {
  /// - Parameter url: the file, if it is not the configuration's.
  init(_ stored: StoredState, to selection: ModelSelection, _ configuration: Realm.Configuration, url: URL? = nil) {
    self.init(
      stored: stored, selection: selection, isReadOnly: configuration.readOnly,
      schemaVersion: configuration.schemaVersion, isReset: configuration.deleteRealmIfMigrationNeeded,
      block: configuration.migrationBlock, observer: configuration.migrationProgress,
      options: SharedConfiguration(configuration), url: url ?? configuration.fileURL)
  }

  /// For the contents of another file, whose objects stay, and which no block changes.
  init(importing stored: StoredState, from url: URL, _ configuration: Realm.Configuration) throws {
    self.init(
      stored: stored, selection: try configuration.selection(), isReadOnly: false,
      schemaVersion: configuration.schemaVersion, isReset: false, block: nil, observer: nil,
      options: SharedConfiguration(configuration), url: url)
  }
}

/// The application's handler for documents. A copy of a configuration shares its handler.
final class IngestHandler: Sendable {
  let call: @Sendable ([IngestDocument]) async throws -> Void
  /// The handler, as a store's outbox calls it.
  let outbox: OutboxHandler

  init(_ call: @escaping @Sendable ([IngestDocument]) async throws -> Void) {
    self.call = call
    outbox = OutboxHandler { messages in try await call(try messages.map(IngestDocument.init)) }
  }
}
