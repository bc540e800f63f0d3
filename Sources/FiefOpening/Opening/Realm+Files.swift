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
  ///   - encryptionKey: the key of the new file, as `Configuration.encryptionKey`; nil for a plain file, also if this
  ///     realm is encrypted.
  /// - Throws: `.fileExists`, also for the file of this realm; `.fileAccess` for a name that another realm needs (see
  ///   `Configuration.fileURL`); `.fileNotFound`, `.fileOperationFailed` or `.outOfDiskSpace`; `.alreadyOpen` while
  ///   another copy is written to the file; `.fail` for a key that cannot be used, an invalid `fileMode`, or a URL that
  ///   is not one of a file. No file is left then.
  /// - Complexity: linear in the contents of the realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(
      toFile: fileURL, key: try Realm.fileKey(encryptionKey, nil), fileMode: configuration.fileMode)
  }

  /// Writes the current state of the realm to a new file with a key of its own, like
  /// `writeCopy(toFile:encryptionKey:)`. This encrypts a realm, decrypts it, or changes its key. The copy is another
  /// store: the files of the realm stay as they are until the application removes them.
  ///
  ///     try realm.writeCopy(toFile: folder.appendingPathComponent("copy.realm"), cipher: newCipher)
  ///
  /// - Parameters:
  ///   - fileURL: the new file. It must not exist, and its folder must exist.
  ///   - cipher: the cipher of the new file; nil for a plain one.
  /// - Throws: the errors of `writeCopy(toFile:encryptionKey:)`; `.fileOperationFailed` when the cipher fails. No file
  ///   is left then.
  /// - Complexity: linear in the contents of the realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func writeCopy(toFile fileURL: URL, cipher: (any FileCipher)?) throws {
    try writeCopy(toFile: fileURL, key: try Realm.fileKey(nil, cipher), fileMode: configuration.fileMode)
  }

  private func writeCopy(toFile fileURL: URL, key: FileKey?, fileMode: UInt16?) throws {
    try RealmOpening.checkMode(fileMode)
    session.checkConfinement()
    let graph = session.snapshot.withoutDocuments
    let path = try RealmOpening.path(fileURL)
    try Realm.Error.translating {
      try StoreFile.writeCopy(
        of: graph, version: graph.version, userVersion: session.store.options.schemaVersion, to: path,
        fileMode: fileMode, key: key)
    }
  }

  /// Writes the current state of the realm to the file of a configuration, like `writeCopy(toFile:encryptionKey:)`. The
  /// file gets the `fileMode` of that configuration, or of this realm's if that is nil.
  ///
  ///     var copy = Realm.Configuration(fileURL: folder.appendingPathComponent("copy.realm"))
  ///     copy.fileMode = 0o600
  ///     try realm.writeCopy(configuration: copy)
  ///
  /// - Parameter configuration: the configuration with the new file. Only its `fileURL`, `fileMode`, `cipher` and
  ///   `encryptionKey` count.
  /// - Throws: `.fail` when the configuration has no file, and the errors of `writeCopy(toFile:encryptionKey:)`.
  /// - Complexity: linear in the contents of the realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throw Realm.Error(.fail, "A realm can only be copied to a configuration with a fileURL.")
    }
    try writeCopy(
      toFile: url, key: try Realm.fileKey(configuration.encryptionKey, configuration.cipher),
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
  ///   for a file, or a journal beside it, that is not the realm's, and then nothing is deleted; `.fail` for a URL that
  ///   is not one of a file; errors of the system.
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
  /// - Throws: `.storeIsReadOnly` when the store takes no more writes; `.alreadyOpen` when another process is inside a
  ///   write of the file for a minute; `.outOfDiskSpace` and other errors of the system. No commit is lost.
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
  /// - Parameters:
  ///   - fileURL: the realm's file, which may be open.
  ///   - cipher: the cipher of an encrypted file. Without it only the checksums are checked, which is one of the
  ///     `doubts`.
  /// - Returns: any damage that was found, and the contents of the files.
  /// - Throws: `.fileNotFound`; `.wrongKey`; `.invalidDatabase` and similar errors for a file that is not a realm;
  ///   other errors of the system. Damage is reported in the result, not thrown.
  /// - Complexity: linear in the files, and O(n log n) in the objects.
  public static func verify(fileURL: URL, cipher: (any FileCipher)? = nil) throws -> StoreReport {
    let (path, key) = (try RealmOpening.path(fileURL), try fileKey(nil, cipher))
    return try Realm.Error.translating { try StoreFile.verify(path, key: key) }
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
  ///   - cipher: the cipher of the damaged files, which the new file gets, too; nil for plain files.
  /// - Returns: the contents of the new file, and the losses.
  /// - Throws: `.fileExists`; `.fileNotFound`; `.wrongKey`; `.damaged` when nothing can be recovered;
  ///   `.invalidDatabase` and similar errors when the files are not a realm; other errors of the system.
  /// - Complexity: linear in the files.
  public static func recover(
    from damaged: URL, to fresh: URL, cipher: (any FileCipher)? = nil
  ) throws -> RecoveryReport {
    let (source, target) = (try RealmOpening.path(damaged), try RealmOpening.path(fresh))
    let key = try fileKey(nil, cipher)
    return try Realm.Error.translating { try StoreFile.recover(from: source, to: target, key: key) }
  }
}

/// Returns the schema version with which a file was last written.
///
///     let version = try schemaVersionAtURL(url)
///
/// - Parameters:
///   - fileURL: the realm's file, which may be open.
///   - encryptionKey: the key of an encrypted file, as `Realm.Configuration.encryptionKey`.
/// - Throws: `.fileNotFound`; `.invalidDatabase` for a file that is not a realm; `.damaged` for a damaged one;
///   `.wrongKey` for another key than the file's; `.fail` for a key that cannot be used; other errors of the system.
/// - Complexity: linear in the files.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  try schemaVersion(fileURL, try Realm.fileKey(encryptionKey, nil))
}

/// Returns the schema version with which an encrypted file was last written.
///
///     let version = try schemaVersionAtURL(url, cipher: cipher)
///
/// - Parameters:
///   - fileURL: the realm's file, which may be open.
///   - cipher: the cipher of the file.
/// - Throws: the errors of `schemaVersionAtURL(_:encryptionKey:)`.
/// - Complexity: linear in the files.
public func schemaVersionAtURL(_ fileURL: URL, cipher: any FileCipher) throws -> UInt64 {
  try schemaVersion(fileURL, try Realm.fileKey(nil, cipher))
}

/// Returns the schema version of a file with a key.
func schemaVersion(_ fileURL: URL, _ key: FileKey?) throws -> UInt64 {
  let path = try RealmOpening.path(fileURL)
  let info = try Realm.Error.translating { try StoreFile.info(path, key: key) }
  if info.encryption?.isLocked ?? false {
    throw Realm.Error(
      .wrongKey, "The file \(path) is encrypted, and is opened without a key: give its cipher. Nothing was changed.",
      file: fileURL)
  }
  return info.userVersion
}
