public import FiefDurability
import FiefGraph
import Foundation

extension Realm {
  /// Writes what the realm shows, uncommitted changes of a write included, to a new file that stands alone.
  ///
  /// - Parameters:
  ///   - fileURL: where to; nothing may be there, and the folder must be.
  ///   - encryptionKey: refused: files are not encrypted.
  /// The file gets the `fileMode` of the realm's configuration.
  ///
  /// - Throws: `.fileExists`, `.fileNotFound` and `.fileOperationFailed`, `.outOfDiskSpace`; nothing is left of the
  ///   file then.
  /// - Complexity: linear in what the realm holds.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    try writeCopy(toFile: fileURL, encryptionKey: encryptionKey, fileMode: configuration.fileMode)
  }

  private func writeCopy(toFile fileURL: URL, encryptionKey: Data?, fileMode: UInt16?) throws {
    if encryptionKey != nil { throw RealmOpening.encryptionRefused }
    try RealmOpening.checkMode(fileMode)
    session.checkConfinement()
    let graph = session.snapshot
    do {
      try StoreFile.writeCopy(
        of: graph, version: graph.version, userVersion: session.store.configuration.schemaVersion,
        to: fileURL.standardizedFileURL.path, fileMode: fileMode)
    } catch {
      throw Realm.Error(error)
    }
  }

  /// Writes what the realm shows to the file of a configuration, as `writeCopy(toFile:)` does, with the `fileMode` of
  /// that configuration, or, where that is nil, of this realm's.
  ///
  /// - Throws: `.fail` when the configuration names no file.
  public func writeCopy(configuration: Configuration) throws {
    guard let url = configuration.fileURL else {
      throw Realm.Error(.fail, "A realm can only be copied to a configuration with a fileURL.")
    }
    try writeCopy(
      toFile: url, encryptionKey: configuration.encryptionKey,
      fileMode: configuration.fileMode ?? self.configuration.fileMode)
  }

  /// Whether there is a file for a configuration.
  public static func fileExists(for configuration: Configuration) -> Bool {
    configuration.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  /// Removes the files of a configuration's realm; the lock file stays.
  ///
  /// - Returns: whether there was anything to remove.
  /// - Throws: `.alreadyOpen` when the realm is open, here or in another process; `.invalidDatabase` and the like for
  ///   files that are not ours, which are left alone; what the system says.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    guard let url = configuration.fileURL else { return false }
    let identity = RealmOpening.identity(ofFile: url)
    guard case .file(let path) = identity else { return false }
    return try StoreRegistry.whileClosed(identity) {
      do throws(StoreError) {
        return try StoreFile.delete(path)
      } catch {
        throw Realm.Error(error)
      }
    }
  }

  /// Writes a snapshot of the latest version and lets the journal begin anew: opening is faster and the files are
  /// smaller afterwards. It happens by itself when the journal has grown; other realms may read and write meanwhile.
  ///
  /// - Throws: what the system says; no commit is lost by that.
  /// - Complexity: linear in what the realm holds.
  public func compact() throws {
    session.checkConfinement()
    try session.store.compact()
  }

  /// Reads every byte of a realm's files and checks that they are what was written, without opening them for writing:
  /// no lock is taken and no byte changed.
  ///
  /// - Returns: what is wrong, if anything is, and what the files hold.
  /// - Throws: `.fileNotFound`, and what else the system says. Damage is no error but a finding.
  /// - Complexity: linear in the files.
  public static func verify(fileURL: URL) throws -> StoreReport {
    do {
      return try StoreFile.verify(fileURL.standardizedFileURL.path)
    } catch {
      throw Realm.Error(error)
    }
  }

  /// Copies what can still be read of damaged files into a new file, and says what was lost.
  ///
  ///     let report = try Realm.recover(from: damaged, to: fresh)
  ///     if !report.isComplete { print(report.losses) }
  ///
  /// - Parameters:
  ///   - damaged: the realm's file; it is not changed.
  ///   - fresh: where to; nothing may be there.
  /// - Throws: `.fileExists`, `.fileNotFound`, `.invalidDatabase` when nothing can be made of the files; what else the
  ///   system says.
  /// - Complexity: linear in the files.
  public static func recover(from damaged: URL, to fresh: URL) throws -> RecoveryReport {
    do {
      return try StoreFile.recover(from: damaged.standardizedFileURL.path, to: fresh.standardizedFileURL.path)
    } catch {
      throw Realm.Error(error)
    }
  }
}

/// The schema version that a file was written with last.
///
/// - Parameter encryptionKey: refused: files are not encrypted.
/// - Throws: `.fileNotFound`; `.invalidDatabase` for a file that is none of ours; what else the system says.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  if encryptionKey != nil { throw RealmOpening.encryptionRefused }
  do {
    return try StoreFile.info(fileURL.standardizedFileURL.path).userVersion
  } catch {
    throw Realm.Error(error)
  }
}
