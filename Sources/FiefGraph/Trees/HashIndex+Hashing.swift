extension HashIndex {
  /// Two random numbers, drawn once per process. A hash is never stored in a file, so another process may have others;
  /// and whoever chooses the primary keys cannot know which of them meet in a bucket.
  @usableFromInline static let seeds: (first: UInt64, second: UInt64) = {
    var random = SystemRandomNumberGenerator()
    // The second is a factor: an odd one loses no bits.
    return (random.next(), random.next() | 1)
  }()

  /// The hash of an integer: a hash of its own for each, so that who finds the hash has found the number.
  ///
  /// Sixteen neighbours differ in the four bits alone that the trie asks last, and so share a bucket: keys that were
  /// counted up are found, and added, in cache lines that are there already.
  ///
  /// The upper sixty bits of the number go through the 64-bit finaliser of MurmurHash3 (Appleby) with the constants of
  /// Stafford's "Mix13" ("Better Bit Mixing", 2011), cut down to sixty bits, with a seed before it: a sum without
  /// carry, a product with an odd factor and a shift that is added without carry can all be undone, modulo 2^60 as
  /// modulo 2^64. It spreads well and is not cryptographic.
  ///
  /// - Parameter value: Any integer.
  @inlinable
  public static func hash(_ value: Int64) -> UInt64 {
    let seeds = seeds
    let sixty: UInt64 = .max &>> 4
    let bits = UInt64(bitPattern: value)
    var mixed = (((bits &>> 4) ^ seeds.first) &* seeds.second) & sixty
    mixed = ((mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9) & sixty
    mixed = ((mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB) & sixty
    return mixed ^ (mixed &>> 31) | (bits &<< 60)
  }

  /// The hash of a value of 12 or 16 bytes, given as two numbers (of a 12-byte value, one has 32 zero bits).
  ///
  /// - Parameters:
  ///   - first: One part of the value.
  ///   - second: The other part. Swapping the parts gives another hash.
  @inlinable
  public static func hash(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let seeds = seeds
    return mix(mix((first ^ seeds.first) &* seeds.second) ^ second)
  }

  /// Stafford's "Mix13": a bijection in which every input bit moves every output bit with a probability of about one
  /// half.
  @inlinable
  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }
}
