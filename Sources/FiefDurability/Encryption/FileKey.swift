import Foundation

/// The cipher of a store's files, with what it says of itself, which is asked for once.
package struct FileKey: Sendable {
  /// The application's cipher.
  let cipher: any FileCipher
  /// The mark of the key in the files.
  package let mark: KeyMark
}

/// The mark of its key in an encrypted file.
package struct KeyMark: Hashable, Sendable {
  /// The identifier of the key.
  package var identifier: [UInt8]
  /// The number of bytes that encryption adds to each part.
  package var overhead: Int

  static let longestIdentifier = 48
  /// So that the smallest block has room for contents.
  static let highestOverhead = 256

  /// The mark of a header's copy, which repeats the header alone.
  static let notRepeated = KeyMark(identifier: [], overhead: 0)

  /// The identifier as a phrase, in hexadecimal digits.
  package var phrase: String {
    identifier.isEmpty
      ? "a key without an identifier"
      : "the key \(identifier.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())"
  }

  init(identifier: [UInt8], overhead: Int) {
    self.identifier = identifier
    self.overhead = overhead
  }
}
