import FiefDurability
import FiefGraph
import FiefObjects
import FiefRealmFiles
import FiefSessions
import Foundation

/// Imports files of Realm, into new files or in place.
enum RealmFileImport {
  /// The version of a store that begins with imported objects.
  private static let firstVersion: UInt64 = 1

  /// Copies the objects of the file at `source` into a new file.
  static func run(
    from source: String, to destination: String, _ configuration: Realm.Configuration,
    _ progress: (Double) throws -> Void
  ) throws -> ImportReport {
    let clock = ContinuousClock()
    let start = clock.now
    let system = PatientFileSystem(system: configuration.fileSystem)
    let file = try OriginalFile(source, on: system).read(progress)
    try check(file, configuration, path: source)
    // With the schema of the file: the first opening brings it to that of the classes.
    try Realm.Error.translating {
      try StoreFile.writeCopy(
        of: file.graph.numbered(firstVersion), version: firstVersion, userVersion: file.schemaVersion, to: destination,
        fileMode: configuration.fileMode, key: try configuration.fileKey(), on: system)
    }
    return ImportReport(file, clock.now - start)
  }

  /// Replaces a file of Realm by a store with its objects, at the first opening. Does nothing for any other file.
  ///
  ///     1  look at the names beside it         nothing may be where the store's files belong, but for Realm's lock
  ///     2  read and check the file             dogs.realm is Realm's
  ///     3  give it a second name               dogs.realm.original leads to it, too
  ///     4  write a whole store                 under a random name
  ///     5  rename the store to dogs.realm      atomic: the name leads to the old file or to the new one
  ///
  /// Each step is durable before the next. After a crash the next opening begins again at 1, or finds the store. The
  /// lock file of Realm stays: the opening takes it over.
  static func runInPlace(_ path: String, _ configuration: Realm.Configuration) throws {
    let system = PatientFileSystem(system: configuration.fileSystem)
    guard case .plain(let format) = OriginalFile.kind(ofFile: path, on: system) else { return }
    let url = URL(fileURLWithPath: path)
    if let refusal = RealmFile.refusal(ofFormat: format) { throw Realm.Error(refusal, file: url) }
    if configuration.readOnly {
      throw Realm.Error(
        .fail, "The file \(path) is a file of Realm, and a read-only realm cannot import it: open it for writing once.",
        file: url)
    }
    let original = try OriginalFile(path, on: system)
    // Another process may have imported it before it was locked here.
    guard original.hasItsName else { return }
    try Realm.Error.translating { try StoreFile.checkReplacing(path, on: system) }
    let clock = ContinuousClock()
    let start = clock.now
    let file = try original.read { _ in }
    try check(file, configuration, path: path)
    let kept = try original.keep()
    try original.replace(
      by: file.graph.numbered(firstVersion), version: firstVersion, userVersion: file.schemaVersion,
      fileMode: configuration.fileMode ?? mode(of: path), key: try configuration.fileKey())
    let report = ImportReport(file, clock.now - start)
    Logger.log(.info, "Imported the file of Realm \(path), which is now \(kept): \(report.description)")
  }

  /// The error for a file of Realm that was opened; nil for other files.
  static func refusal(_ error: any Error, _ identity: Store.Identity, on system: any FileSystem) -> Realm.Error? {
    guard let code = (error as? StoreError)?.code, code == .invalidDatabase || code == .fileExists,
      case .file(let path) = identity, let kind = OriginalFile.kind(ofFile: path, on: system)
    else { return nil }
    guard case .plain(let format) = kind else {
      return Realm.Error(
        .invalidDatabase,
        "The file \(path) looks like an encrypted file of Realm. Encrypted files are neither opened nor imported: "
          + "write an unencrypted copy with the original library (writeCopy without a key), and import the copy. It "
          + "was not changed.", file: URL(fileURLWithPath: path))
    }
    if let refusal = RealmFile.refusal(ofFormat: format) {
      return Realm.Error(refusal, file: URL(fileURLWithPath: path))
    }
    return Realm.Error(
      .invalidDatabase,
      "The file \(path) is a file of Realm (file format \(format)). Import it: Realm.importRealmFile(from:to:) copies "
        + "its objects into a new file, and with Configuration.importsRealmFiles = true the first opening imports it "
        + "in place. It was not changed.", file: URL(fileURLWithPath: path))
  }

  /// Compares the classes of the file with those of the configuration, as opening does. A migration's block runs at the
  /// first opening alone, so what it makes of the file is not known here.
  ///
  /// - Throws: `.schemaMismatch` with all differences, when the schema version is that of the file; `.fail` for a
  ///   schema version below the file's; the errors of a migration without a block.
  private static func check(_ file: RealmFile, _ configuration: Realm.Configuration, path: String) throws {
    if configuration.schemaVersion > file.schemaVersion && configuration.migrationBlock != nil { return }
    let stored = StoredState(graph: file.graph, schemaVersion: file.schemaVersion, isNew: false)
    _ = try SchemaBringing(importing: stored, from: URL(fileURLWithPath: path), configuration).run()
  }

  private static func mode(of path: String) -> UInt16? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.uint16Value else { return nil }
    return mode & 0o777 | 0o600
  }
}
