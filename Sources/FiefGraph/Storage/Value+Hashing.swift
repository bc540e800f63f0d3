import FiefRuntime
import FiefValues
import Foundation

extension Value {
  /// The hash of this value as a primary key; nil for values that cannot be one.
  var primaryKeyHash: UInt64? {
    switch self {
    case .null: KeyHash.of(0x6e75_6c6c, 0)
    case .int(let value): KeyHash.of(value)
    case .string(let value): KeyHash.of(value)
    case .objectId(let value): value.hash
    case .uuid(let value): value.hash
    default: nil
    }
  }
}

extension ObjectId {
  /// The hash of the twelve bytes as a key.
  fileprivate var hash: UInt64 {
    let words = words
    return KeyHash.of(UInt64(words.0) << 32 | UInt64(words.1), UInt64(words.2))
  }
}

extension UUID {
  /// The hash of the sixteen bytes as a key.
  fileprivate var hash: UInt64 {
    let halves = unsafe unsafeBitCast(uuid, to: (UInt64, UInt64).self)
    return KeyHash.of(halves.0, halves.1)
  }
}
