import FiefGraph

/// One record of a journal, found whole: a commit, or the seal of a clean close.
///
///     ┌──────┬──────┬────────┬────────┬────────────┬───────┬─────┬─────────┬───────┬───────┬─────┐
///     │ FRec │ kind │ length │ commit │ durable-to │ zeros │ CRC │ payload │ zeros │ chain │ end │
///     └──────┴──────┴────────┴────────┴────────────┴───────┴─────┴─────────┴───────┴───────┴─────┘
///        4      4       8        8          8          4      4              0...7     4      4
///
/// The CRC of the header goes on from the file's, and from nothing else, so that a header can be recognised behind
/// damage. The other goes on from that of the record before (the chain), so that no record passes in another place.
/// Records begin at multiples of eight. The end mark has two bits and more in each byte, so that a record whose last
/// bytes were never written and are zeros differs from the whole one by more than a bit.
public struct JournalRecord: Hashable, Sendable {
  /// What a record is.
  public enum Kind: UInt32, Hashable, Sendable {
    case commit = 1
    /// The journal was closed in order: whatever is before was synced, and every damage to it is one.
    case seal = 2
  }

  /// What the record is.
  public let kind: Kind
  /// The number of the commit; of a seal, that of the last commit before it.
  public let commit: UInt64
  /// The last commit that was known to be on the disk when the record was written.
  public let durableTo: UInt64
  /// Where the record stands in the file.
  public let range: Range<Int>
  /// Where its payload does.
  public let payload: Range<Int>

  /// The change that the record holds, and the application's schema version after it. Linear in the payload.
  ///
  /// - Parameter bytes: The file that the record was found in.
  /// - Throws: `CodecError` when the payload is whole and is no change, or the record is a seal.
  public func change(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> JournalChange {
    guard kind == .commit, payload.upperBound <= bytes.count else {
      throw CodecError(.journal, .malformed, at: UInt64(range.lowerBound), "this record holds no change")
    }
    let payloadBytes = UnsafeRawBufferPointer(rebasing: bytes[payload])
    var reader = ByteReader(payloadBytes, .journal, at: UInt64(payload.lowerBound))
    let userVersion = try reader.varint()
    return JournalChange(userVersion: userVersion, delta: try DeltaCodec.decode(reader))
  }

  /// "FRec".
  static let magic: UInt32 = 0x6365_5246
  /// The last four bytes of a record.
  static let endMark: UInt32 = 0xC35A_A53C
  /// The bytes before the payload.
  static let headerSize = 40
  /// The bytes behind it and its zeros.
  static let trailerSize = 8
  /// Where the checksum stands in the header.
  static let headerChecksum = 36

  /// How many zeros stand behind a payload of `length` bytes.
  static func padding(_ length: Int) -> Int { (8 &- (length & 7)) & 7 }
}

/// What a record of a commit holds.
public struct JournalChange: Sendable {
  /// The application's number of its schema after the commit.
  public let userVersion: UInt64
  /// What the commit changed.
  public let delta: Delta
}
