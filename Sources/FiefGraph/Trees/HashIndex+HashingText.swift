// Unsafe code, and why it is right: the bytes are read only while the standard library lends them, eight at a time
// through `loadUnaligned`, and each read ends at or before the end of the buffer (the two conditions stand beside the
// reads).

extension HashIndex {
  /// The hash of a string's UTF-8 bytes. Strings of different bytes are different keys here, also those that Swift
  /// calls equal, such as a composed and a decomposed "é": they have different hashes, but for the chance of 2^-64.
  ///
  /// Eight bytes at a time are multiplied by a secret 64-bit factor to 128 bits, whose halves are folded together, as
  /// in wyhash (Wang Yi, 2019). The length goes in first, so a string and the same string with a NUL more differ. It is
  /// not cryptographic.
  ///
  /// - Parameter utf8: The string.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  public static func hash(_ utf8: String) -> UInt64 {
    let seeds = seeds
    let inPlace = utf8.utf8.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0), seeds) }
    // A string that lies elsewhere, such as one bridged from Objective-C, is copied.
    return inPlace ?? Array(utf8.utf8).withUnsafeBytes { hash($0, seeds) }
  }

  /// The hash of bytes.
  @inlinable
  static func hash(_ bytes: UnsafeRawBufferPointer, _ seeds: (first: UInt64, second: UInt64)) -> UInt64 {
    let count = bytes.count
    var state = seeds.first ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    while count - offset >= 8 {
      state = fold(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), seeds.second)
      offset += 8
    }
    var tail: UInt64 = 0
    if offset < count {
      if count >= 8 {
        // The last eight bytes, some of them for the second time: cheaper than one by one.
        tail = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      } else {
        for byte in bytes { tail = tail << 8 | UInt64(byte) }
      }
    }
    return mix(fold(state ^ tail, seeds.second))
  }

  /// The halves of a product of 128 bits, folded together.
  @inlinable
  @inline(__always)
  static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
