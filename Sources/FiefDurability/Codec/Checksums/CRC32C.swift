/// The checksum of records and blocks: CRC-32C (Castagnoli), as in iSCSI (RFC 3720).
///
///     CRC32C.checksum(bytes)                                of "123456789": 0xE3069283
///     CRC32C.checksum(b, after: CRC32C.checksum(a))         of a followed by b
///
/// Below 256 MiB it proves that bytes are free of any one, two or three flipped bits and of any burst up to 32 bits
/// long; other damage slips by once in 2^32. What a checksum goes on from ("after") is its seed: equal bytes under two
/// different seeds never have equal checksums.
public enum CRC32C {
  /// The polynomial, its bits reversed; x^32 is not written.
  static let polynomial: UInt32 = 0x82F6_3B78

  /// Eight tables of 256 checksums of a byte followed by 0...7 zero bytes: "slicing by 8" (Kounavis and Berry, "A
  /// Systematic Approach to Building High Performance, Software-Based, CRC Generators", 2005).
  ///
  /// One allocation in the life of the process that is filled here and only read afterwards; every index below is below
  /// 2048.
  nonisolated(unsafe) private static let tables: UnsafePointer<UInt32> = {
    let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : polynomial) }
      (tables + byte).initialize(to: crc)
    }
    for place in 256..<2048 {
      let before = tables[place - 256]
      (tables + place).initialize(to: before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return UnsafePointer(tables)
  }()

  /// The checksum of `bytes`, of what comes before them if `previous` is its checksum. Linear.
  public static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    let tables = tables
    var crc = ~previous
    guard var next = bytes.baseAddress else { return previous }
    var left = bytes.count
    while left >= 8 {
      let word = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)) ^ UInt64(crc)
      let low = UInt32(truncatingIfNeeded: word)
      let high = UInt32(truncatingIfNeeded: word &>> 32)
      // Two halves that do not wait for one another.
      let first =
        tables[Int(truncatingIfNeeded: low & 0xFF) &+ 1792]
        ^ tables[Int(truncatingIfNeeded: low &>> 8 & 0xFF) &+ 1536]
        ^ tables[Int(truncatingIfNeeded: low &>> 16 & 0xFF) &+ 1280]
        ^ tables[Int(truncatingIfNeeded: low &>> 24) &+ 1024]
      let second =
        tables[Int(truncatingIfNeeded: high & 0xFF) &+ 768]
        ^ tables[Int(truncatingIfNeeded: high &>> 8 & 0xFF) &+ 512]
        ^ tables[Int(truncatingIfNeeded: high &>> 16 & 0xFF) &+ 256]
        ^ tables[Int(truncatingIfNeeded: high &>> 24)]
      crc = first ^ second
      next += 8
      left &-= 8
    }
    while left > 0 {
      crc = crc &>> 8 ^ tables[Int(truncatingIfNeeded: (crc ^ UInt32(next.load(as: UInt8.self))) & 0xFF)]
      next += 1
      left &-= 1
    }
    return ~crc
  }

  /// Which single bit of a message of `count` bytes, its checksum in the next four bytes included, was flipped, if the
  /// checksum that was computed differs from the one that was read by `syndrome`.
  ///
  /// Each bit has a syndrome of its own in messages below 256 MiB; the search goes from the last byte to the first.
  ///
  /// - Returns: the place of the bit, from the message's first (8 times the byte, plus the bit's power in it), or nil when
  ///   it was not one bit.
  /// - Complexity: O(`count`).
  public static func flippedBit(syndrome: UInt32, count: Int) -> Int? {
    if syndrome == 0 { return nil }
    if syndrome.nonzeroBitCount == 1 { return count * 8 + syndrome.trailingZeroBitCount }
    // A flip of bit `b` of the last byte adds `table[1 << b]`; each byte further to the front is one step more.
    let tables = tables
    var steps: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) =
      (tables[1], tables[2], tables[4], tables[8], tables[16], tables[32], tables[64], tables[128])
    func step(_ crc: inout UInt32) { crc = crc &>> 8 ^ tables[Int(truncatingIfNeeded: crc & 0xFF)] }
    var byte = count &- 1
    while byte >= 0 {
      // Bits of one byte are apart by shifts, so eight comparisons stand for eight bits.
      if steps.0 == syndrome { return byte * 8 }
      if steps.1 == syndrome { return byte * 8 + 1 }
      if steps.2 == syndrome { return byte * 8 + 2 }
      if steps.3 == syndrome { return byte * 8 + 3 }
      if steps.4 == syndrome { return byte * 8 + 4 }
      if steps.5 == syndrome { return byte * 8 + 5 }
      if steps.6 == syndrome { return byte * 8 + 6 }
      if steps.7 == syndrome { return byte * 8 + 7 }
      step(&steps.0)
      step(&steps.1)
      step(&steps.2)
      step(&steps.3)
      step(&steps.4)
      step(&steps.5)
      step(&steps.6)
      step(&steps.7)
      byte &-= 1
    }
    return nil
  }
}
