import FiefGraph

/// One whole record of a journal: a commit, or the seal of a clean close.
///
///     ┌──────┬──────┬────────┬────────┬────────────┬───────┬─────┬─────────┬───────┬───────┬─────┐
///     │ FRec │ kind │ length │ commit │ durable-to │ zeros │ CRC │ payload │ zeros │ chain │ end │
///     └──────┴──────┴────────┴────────┴────────────┴───────┴─────┴─────────┴───────┴───────┴─────┘
///        4      4       8        8          8          4      4              0...7     4      4
///
/// The CRC of the header continues only from the file's seed, so a header can be recognized behind damage. The other
/// CRC continues from that of the record before (the chain), so a record is not accepted in another position. Records
/// begin at multiples of eight. Each byte of the end mark has at least two set bits. So a record whose last bytes were
/// never written, and are zeros, differs from the whole one by more than one bit.
package struct JournalRecord: Hashable, Sendable {
  /// The kinds of records.
  package enum Kind: UInt32, Hashable, Sendable {
    case commit = 1
    /// The journal was closed in order: everything before was synchronized, so every fault in it is damage.
    case seal = 2
  }

  /// The kind of the record.
  package let kind: Kind
  /// The number of the commit; of a seal, that of the last commit before it.
  package let commit: UInt64
  /// The last commit that was known to be on the disk when the record was written.
  package let durableTo: UInt64
  /// The record's range in the file.
  package let range: Range<Int>
  /// The payload's range in the file.
  package let payload: Range<Int>
  /// The decrypted payload; nil in a plain file, and if the file is scanned without its key.
  let contents: [UInt8]?
  /// Whether the payload of a commit contains its time.
  package let isTimed: Bool

  /// Decodes the record's change, and the application's schema version after it. Linear in the payload.
  ///
  /// - Parameter bytes: The file of the record.
  /// - Throws: `CodecError` when the payload is whole but is not a change, or the record is a seal.
  package func change(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> JournalChange {
    guard kind == .commit, payload.upperBound <= bytes.count else {
      throw CodecError(in: .journal, .malformed, at: UInt64(range.lowerBound), "this record holds no change")
    }
    return try unsafe ContentCipher.withContents(contents, or: bytes[payload]) { payload throws(CodecError) in
      var reader = unsafe ByteReader(payload, .journal, at: UInt64(self.payload.lowerBound))
      let userVersion = try reader.varint()
      let time = isTimed ? try reader.varint() : nil
      return JournalChange(userVersion: userVersion, time: time, delta: try DeltaCodec.decode(reader))
    }
  }

  /// The payload as it was before it was encrypted.
  ///
  /// - Parameter bytes: The file of the record.
  package func payload(in bytes: [UInt8]) -> [UInt8] { contents ?? Array(bytes[payload]) }

  /// "FRec".
  static let magic: UInt32 = 0x6365_5246
  /// The last four bytes of a record.
  static let endMark: UInt32 = 0xC35A_A53C
  /// The bytes before the payload.
  static let headerSize = 40
  /// The bytes behind the payload and its zeros.
  static let trailerSize = 8
  /// The offset of the checksum in the header.
  static let headerChecksum = 36

  /// The number of zeros behind a payload of `length` bytes.
  static func padding(_ length: Int) -> Int { (8 &- (length & 7)) & 7 }
}

/// The contents of a commit's record.
package struct JournalChange: Sendable {
  /// The application's schema number after the commit.
  package let userVersion: UInt64
  /// The time of the commit in milliseconds since 1970; nil if the journal has no times.
  package let time: UInt64?
  /// The changes of the commit.
  package let delta: Delta
}
