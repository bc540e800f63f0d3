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
    let halves = unsafe unsafeBitCast(uuid, to: (UInt64, UInt64).self)
    return HashIndex.hash(halves.0, halves.1)
  }
}
