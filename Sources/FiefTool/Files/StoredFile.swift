import Fief
import FiefDurability
import FiefRealmFiles
import Foundation

/// A realm's file that the command line names, with its key. Commands open it without classes.
struct StoredFile {
  let name: String
  /// The key of an encrypted file.
  let key: Data?

  var url: URL { URL(fileURLWithPath: name) }

  init(_ name: String, key: Data? = nil) { (self.name, self.key) = (name, key) }

  /// The file of an operand, with the key that an option names.
  init(_ arguments: Arguments, _ position: Int = 0, key option: String = KeyFile.option.name) throws(Failure) {
    self.init(arguments.operands[position], key: try KeyFile.key(arguments, option))
  }

  /// Runs a body that uses the file, and shows its progress.
  ///
  /// - Throws: `Failure` with the exit code for a file that is missing, foreign, damaged, encrypted or open elsewhere.
  func use<Result>(_ deed: String, body: (Progress, FileKey?) throws -> Result) throws(Failure) -> Result {
    do {
      return try Progress.show("\(deed) \(name)") { progress in try body(progress, Realm.fileKey(key, nil)) }
    } catch { throw failure(describing: error) }
  }

  /// The failure for an error of opening the file.
  private func failure(describing error: any Error) -> Failure {
    let code = (error as? Realm.Error)?.code
    guard key == nil, code == .wrongKey || (error as? StoreError)?.code == .wrongKey else {
      return Failure(describing: error, file: name)
    }
    let advice =
      Realm.canUseEncryptionKeys
      ? "give its key by '\(KeyFile.option.name)', or let its application write a plain copy"
      : "this program cannot decrypt on this system, which has no CryptoKit, so let its application write a plain copy"
    return Failure(
      "\(name.printable) is encrypted, and was opened without a key: \(advice) "
        + "('realm.writeCopy(toFile: url, cipher: nil)').", .unsound)
  }

  // MARK: Files of Realm's own library

  /// Whether it is a file of Realm, or looks like an encrypted one.
  var isOfRealm: Bool { RealmFileInspecting.isOfRealm(name) }

  /// - Parameter advice: the end of the sentence for a file of Realm.
  /// - Throws: `Failure` for a file of Realm.
  func refuseOfRealm(_ advice: String) throws(Failure) {
    if isOfRealm { throw Failure("\(name.printable) is a file of Realm\(advice)", .unsound) }
  }

  // MARK: Opening

  /// Opens the file to read it: one of this library, which may be open elsewhere, or one of Realm's own library, which
  /// is read into memory. No byte of it changes.
  func forReading() throws(Failure) -> Realm {
    do {
      guard isOfRealm else {
        // Files without classes are opened by the default configuration.
        Realm.Configuration.defaultConfiguration.encryptionKey = key
        return try Progress.show("Reading \(name)") { _ in try Realm(fileURL: url, dynamic: true, readOnly: true) }
      }
      return try Progress.show("Reading \(name)", of: 100, "percent") { progress in
        try Realm(readingRealmFile: url) { progress.reach(percent: $0) }
      }
    } catch {
      let failure = failure(describing: error)
      // A missing folder is an error of the system, and a missing file like any other.
      throw FileManager.default.fileExists(atPath: name) ? failure : Failure(failure.message, .noFile)
    }
  }

  /// Opens a file of this library to change it. Its classes and its schema version stay.
  func forWriting() throws(Failure) -> Realm {
    try refuseOfRealm(", which is only read: 'fief import' copies it.")
    return try use("Reading") { _, fileKey in
      let stored = try StoreFile.read(name, key: fileKey)
      var configuration = Realm.Configuration(fileURL: url, schemaVersion: stored.userVersion)
      configuration.isDynamic = true
      configuration.encryptionKey = key
      // Without this the next snapshot would end the history that the file's program keeps.
      if stored.isTimed { configuration.history = .versions(.max) }
      return try Realm(configuration: configuration)
    }
  }

  /// The version that the application gave to the schema.
  func schemaVersion() throws(Failure) -> UInt64 {
    do {
      if isOfRealm { return try RealmFileInfo(RealmFileInspecting.bytes(of: name)).schemaVersion }
      return try schemaVersionAtURL(url, encryptionKey: key)
    } catch { throw failure(describing: error) }
  }
}
