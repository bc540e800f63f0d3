import Fief
import Foundation

/// The key of an encrypted file, which commands read from a file of 64 bytes: `Configuration.encryptionKey`.
///
/// The program has no cryptography of its own. On a system without it, each command prints that, and the remedy.
enum KeyFile {
  /// The option of every command that opens a file.
  static let option = Command.Option.value(
    "--encryption-key", "KEYFILE", "FILE is encrypted with the 64 bytes in KEYFILE")

  /// The key that an option names; nil without the option.
  ///
  /// - Throws: `Failure` for a missing file, for one of another length, and where the system cannot decrypt.
  static func key(_ arguments: Arguments, _ option: String = option.name) throws(Failure) -> Data? {
    guard let file = arguments[option] else { return nil }
    let key: Data
    do { key = try DocumentFile.bytes(of: file) } catch { throw Failure(describing: error, file: file) }
    guard key.count == Realm.encryptionKeySize else {
      throw Failure(
        "\(file.printable) has \(key.count.of("byte")): a key has \(Realm.encryptionKeySize) of them.", .badData)
    }
    guard Realm.canUseEncryptionKeys else {
      throw Failure(
        "The option '\(option)' needs CryptoKit, which this system does not have: let the application that has the "
          + "cipher write a plain copy, as 'realm.writeCopy(toFile: url, cipher: nil)' does, and use that.", .unreadable
      )
    }
    return key
  }
}
