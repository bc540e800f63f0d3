/// Hashes of keys, 64 bits. A process draws its own seeds, so a caller that chooses keys cannot predict which of them
/// have similar hashes. None of the functions is cryptographic.
@usableFromInline
package enum KeyHash {
  /// Two random numbers, drawn once per process. Another process may draw others, because a hash is never stored in a
  /// file.
  @usableFromInline static let seeds: (first: UInt64, second: UInt64) = {
    var random = SystemRandomNumberGenerator()
    // The second seed is a factor. An odd factor loses no bits.
    return (random.next(), random.next() | 1)
  }()

  /// The hash of an integer. Different integers have different hashes, so finding the hash is finding the number.
  ///
  /// Sixteen consecutive integers differ only in the highest four bits. In a trie that uses the lowest bits first they
  /// share a bucket, so lookups and insertions of consecutive keys hit cache lines that are already loaded.
  ///
  /// The upper sixty bits of the number go through the 64-bit finaliser of MurmurHash3 (Appleby) with the constants of
  /// Stafford's "Mix13" ("Better Bit Mixing", 2011), cut down to sixty bits and preceded by a seed. Each step is
  /// invertible modulo 2^60 as it is modulo 2^64: an exclusive or with the seed, a product with an odd factor, and an
  /// exclusive or with the shifted value. The function spreads well and is not cryptographic.
  ///
  /// - Parameter value: Any integer.
  @inlinable
  package static func of(_ value: Int64) -> UInt64 {
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
  package static func of(_ first: UInt64, _ second: UInt64) -> UInt64 {
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
