public import FiefDurability
import FiefGraph
import FiefObjects
import FiefSessions
import Foundation

extension Realm {
  /// Writes the current state of the realm to a new, independent file. The uncommitted changes of a write are included.
  /// The file gets the `fileMode` of the realm's configuration. Documents of asymmetric objects that wait for their
  /// delivery are not copied: they are delivered from this realm. Earlier versions are not copied either.
  ///
  ///     try realm.writeCopy(toFile: folder.appendingPathComponent("copy.realm"))
  ///
  /// - Parameters:
  ///   - fileURL: the new file. It must not exist, and its folder must exist.
  ///   - encryptionKey: refused, as files are not encrypted.
  /// - Throws: `.fileExists`, also for the file of this realm; `.fileAccess` for a name that another realm needs (see
  ///   `Configuration.fileURL`); `.fileNotFound`, `.fileOperationFailed` or `.outOfDiskSpace`; `.alreadyOpen` while
  ///   another copy is written to the file; `.fail` for a key, an invalid `fileMode`, or a URL that is not one of a
  ///   file. No file is left then.
  /// - Complexity: linear in the contents of the realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey, fileMode: configuration.fileMode)
  }

  private func writeCopy(toFile fileURL: URL, encryptionKey: Data?, fileMode: UInt16?) throws {
    if encryptionKey != nil { throw RealmOpening.encryptionRefused }
    try RealmOpening.checkMode(fileMode)
    session.checkConfinement()
    let graph = session.snapshot.withoutDocuments
    let path = try RealmOpening.path(fileURL)
    try Realm.Error.translating {
      try StoreFile.writeCopy(
        of: graph, version: graph.version, userVersion: session.store.options.schemaVersion, to: path,
        fileMode: fileMode)
    }
  }

  /// Writes the current state of the realm to the file of a configuration, like `writeCopy(toFile:encryptionKey:)`. The
  /// file gets the `fileMode` of that configuration, or of this realm's if that is nil.
  ///
  ///     var copy = Realm.Configuration(fileURL: folder.appendingPathComponent("copy.realm"))
  ///     copy.fileMode = 0o600
  ///     try realm.writeCopy(configuration: copy)
  ///
  /// - Parameter configuration: the configuration with the new file. Only its `fileURL`, `fileMode` and `encryptionKey`
  ///   count, and a key is refused.
  /// - Throws: `.fail` when the configuration has no file, and the errors of `writeCopy(toFile:encryptionKey:)`.
  /// - Complexity: linear in the contents of the realm.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throw Realm.Error(.fail, "A realm can only be copied to a configuration with a fileURL.")
    }
    try writeCopy(
      toFile: url, encryptionKey: configuration.encryptionKey,
      fileMode: configuration.fileMode ?? self.configuration.fileMode)
  }

  /// Whether the file of a configuration exists. False for an in-memory realm.
  ///
  ///     if !Realm.fileExists(for: configuration) { print("This is the first start.") }
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard let url = configuration.fileURL, RealmOpening.isFile(url) else { return false }
    return FileManager.default.fileExists(atPath: url.path)
  }

  /// Deletes the files of a configuration's realm. The lock file stays, and so do files of others under the names of
  /// the realm's files, and the history of another realm.
  ///
  ///     let wasThere = try Realm.deleteFiles(for: configuration)
  ///
  /// - Parameter configuration: the configuration with the file. Nothing is deleted for an in-memory realm.
  /// - Returns: whether a file was deleted.
  /// - Throws: `.alreadyOpen` when the realm is open in this or another process; `.invalidDatabase` and similar errors
  ///   for a file, or a journal beside it, that is not the realm's, and then nothing is deleted; errors of the system.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard let url = configuration.fileURL else { return false }
    _ = try RealmOpening.path(url)
    let identity = RealmOpening.identity(ofFile: url)
    guard case .file(let path) = identity else { return false }
    return try Realm.Error.translating { try StoreRegistry.whileClosed(identity) { try StoreFile.delete(path) } }
  }

  /// Writes a snapshot of the latest version and starts an empty journal. Opening is faster and the files are smaller
  /// afterwards. If the realm keeps versions (`Configuration.history`), it also writes them to the history file, and
  /// drops those beyond the limits from it. The store does this automatically when the journal has grown. Other realms
  /// may read and write meanwhile.
  ///
  ///     try realm.compact()
  ///
  /// Does nothing for an in-memory or a read-only realm.
  ///
  /// - Throws: errors of the system; no commit is lost.
  /// - Complexity: linear in the contents of the realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func compact() throws {
    session.checkConfinement()
    try session.store.compact()
  }

  /// Reads every byte of a realm's files and checks them against their checksums, and checks the objects and links in
  /// them. It opens the files only for reading and takes no lock.
  ///
  ///     let report = try Realm.verify(fileURL: url)
  ///     if !report.isSound { print(report.problems, report.doubts) }
  ///
  /// - Parameter fileURL: the realm's file, which may be open.
  /// - Returns: any damage that was found, and the contents of the files.
  /// - Throws: `.fileNotFound`; `.invalidDatabase` and similar errors for a file that is not a realm; other errors of
  ///   the system. Damage is reported in the result, not thrown.
  /// - Complexity: linear in the files, and O(n log n) in the objects.
  public static func verify(fileURL: URL) throws -> StoreReport {
    let path = try RealmOpening.path(fileURL)
    return try Realm.Error.translating { try StoreFile.verify(path) }
  }

  /// Copies the readable parts of damaged files into a new file, and reports the losses. Earlier versions are not
  /// copied.
  ///
  ///     let report = try Realm.recover(from: damaged, to: fresh)
  ///     if !report.isComplete { print(report.losses) }
  ///
  /// - Parameters:
  ///   - damaged: the realm's file, which is not changed.
  ///   - fresh: the new file, which must not exist.
  /// - Returns: the contents of the new file, and the losses.
  /// - Throws: `.fileExists`; `.fileNotFound`; `.damaged` when nothing can be recovered; `.invalidDatabase` and similar
  ///   errors when the files are not a realm; other errors of the system.
  /// - Complexity: linear in the files.
  public static func recover(from damaged: URL, to fresh: URL) throws -> RecoveryReport {
    let (source, target) = (try RealmOpening.path(damaged), try RealmOpening.path(fresh))
    return try Realm.Error.translating { try StoreFile.recover(from: source, to: target) }
  }
}

/// Returns the schema version with which a file was last written.
///
///     let version = try schemaVersionAtURL(url)
///
/// - Parameters:
///   - fileURL: the realm's file, which may be open.
///   - encryptionKey: refused, as files are not encrypted.
/// - Throws: `.fileNotFound`; `.invalidDatabase` for a file that is not a realm; `.damaged` for a damaged one; `.fail`
///   for a key; other errors of the system.
/// - Complexity: linear in the files.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  if encryptionKey != nil { throw RealmOpening.encryptionRefused }
  let path = try RealmOpening.path(fileURL)
  return try Realm.Error.translating { try StoreFile.info(path).userVersion }
}
