import FiefGraph
import FiefObjects
import FiefSessions
import Foundation

/// Brings the stored schema of a store to that of a configuration's classes.
struct SchemaBringing {
  let stored: StoredState
  let selection: ModelSelection
  let isReadOnly: Bool
  let schemaVersion: UInt64
  /// Whether stored objects give way to a schema that they do not fit.
  let isReset: Bool
  let block: MigrationBlock?
  let observer: MigrationObserver?
  /// Those of the sessions of the realm that is being opened.
  let options: any SessionOptions
  /// The file, for errors.
  let url: URL?
  /// Notes what a rehearsal reports; nil for a migration that counts.
  var trace: MigrationTrace?

  /// Returns the version to start with; nil for the stored one.
  ///
  /// - Throws: `.fail` for a schema version that is too low, or that differs from a read-only file's version;
  ///   `.schemaMismatch` for differences that only a migration can resolve (`.fail` for a read-only file); the errors
  ///   of a migration.
  func run() throws -> Graph? { try bring()?.graph }

  /// Does what `run` does, and also returns what a migration has embedded.
  func bring() throws -> Migrated? {
    if stored.isNew { return Migrated(graph: try selection.freshGraph()) }
    if !isReset || schemaVersion == stored.schemaVersion { try checkVersion() }
    if schemaVersion != stored.schemaVersion { try excludeOthers() }
    if schemaVersion > stored.schemaVersion && !isReset { return try migrate() }
    var transaction = Transaction(stored.graph)
    var layout = SchemaLayout(selection.declarations, over: stored.graph, isReadOnly ? .reading : .sameVersion)
    if isReset && (!layout.differences.isEmpty || stored.schemaVersion != schemaVersion) {
      transaction = try Self.emptied(stored.graph)
      layout = SchemaLayout(selection.declarations, over: transaction.graph, .sameVersion)
    } else if !layout.differences.isEmpty {
      throw refusal(of: layout)
    } else if layout.isEmpty && stored.schemaVersion == schemaVersion {
      return nil
    }
    try Realm.Error.translating { try layout.apply(to: transaction) }
    // For a read-only file, missing classes and indexes are added in memory only.
    return Migrated(graph: isReadOnly ? transaction.graph : transaction.successor)
  }

  /// Throws if another process has the file open: it has bound its classes to the tables that would change.
  private func excludeOthers() throws {
    if isReadOnly { return }
    try Realm.Error.translating {
      try stored.excludeOthers("A migration from version \(stored.schemaVersion) to \(schemaVersion)")
    }
  }

  private func checkVersion() throws {
    let (asked, userVersion) = (schemaVersion, stored.schemaVersion)
    if asked < userVersion {
      throw Realm.Error(
        .fail,
        "Provided schema version \(asked) is less than last set version \(userVersion): a newer version "
          + "of the application wrote the file; set schemaVersion to \(userVersion) or higher.", file: url)
    }
    if isReadOnly && asked != userVersion {
      throw Realm.Error(
        .fail,
        "Provided schema version \(asked) is not \(userVersion), which the read-only file has: set schemaVersion to "
          + "\(userVersion), or open the file for writing once.", file: url)
    }
  }

  /// Returns the error for a file whose schema needs a migration: all differences, and what to do about them.
  private func refusal(of layout: SchemaLayout) -> Realm.Error {
    var lines = ["Migration is required due to the following errors:"] + layout.differences.map { "- \($0.sentence)" }
    if isReadOnly {
      lines.append("The realm is read-only: open it for writing once, or declare its classes as they are stored.")
    } else {
      lines.append(
        "The schema is changed when schemaVersion is raised: the file has \(stored.schemaVersion), so set it to "
          + "\(stored.schemaVersion + 1). Properties that are new, or hold another type, begin with zero or null: a "
          + "migrationBlock can set them from the old values.")
      lines.append("Or set deleteRealmIfMigrationNeeded to begin with an empty file.")
    }
    return Realm.Error(isReadOnly ? .fail : .schemaMismatch, lines.joined(separator: "\n"), file: url)
  }

  /// Returns a transaction that has removed all classes. Documents that wait for their delivery stay.
  private static func emptied(_ graph: Graph) throws -> Transaction {
    let transaction = Transaction(graph)
    let tables = graph.allTables.map(\.schema).filter { !$0.key.isNested && !$0.isInternal }.map(\.key)
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
