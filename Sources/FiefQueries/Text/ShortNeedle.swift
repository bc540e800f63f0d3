import FiefGraph

/// A needle for short strings, which store all their bytes in two words. No byte is read individually.
///
/// One pass over each word finds the possible positions of the last two bytes, which usually vary more than the first.
/// The pass uses the test for zero bytes in a word (Warren, "Hacker's Delight", 2nd edition, 6-1). At each position,
/// the whole needle is compared.
struct ShortNeedle: Sendable {
  /// The relation between the string and the needle.
  enum Anchor: Sendable {
    case all, notAll, start, end, anywhere
  }

  let anchor: Anchor
  let count: Int
  let words: UInt128
  let mask: UInt128
  /// The last byte of the needle, and the one before it, repeated eight times each.
  let lastByte: UInt64
  let lastButOne: UInt64
  let isPossible: Bool

  /// - Parameter bytes: the bytes to find. No short string contains more than 15 bytes.
  init(_ anchor: Anchor, _ bytes: [UInt8]) {
    self.anchor = anchor
    count = bytes.count
    isPossible = bytes.count <= 15 && (!bytes.isEmpty || anchor == .all || anchor == .notAll)
    var words: UInt128 = 0
    var mask: UInt128 = 0
    for (number, byte) in bytes.prefix(15).enumerated() {
      words |= UInt128(byte) << UInt128(number * 8)
      mask |= UInt128(0xFF) << UInt128(number * 8)
    }
    assert(words & ~mask == 0, "A needle has no bytes but its own.")
    self.words = words
    self.mask = mask
    lastByte = UInt64(bytes.last ?? 0) &* 0x0101_0101_0101_0101
    lastButOne = UInt64(bytes.dropLast().last ?? 0) &* 0x0101_0101_0101_0101
  }

  /// Whether a string of `length` bytes in two words, padded with zeros, has the relation to the needle.
  @inline(__always)
  func matches(_ low: UInt64, _ high: UInt64, length: Int) -> Bool {
    assert(0...15 ~= length, "A short string has up to 15 bytes.")
    if !isPossible { return anchor == .notAll }
    let text = UInt128(high) << 64 | UInt128(low)
    switch anchor {
    case .all: return length == count && text == words
    case .notAll: return length != count || text != words
    case .start: return length >= count && text & mask == words
    case .end: return length >= count && text &>> UInt128(truncatingIfNeeded: (length &- count) &* 8) == words
    case .anywhere:
      if length < count { return false }
      let last = length &- count
      // The positions of the needle's last byte after its last but one.
      var (lows, highs) = (Self.zeros(low ^ lastByte), Self.zeros(high ^ lastByte))
      if count > 1 {
        let (before, above) = (Self.zeros(low ^ lastButOne), Self.zeros(high ^ lastButOne))
        highs &= above << 8 | before >> 56
        lows &= before << 8
      }
      if lows | highs == 0 { return false }
      while lows != 0 {
        let offset = lows.trailingZeroBitCount >> 3 &- (count &- 1)
        if offset > last { return false }
        if offset >= 0, (text &>> UInt128(truncatingIfNeeded: offset &* 8)) & mask == words { return true }
        lows &= lows &- 1
      }
      while highs != 0 {
        let offset = 8 &+ highs.trailingZeroBitCount >> 3 &- (count &- 1)
        if offset > last { return false }
        if offset >= 0, (text &>> UInt128(truncatingIfNeeded: offset &* 8)) & mask == words { return true }
        highs &= highs &- 1
      }
      return false
    }
  }

  /// Sets the highest bit of each byte that is zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    let low = (word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F
    return ~(low | word | 0x7F7F_7F7F_7F7F_7F7F)
  }

  /// Converts eight ASCII characters to lower case. No byte may be above 0x7F.
  @inline(__always)
  static func lower(_ word: UInt64) -> UInt64 {
    assert(word & 0x8080_8080_8080_8080 == 0, "The characters are ASCII.")
    let fromA = word &+ 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = word &+ 0x2525_2525_2525_2525
    return word | (fromA & ~beyondZ & 0x8080_8080_8080_8080) >> 2
  }
}
