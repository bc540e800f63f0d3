import Foundation

/// The cipher of a store's files, with what it says of itself, which is asked for once.
package struct FileKey: Sendable {
  /// The application's cipher.
  let cipher: any FileCipher
  /// What the files say of the key.
  package let mark: KeyMark

  /// Asks a cipher for its identifier and its overhead.
  ///
  /// - Throws: `wrongKey` if they are out of range.
  package init(_ cipher: any FileCipher) throws(StoreError) {
    let (identifier, overhead) = (cipher.keyIdentifier, cipher.overhead)
    guard identifier.count <= KeyMark.longestIdentifier else {
      throw StoreError(
        .wrongKey,
        "The cipher has a keyIdentifier of \(identifier.count) bytes: give one of at most "
          + "\(KeyMark.longestIdentifier) bytes.")
    }
    guard 0...KeyMark.highestOverhead ~= overhead else {
      throw StoreError(
        .wrongKey,
        "The cipher has an overhead of \(overhead) bytes: use one that adds at most \(KeyMark.highestOverhead) bytes.")
    }
    self.cipher = cipher
    mark = KeyMark(identifier: Array(identifier), overhead: overhead)
  }
}

/// What an encrypted file says of its key. It stands behind the header, in 64 bytes.
///
///     0         4                      8            56      60    64
///     │overhead │ length of identifier │ identifier │ zeros │ CRC │
package struct KeyMark: Hashable, Sendable {
  /// What distinguishes the key from others.
  package var identifier: [UInt8]
  /// The number of bytes that encryption adds to each part.
  package var overhead: Int

  /// The size of a mark in bytes.
  static let size = 64
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

  /// Appends the mark.
  ///
  /// - Parameter seed: The checksum of the header.
  func write(to writer: ByteWriter, after seed: UInt32) {
    let start = writer.count
    writer.fixed(UInt32(overhead))
    writer.fixed(UInt32(identifier.count))
    for byte in identifier { writer.append(byte) }
    writer.zeros(Self.longestIdentifier + 4 - identifier.count)
    writer.fixed(
      unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: writer.bytes[start...]), after: seed))
  }

  /// Reads the mark behind a header.
  init(_ reader: inout ByteReader, after seed: UInt32) throws(CodecError) {
    let start = reader
    let bytes = try unsafe reader.read(Self.size)
    let crc = unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes.dropLast(4)), after: seed)
    var fields = unsafe ByteReader(bytes, reader.subject, at: start.offset)
    let (overhead, length) = (try fields.fixed(UInt32.self), try fields.fixed(UInt32.self))
    let room = try unsafe fields.read(Self.longestIdentifier)
    let zeros = try fields.fixed(UInt32.self)
    guard try fields.fixed(UInt32.self) == crc else {
      throw start.wrong(.checksum, "what it says of its key does not have the checksum that it was written with")
    }
    guard overhead <= Self.highestOverhead, length <= Self.longestIdentifier, zeros == 0,
      unsafe room.dropFirst(Int(length)).allSatisfy({ $0 == 0 })
    else { throw start.wrong(.malformed, "it says of its key what no file can") }
    identifier = unsafe Array(room.prefix(Int(length)))
    self.overhead = Int(overhead)
  }

  init(identifier: [UInt8], overhead: Int) {
    self.identifier = identifier
    self.overhead = overhead
  }
}
