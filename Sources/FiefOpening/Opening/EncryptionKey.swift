import FiefDurability
import FiefObjects
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#endif

/// What `Configuration.encryptionKey` stands for: a cipher of the system's, where there is one.
enum EncryptionKey {
  /// The number of bytes in a key.
  static let count = 64

  /// The cipher for a key.
  ///
  /// - Throws: `.fail` for a key of another length, and where the system has no CryptoKit.
  static func cipher(_ key: Data) throws -> any FileCipher {
    guard key.count == count else {
      throw Realm.Error(.fail, "The encryptionKey has \(key.count) bytes: give one of \(count) random bytes.")
    }
    #if canImport(CryptoKit)
      return CryptoKitCipher(key)
    #else
      throw Realm.Error(
        .fail,
        """
        An encryptionKey needs CryptoKit, which this system does not have. Leave it nil, and set Configuration.cipher \
        instead. With the package https://github.com/apple/swift-crypto this does:

        \(swiftCryptoCipher)
        """)
    #endif
  }

  /// A cipher with the package swift-crypto, as the documentation shows it, too.
  static let swiftCryptoCipher = """
    import Crypto

    struct KennelCipher: FileCipher {
      let key: SymmetricKey                                   // 32 random bytes that the application keeps
      let keyIdentifier: Data                                 // another random number, kept beside them
      let overhead = 28
      func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
        try AES.GCM.seal(bytes, using: key, authenticating: data).combined!
      }
      func open(_ sealed: Data, authenticating data: Data) throws -> Data {
        try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: data)
      }
    }
    """
}

#if canImport(CryptoKit)
  /// AES-GCM of CryptoKit. Each store has a key of its own for each kind of its files: HKDF derives it from the
  /// application's, by the first bytes of the associated data, which are the mark of the kind and the store's number.
  struct CryptoKitCipher: FileCipher {
    private let key: SymmetricKey
    let keyIdentifier: Data

    init(_ key: Data) {
      self.key = SymmetricKey(data: key)
      let naming = Self.derive(from: self.key, for: Data("identifier".utf8))
      keyIdentifier = Data(HMAC<SHA256>.authenticationCode(for: Data("identifier".utf8), using: naming)).prefix(16)
    }

    /// A nonce of 12 bytes and a tag of 16.
    var overhead: Int { 28 }

    func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
      guard let sealed = try AES.GCM.seal(bytes, using: key(for: data), authenticating: data).combined else {
        throw CryptoKitError.incorrectParameterSize
      }
      return sealed
    }

    func open(_ sealed: Data, authenticating data: Data) throws -> Data {
      try AES.GCM.open(try AES.GCM.SealedBox(combined: sealed), using: key(for: data), authenticating: data)
    }

    /// The key of one kind of file of one store.
    private func key(for data: Data) -> SymmetricKey {
      Self.derive(from: key, for: data.prefix(8) + data.dropFirst(16).prefix(16))
    }

    private static func derive(from key: SymmetricKey, for purpose: Data) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: key, salt: Data("Fief".utf8), info: purpose, outputByteCount: 32)
    }
  }
#endif

extension Realm.Configuration {
  /// The key of the realm's files and of its seed; nil for plain files.
  ///
  /// - Throws: `.fail` for a cipher beside an `encryptionKey`, for a key that cannot be used, and for a realm in memory
  ///   that has no seed; `.wrongKey` for a cipher that says of itself what no cipher can.
  func fileKey() throws -> FileKey? {
    let key = try Realm.fileKey(encryptionKey, cipher)
    if key != nil && inMemoryIdentifier != nil && seedFilePath == nil {
      throw Realm.Error(.fail, "An in-memory realm has no file to encrypt: leave the cipher and the encryptionKey nil.")
    }
    return key
  }
}

extension Realm {
  /// The number of bytes in an `encryptionKey`.
  package static var encryptionKeySize: Int { EncryptionKey.count }

  /// Whether an `encryptionKey` can be used: the system has CryptoKit.
  package static var canUseEncryptionKeys: Bool {
    #if canImport(CryptoKit)
      true
    #else
      false
    #endif
  }

  /// The key for one of two arguments.
  package static func fileKey(_ encryptionKey: Data?, _ cipher: (any FileCipher)?) throws -> FileKey? {
    if encryptionKey != nil && cipher != nil {
      throw Realm.Error(.fail, "A file cannot have a cipher and an encryptionKey: choose one of the two.")
    }
    guard let cipher = try encryptionKey.map(EncryptionKey.cipher) ?? cipher else { return nil }
    return try Realm.Error.translating { try FileKey(cipher) }
  }
}
