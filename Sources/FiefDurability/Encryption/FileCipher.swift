public import Foundation

/// The application's cryptography for the files of a realm: an authenticated cipher with a key.
///
/// The library contains no cipher. It decides what is encrypted and what each part is bound to, and calls this protocol
/// for it. The conformance below uses swift-crypto; with CryptoKit only the import differs.
///
///     import Crypto
///
///     struct KennelCipher: FileCipher {
///       let key: SymmetricKey
///       let keyIdentifier: Data
///       var overhead: Int { 28 }
///       func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
///         try AES.GCM.seal(bytes, using: key, authenticating: data).combined!
///       }
///       func open(_ sealed: Data, authenticating data: Data) throws -> Data {
///         try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: data)
///       }
///     }
///
/// The functions are called from several threads, also at the same time, and while a commit holds the store. They must
/// not use the realm that they serve. Whatever a cipher does, no acknowledged commit is lost by it, with one exception:
/// bytes that its `open` does not open again.
public protocol FileCipher: Sendable {
  /// A mark that distinguishes the key from others, in at most 48 bytes. It is written into each file, so that a
  /// wrong key can be distinguished from damage. It must not reveal the key: a random number that is kept beside the
  /// key, or a value derived from it.
  var keyIdentifier: Data { get }

  /// The number of bytes that sealing adds to any input, at most 256: 28 for a nonce of 12 bytes and a tag of 16.
  var overhead: Int { get }

  /// Encrypts bytes, and authenticates them together with `data`.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to encrypt. They may be equal in two calls, so each call needs a nonce of its own.
  ///   - data: Bytes that are not encrypted and not stored, but that `open` needs again.
  /// - Returns: `overhead` bytes more than `bytes` has.
  /// - Throws: any error; then nothing is written.
  func seal(_ bytes: Data, authenticating data: Data) throws -> Data

  /// Decrypts what `seal` returned for the same `data`.
  ///
  /// - Throws: any error, for anything that was not sealed with this key and this `data`.
  func open(_ sealed: Data, authenticating data: Data) throws -> Data
}
