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
    let tables = unsafe tables
    var crc = ~previous
    guard var next = bytes.baseAddress else { return previous }
    var left = bytes.count
    while left >= 16 {
      let first = unsafe next.loadUnaligned(as: UInt64.self).littleEndian ^ UInt64(crc)
      let second = unsafe next.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
      crc = unsafe Self.folded(first, tables + 2048) ^ Self.folded(second, tables)
      unsafe next += 16
      left &-= 16
    }
    while left > 0 {
      crc = unsafe crc &>> 8 ^ tables[Int(truncatingIfNeeded: (crc ^ UInt32(next.load(as: UInt8.self))) & 0xFF)]
      unsafe next += 1
      left &-= 1
    }
    return ~crc
  }

  /// The checksums of two runs of bytes, computed together. Each equals the result of `checksum`.
  ///
  /// Each sixteen bytes of one run depend on those before them. The processor works on the other run meanwhile, so two
  /// runs together take much less time than one after the other. Linear.
  static func checksums(
    _ first: (bytes: UnsafeRawBufferPointer, previous: UInt32),
    _ second: (bytes: UnsafeRawBufferPointer, previous: UInt32)
  ) -> (UInt32, UInt32) {
    let tables = unsafe tables
    let common = unsafe min(first.bytes.count, second.bytes.count) & ~15
    var (a, b) = unsafe (~first.previous, ~second.previous)
    if common > 0, var nextA = unsafe first.bytes.baseAddress, var nextB = unsafe second.bytes.baseAddress {
      var left = common
      while left > 0 {
        let wordA = unsafe nextA.loadUnaligned(as: UInt64.self).littleEndian ^ UInt64(a)
        let wordB = unsafe nextB.loadUnaligned(as: UInt64.self).littleEndian ^ UInt64(b)
        let furtherA = unsafe nextA.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        let furtherB = unsafe nextB.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        a = unsafe Self.folded(wordA, tables + 2048) ^ Self.folded(furtherA, tables)
        b = unsafe Self.folded(wordB, tables + 2048) ^ Self.folded(furtherB, tables)
        unsafe nextA += 16
        unsafe nextB += 16
        left &-= 16
      }
    }
    return unsafe (
      checksum(UnsafeRawBufferPointer(rebasing: first.bytes.dropFirst(common)), after: ~a),
      checksum(UnsafeRawBufferPointer(rebasing: second.bytes.dropFirst(common)), after: ~b)
    )
  }

  /// The contribution of eight bytes to a checksum, before as many more bytes as `tables` stands for.
  @inline(__always)
  private static func folded(_ word: UInt64, _ tables: UnsafePointer<UInt32>) -> UInt32 {
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
