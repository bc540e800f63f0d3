/// A 12-byte identifier that is unique without coordination, after the public BSON ObjectId specification.
///
///     let id = ObjectId.generate()
///     print(id.stringValue, id.timestamp)
///     let equal = try ObjectId(string: id.stringValue)
///
/// The bytes and the words that hold them:
///
///     ┌───────────────────┬──────────────────────────┬───────────────┐
///     │ seconds (4 bytes) │ random, process (5 bytes)│ count (3 bytes)│   all big-endian
///     └───────────────────┴──────────────────────────┴───────────────┘
///       └─ word 0 ───────┘ └─ word 1 ─────┘ └─ word 2 ───────────────┘
///
/// The words are three `UInt32`s in the processor's byte order: 12 bytes with alignment 4, so that arrays have no
/// padding. Comparing the words as numbers is comparing the bytes. Only `timestamp` interprets the bytes: any 12 bytes
/// are a valid identifier.
@frozen
public struct ObjectId: Sendable, Hashable {
  @usableFromInline let word0: UInt32
  @usableFromInline let word1: UInt32
  @usableFromInline let word2: UInt32

  /// Makes the identifier whose bytes are those of three big-endian numbers, first to last.
  @inlinable
  public init(words word0: UInt32, _ word1: UInt32, _ word2: UInt32) {
    self.word0 = word0
    self.word1 = word1
    self.word2 = word2
  }

  /// Makes the identifier of twelve zero bytes.
  ///
  ///     print(ObjectId().stringValue)          // 000000000000000000000000
  @inlinable public init() { self.init(words: 0, 0, 0) }

  /// The twelve bytes as three big-endian numbers, first to last; storage uses them instead of an array.
  @inlinable public var words: (UInt32, UInt32, UInt32) { (word0, word1, word2) }

  /// Makes the identifier of twelve bytes, first to last; nil for any other number of bytes.
  ///
  ///     let id = ObjectId(bytes: [UInt8](repeating: 7, count: 12))
  @inlinable
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 12 else { return nil }
    var high: UInt64 = 0
    var low: UInt32 = 0
    for byte in bytes {
      high = high << 8 | UInt64(low >> 24)
      low = low << 8 | UInt32(byte)
    }
    self.init(words: UInt32(truncatingIfNeeded: high >> 32), UInt32(truncatingIfNeeded: high), low)
  }

  /// The twelve bytes, first to last.
  ///
  ///     let equal = ObjectId(bytes: id.bytes) == id
  @inlinable
  public var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 12)
    for index in bytes.indices {
      let word = index < 4 ? word0 : index < 8 ? word1 : word2
      bytes[index] = UInt8(truncatingIfNeeded: word >> (24 - UInt32(index & 3) * 8))
    }
    return bytes
  }
}

extension ObjectId: Comparable {
  /// Whether `left`'s bytes come before `right`'s. Identifiers that `generate()` makes in one process ascend in the
  /// order of their creation.
  ///
  ///     let first = ObjectId.generate()
  ///     print(first < ObjectId.generate())          // true
  @inlinable
  public static func < (left: ObjectId, right: ObjectId) -> Bool {
    if left.word0 != right.word0 { return left.word0 < right.word0 }
    if left.word1 != right.word1 { return left.word1 < right.word1 }
    return left.word2 < right.word2
  }
}
