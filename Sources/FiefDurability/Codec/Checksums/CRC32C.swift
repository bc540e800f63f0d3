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
  /// 2048. The entries have the width of an index: converting between widths costs nothing in release builds, and most of
  /// the time in debug builds, in which the tests flip every bit of files.
  nonisolated(unsafe) private static let tables: UnsafePointer<UInt> = {
    let tables = UnsafeMutablePointer<UInt>.allocate(capacity: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : polynomial) }
      (tables + byte).initialize(to: UInt(crc))
    }
    for place in 256..<2048 {
      let before = tables[place - 256]
      (tables + place).initialize(to: before >> 8 ^ tables[Int(bitPattern: before & 0xFF)])
    }
    return UnsafePointer(tables)
  }()

  /// For each highest byte of a checksum, the lowest byte of the one a step before: no two entries of the first table have
  /// the same highest byte. Filled once, as the tables are; each index is a byte.
  nonisolated(unsafe) private static let stepsBack: UnsafePointer<UInt> = {
    let steps = UnsafeMutablePointer<UInt>.allocate(capacity: 256)
    steps.initialize(repeating: 0, count: 256)
    for byte in 0..<256 { steps[Int(bitPattern: tables[byte] >> 24)] = UInt(byte) }
    return UnsafePointer(steps)
  }()

  /// The checksum of `bytes`, of what comes before them if `previous` is its checksum. Linear.
  public static func checksum(_ bytes: UnsafeRawBufferPointer, after previous: UInt32 = 0) -> UInt32 {
    let tables = tables
    var crc = UInt(~previous)
    guard var next = bytes.baseAddress else { return previous }
    var left = bytes.count
    while left >= 8 {
      let low = UInt(UInt32(littleEndian: next.loadUnaligned(as: UInt32.self))) ^ crc
      let high = UInt(UInt32(littleEndian: next.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
      // Two halves that do not wait for one another.
      let first =
        tables[Int(bitPattern: low & 0xFF | 1792)] ^ tables[Int(bitPattern: low &>> 8 & 0xFF | 1536)]
        ^ tables[Int(bitPattern: low &>> 16 & 0xFF | 1280)] ^ tables[Int(bitPattern: low &>> 24 | 1024)]
      let second =
        tables[Int(bitPattern: high & 0xFF | 768)] ^ tables[Int(bitPattern: high &>> 8 & 0xFF | 512)]
        ^ tables[Int(bitPattern: high &>> 16 & 0xFF | 256)] ^ tables[Int(bitPattern: high &>> 24)]
      crc = first ^ second
      next += 8
      left &-= 8
    }
    while left > 0 {
      crc = crc &>> 8 ^ tables[Int(bitPattern: (crc ^ UInt(next.load(as: UInt8.self))) & 0xFF)]
      next += 1
      left &-= 1
    }
    return ~UInt32(truncatingIfNeeded: crc)
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
    // A flipped bit enters the checksum as a byte with one bit, and each byte of the message from there on is one step. So
    // the steps are taken back, one for each byte from the end, until such a byte is what is left.
    let (tables, steps) = (tables, stepsBack)
    var crc = UInt(syndrome)
    var byte = count &- 1
    while byte >= 0 {
      let low = steps[Int(bitPattern: crc &>> 24)]
      crc = (crc ^ tables[Int(bitPattern: low)]) &<< 8 | low
      if crc < 256 && crc.nonzeroBitCount == 1 { return byte * 8 + crc.trailingZeroBitCount }
      byte &-= 1
    }
    return nil
  }
}
