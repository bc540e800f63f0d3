// Why the unsafe code is sound: the bytes are read only while the standard library lends them, eight at a time through
// `loadUnaligned`. Each read ends at or before the end of the buffer; the two conditions stand beside the reads.

extension KeyHash {
  /// The hash of a string's UTF-8 bytes. Strings of different bytes are different keys here, even where Swift considers
  /// them equal, such as a composed and a decomposed "é". Their hashes differ, except with a probability of 2^-64.
  ///
  /// Eight bytes at a time are multiplied by a secret 64-bit factor to 128 bits, and the halves of the product are
  /// folded together, as in wyhash (Wang Yi, 2019). The length goes in first, so appending a NUL changes the hash. The
  /// function is not cryptographic.
  ///
  /// - Parameter utf8: The string.
  /// - Complexity: O(*n*) in the number of bytes.
  @inlinable
  package static func of(_ utf8: String) -> UInt64 {
    let seeds = seeds
    let inPlace = unsafe utf8.utf8.withContiguousStorageIfAvailable { unsafe of(UnsafeRawBufferPointer($0), seeds) }
    // A string without contiguous UTF-8, such as one bridged from Objective-C, is copied.
    return unsafe inPlace ?? Array(utf8.utf8).withUnsafeBytes { unsafe of($0, seeds) }
  }

  /// The hash of bytes.
  @inlinable
  static func of(_ bytes: UnsafeRawBufferPointer, _ seeds: (first: UInt64, second: UInt64)) -> UInt64 {
    let count = bytes.count
    var state = seeds.first ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    while count - offset >= 8 {
      state = unsafe fold(state ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), seeds.second)
      offset += 8
    }
    var tail: UInt64 = 0
    if offset < count {
      if count >= 8 {
        // Reads the last eight bytes, some of them for the second time: cheaper than one by one.
        tail = unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      } else {
        for offset in 0..<count { tail = unsafe tail << 8 | UInt64(bytes[offset]) }
      }
    }
    return mix(fold(state ^ tail, seeds.second))
  }

  /// Folds the halves of a product of 128 bits together.
  @inlinable
  @inline(__always)
  static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
