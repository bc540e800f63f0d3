import FiefValues
import Foundation

extension ObjectId {
  /// The hash of the twelve bytes in a ``HashIndex``.
  var hash: UInt64 {
    let words = words
    return HashIndex.hash(UInt64(words.0) << 32 | UInt64(words.1), UInt64(words.2))
  }
}

extension UUID {
  /// The hash of the sixteen bytes in a ``HashIndex``.
  var hash: UInt64 {
    let b = uuid
    return HashIndex.hash(
      UInt64(b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7), UInt64(b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15))
  }
}

extension UInt64 {
  /// Makes a number of eight bytes, the most significant first.
  fileprivate init(
    _ b0: UInt8, _ b1: UInt8, _ b2: UInt8, _ b3: UInt8, _ b4: UInt8, _ b5: UInt8, _ b6: UInt8, _ b7: UInt8
  ) {
    let high = UInt32(b0) << 24 | UInt32(b1) << 16 | UInt32(b2) << 8 | UInt32(b3)
    let low = UInt32(b4) << 24 | UInt32(b5) << 16 | UInt32(b6) << 8 | UInt32(b7)
    self = UInt64(high) << 32 | UInt64(low)
  }
}
