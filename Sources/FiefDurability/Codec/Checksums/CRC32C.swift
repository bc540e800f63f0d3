/// The checksum of records and blocks: CRC-32C (Castagnoli), as in iSCSI (RFC 3720).
///
///     CRC32C.checksum(bytes)                                of "123456789": 0xE3069283
///     CRC32C.checksum(b, after: CRC32C.checksum(a))         of a followed by b
///
/// Below 256 MiB it detects any one, two or three flipped bits and any burst up to 32 bits long; it misses other damage
/// once in 2^32. The checksum that it continues from ("after") is its seed: equal bytes under two different seeds never
/// have equal checksums.
package enum CRC32C {
  /// The polynomial, with its bits reversed and x^32 omitted.
  static let polynomial: UInt32 = 0x82F6_3B78

  /// Sixteen tables of 256 checksums of a byte followed by 0...15 zero bytes: "slicing by 8" (Kounavis and Berry, "A
  /// Systematic Approach to Building High Performance, Software-Based, CRC Generators", 2005), twice as wide.
  ///
  /// One allocation for the life of the process. It is filled here and constant afterwards; every index below is less
  /// than 4096.
  nonisolated(unsafe) private static let tables: UnsafePointer<UInt32> = {
    let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 16 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : polynomial) }
      unsafe (tables + byte).initialize(to: crc)
    }
    for index in 256..<4096 {
      let before = unsafe tables[index - 256]
      unsafe (tables + index).initialize(to: before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return unsafe UnsafePointer(tables)
  }()

  /// For each highest byte of a checksum, the lowest byte of the checksum one step before: no two entries of the first
  /// table have the same highest byte. Filled once, as the tables are; each index is a byte.
  nonisolated(unsafe) private static let stepsBack: UnsafePointer<UInt32> = {
    let steps = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    unsafe steps.initialize(repeating: 0, count: 256)
    for byte in 0..<256 { unsafe steps[Int(tables[byte] >> 24)] = UInt32(byte) }
    return unsafe UnsafePointer(steps)
  }()

  /// The checksum of `bytes`, continued from `previous`, the checksum of the bytes before them. Linear.
  package static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    guard let next = bytes.baseAddress else { return previous }
    let steps = bytes.count / stepSize
    if steps < shortestFold { return ~(unsafe continued(~previous, next, bytes.count)) }
    let register = unsafe folded(~previous, next, steps)
    return ~(unsafe continued(register, next + steps * stepSize, bytes.count % stepSize))
  }

  /// The register of a checksum after more bytes, by look-ups in the tables.
  private static func continued(_ register: UInt32, _ start: UnsafeRawPointer, _ count: Int) -> UInt32 {
    let tables = unsafe tables
    var (crc, next, left) = unsafe (register, start, count)
    while left >= 16 {
      let first = unsafe next.loadUnaligned(as: UInt64.self).littleEndian ^ UInt64(crc)
      let second = unsafe next.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
      crc = unsafe Self.contribution(first, tables + 2048) ^ Self.contribution(second, tables)
      unsafe next += 16
      left &-= 16
    }
    while left > 0 {
      crc = unsafe crc &>> 8 ^ tables[Int(truncatingIfNeeded: (crc ^ UInt32(next.load(as: UInt8.self))) & 0xFF)]
      unsafe next += 1
      left &-= 1
    }
    return crc
  }

  /// The contribution of eight bytes to a checksum, before as many more bytes as `tables` stands for.
  @inline(__always)
  private static func contribution(_ word: UInt64, _ tables: UnsafePointer<UInt32>) -> UInt32 {
    // Two halves that are independent of one another.
    let low =
      unsafe tables[Int(truncatingIfNeeded: word & 0xFF) | 1792]
      ^ tables[Int(truncatingIfNeeded: word &>> 8 & 0xFF) | 1536]
      ^ tables[Int(truncatingIfNeeded: word &>> 16 & 0xFF) | 1280]
      ^ tables[Int(truncatingIfNeeded: word &>> 24 & 0xFF) | 1024]
    let high =
      unsafe tables[Int(truncatingIfNeeded: word &>> 32 & 0xFF) | 768]
      ^ tables[Int(truncatingIfNeeded: word &>> 40 & 0xFF) | 512]
      ^ tables[Int(truncatingIfNeeded: word &>> 48 & 0xFF) | 256] ^ tables[Int(truncatingIfNeeded: word &>> 56)]
    return low ^ high
  }

  // MARK: Long runs

  /// The number of bytes in a step.
  private static let stepSize = MemoryLayout<Step>.size
  private typealias Step = SIMD2<UInt64>
  /// The longest distance between a step and one that is added to it.
  private static let reach = 79
  /// The number of steps that are folded into memory which stays in the cache.
  private static let foldedSteps = 512
  /// From this number of steps on, folding is faster than the tables.
  private static let shortestFold = 2 * reach

  /// The register of a checksum after `count` steps, at least `reach`.
  ///
  /// With y = x^128, which moves a step on by one, the polynomial divides
  /// y^79 + y^75 + y^71 + y^58 + y^18 + y^12 + y + 1. So adding a step (by exclusive or) to those 4, 8, 21, 61, 67, 78
  /// and 79 behind it does what the step itself does to the checksum, and it can be left out. It takes seven loads and
  /// no look-up, and no step waits for the one before it. The tables take the last 79 steps. (Eliminating bytes with a
  /// multiple of the polynomial that has few terms: Kadatch and Russell, "Chorba: A novel CRC32 implementation", 2024.)
  private static func folded(_ register: UInt32, _ start: UnsafeRawPointer, _ count: Int) -> UInt32 {
    assert(count >= reach, "The last steps are not folded.")
    return unsafe withUnsafeTemporaryAllocation(of: Step.self, capacity: reach + foldedSteps) { memory in
      // The steps before the current one, with what was added to them.
      let before = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe before.initialize(repeating: .zero, count: memory.count)
      // The register belongs to the first four bytes, to which the step this far before them is added, and to no other.
      unsafe before[0] = Step(UInt64(register).littleEndian, 0)
      let current = unsafe before + reach
      var (next, left) = unsafe (start, count - reach)
      while left > 0 {
        let steps = min(left, foldedSteps)
        for index in 0..<steps { unsafe current[index] = Self.sum(next + index &* stepSize, current + index) }
        unsafe before.update(from: before + steps, count: reach)
        unsafe next += steps &* stepSize
        left &-= steps
      }
      // The last steps are added to nothing: backwards, none is seen by another.
      unsafe current.update(repeating: .zero, count: reach)
      for index in (0..<reach).reversed() {
        unsafe current[index] = Self.sum(next + index &* stepSize, current + index)
      }
      return unsafe continued(0, current, reach * stepSize)
    }
  }

  /// A step of the bytes, with the steps that are added to it.
  @inline(__always)
  private static func sum(_ bytes: UnsafeRawPointer, _ place: UnsafeMutablePointer<Step>) -> Step {
    let far = unsafe place[-79] ^ place[-78] ^ place[-67] ^ place[-61]
    let near = unsafe place[-21] ^ place[-8] ^ place[-4]
    return unsafe bytes.loadUnaligned(as: Step.self) ^ far ^ near
  }

  /// Finds the single flipped bit of a message of `count` bytes, followed by its checksum in four bytes. `syndrome` is
  /// the exclusive or of the computed and the stored checksum.
  ///
  /// Each bit has a syndrome of its own in messages below 256 MiB. The search goes from the last byte to the first.
  ///
  /// - Returns: the position of the bit, from the message's first (8 times the byte, plus the bit's power in it), or
  ///   nil if the damage is not a single bit.
  /// - Complexity: O(`count`).
  package static func flippedBit(syndrome: UInt32, count: Int) -> Int? {
    if syndrome == 0 { return nil }
    if syndrome.nonzeroBitCount == 1 { return count * 8 + syndrome.trailingZeroBitCount }
    // A flipped bit enters the checksum as a byte with one bit, and each following byte of the message is one step. So
    // the search undoes one step for each byte from the end, until a byte with one bit remains.
    let (tables, steps) = unsafe (tables, stepsBack)
    var crc = syndrome
    var byte = count &- 1
    while byte >= 0 {
      let low = unsafe steps[Int(truncatingIfNeeded: crc &>> 24)]
      crc = unsafe (crc ^ tables[Int(truncatingIfNeeded: low)]) &<< 8 | low
      if crc < 256 && crc.nonzeroBitCount == 1 { return byte * 8 + crc.trailingZeroBitCount }
      byte &-= 1
    }
    return nil
  }
}
