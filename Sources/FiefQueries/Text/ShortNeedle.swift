import FiefGraph

/// A text to look for inside strings in the short form, all of whose bytes are two words: no byte is looked at alone.
///
/// Candidates for the place of the first byte come of one pass over each word (the test for a zero byte in a word: Warren,
/// "Hacker's Delight", 2nd edition, 6-1); it may name a place too many, never one too few, and each is compared as a whole.
struct ShortNeedle: Sendable {
  /// What is asked of the bytes.
  enum Place: Sendable {
    case all, notAll, beginning, end, anywhere
  }

  let place: Place
  private let count: Int
  private let words: UInt128
  private let mask: UInt128
  private let first: UInt64
  private let isPossible: Bool

  /// - Parameter bytes: what is looked for; of more than 15 bytes nothing short contains it.
  init(_ place: Place, _ bytes: [UInt8]) {
    self.place = place
    count = bytes.count
    isPossible = bytes.count <= 15 && (!bytes.isEmpty || place == .all || place == .notAll)
    var words: UInt128 = 0
    var mask: UInt128 = 0
    for (number, byte) in bytes.prefix(15).enumerated() {
      words |= UInt128(byte) << UInt128(number * 8)
      mask |= UInt128(0xFF) << UInt128(number * 8)
    }
    self.words = words
    self.mask = mask
    first = UInt64(bytes.first ?? 0) &* 0x0101_0101_0101_0101
  }

  /// Whether the text of `length` bytes in two words, zeros behind it, is what is looked for.
  @inline(__always)
  func matches(_ low: UInt64, _ high: UInt64, _ length: Int) -> Bool {
    if !isPossible { return place == .notAll }
    let text = UInt128(high) << 64 | UInt128(low)
    switch place {
    case .all: return length == count && text == words
    case .notAll: return length != count || text != words
    case .beginning: return length >= count && text & mask == words
    case .end: return length >= count && text &>> UInt128(truncatingIfNeeded: (length &- count) &* 8) == words
    case .anywhere:
      if length < count { return false }
      let last = length &- count
      var candidates = Self.zeros(low ^ first)
      while candidates != 0 {
        let offset = candidates.trailingZeroBitCount >> 3
        if offset > last { return false }
        if (text &>> UInt128(truncatingIfNeeded: offset &* 8)) & mask == words { return true }
        candidates &= candidates &- 1
      }
      if last < 8 { return false }
      candidates = Self.zeros(high ^ first)
      while candidates != 0 {
        let offset = 8 &+ candidates.trailingZeroBitCount >> 3
        if offset > last { return false }
        if (text &>> UInt128(truncatingIfNeeded: offset &* 8)) & mask == words { return true }
        candidates &= candidates &- 1
      }
      return false
    }
  }

  /// The highest bits of the bytes that are zero; and perhaps of some above them.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Eight plain letters in lower case. No byte may be above 0x7F.
  @inline(__always)
  static func lower(_ word: UInt64) -> UInt64 {
    let fromA = word &+ 0x3F3F_3F3F_3F3F_3F3F
    let beyondZ = word &+ 0x2525_2525_2525_2525
    return word | (fromA & ~beyondZ & 0x8080_8080_8080_8080) >> 2
  }
}
