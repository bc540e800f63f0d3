import Fief
import FiefRealmFiles
import Foundation

/// Opens files for commands that need no classes.
enum FileOpening {
  /// Opens a file to read it: one of this library, which may be open elsewhere, or one of Realm's own library, which is
  /// read into memory. No byte of it changes.
  ///
  /// - Parameter key: the key of an encrypted file.
  /// - Throws: `Failure` with the exit code for a file that is missing, foreign, damaged or encrypted.
  static func forReading(_ file: String, key: Data?) throws -> Realm {
    do {
      let url = URL(fileURLWithPath: file)
      guard RealmFileInspecting.isOfRealm(file) else {
        // Files without classes are opened by the default configuration.
        Realm.Configuration.defaultConfiguration.encryptionKey = key
        return try Progress.show("Reading \(file)") { _ in try Realm(fileURL: url, dynamic: true, readOnly: true) }
      }
      return try Progress.show("Reading \(file)", of: 100, "percent") { progress in
        try Realm(readingRealmFile: url) { progress.reach(percent: $0) }
      }
    } catch {
      let failure = KeyFile.failure(describing: error, file: file, key: key)
      // A missing folder is an error of the system, and a missing file like any other.
      throw FileManager.default.fileExists(atPath: file) ? failure : Failure(failure.message, .noFile)
    }
  }

  /// The version that the application gave to the schema of a file.
  static func schemaVersion(of file: String, key: Data?) throws -> UInt64 {
    do {
      if RealmFileInspecting.isOfRealm(file) {
        return try RealmFileInfo(RealmFileInspecting.bytes(of: file)).schemaVersion
      }
      return try schemaVersionAtURL(URL(fileURLWithPath: file), encryptionKey: key)
    } catch {
      throw KeyFile.failure(describing: error, file: file, key: key)
    }
  }
}
