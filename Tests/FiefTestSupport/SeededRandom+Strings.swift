extension SeededRandom {
  /// Strings at which code breaks.
  ///
  /// They include the empty string and strings of 15 and 16 bytes, between which Swift's short form ends. There are
  /// NUL, marks without a base, and letters that change length when their case changes. Some strings are in composed
  /// and in decomposed form, which Swift treats as equal although the bytes differ. Others are beyond the Basic
  /// Multilingual Plane, where UTF-8 and UTF-16 order differently. Flags and families are one character of many
  /// scalars.
  public static let stringEdges: [String] = [
    "", " ", "a", "A", "z", "0", "-1", "\u{0}", "a\u{0}b", "\u{7F}", "\n", "\r\n", "\t", "\"", "'", "\\", "%", "*", "?",
    "abcdefghijklmno", "abcdefghijklmnop",
    "caf\u{E9}", "cafe\u{301}", "\u{301}", "a\u{301}\u{323}", "a\u{323}\u{301}", "\u{212B}", "\u{C5}", "A\u{30A}",
    "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}\u{1F1EA}", "\u{FFFD}", "\u{FFFF}",
    "\u{10FFFF}",
    "\u{FF5E}", "\u{10000}", "\u{DF}", "\u{130}", "\u{131}", "\u{FB01}", "\u{200B}", "\u{FEFF}a", "\u{202E}abc",
    "\u{4E2D}\u{6587}", "\u{5D0}\u{5D1}",
  ]

  /// A string with edge cases: an edge, a few letters of a tiny alphabet (so that equal strings are frequent), a length
  /// around the limit of short strings, random scalars, or occasionally a long string.
  public mutating func string() -> String {
    switch below(16) {
    case 0..<4: return element(of: Self.stringEdges)
    case 4..<8: return text(count: below(4), of: "ab")
    case 8..<11: return text(count: 13 + below(5), of: "abcdefghijklmnopqrstuvwxyz")
    case 11..<13: return element(of: Self.stringEdges) + element(of: Self.stringEdges)
    case 13..<15: return scalars(count: below(12))
    default: return text(count: below(2000), of: "abcdefghijklmnopqrstuvwxyz 0123456789")
    }
  }

  /// A string of characters drawn from `alphabet`.
  ///
  /// - Parameters:
  ///   - count: The number of characters, at least 0.
  ///   - alphabet: The characters to draw from; not empty unless `count` is 0.
  /// - Complexity: O(`count` + length of the alphabet).
  public mutating func text(count: Int, of alphabet: String) -> String {
    let letters = Array(alphabet)
    var result = ""
    for _ in 0..<count {
      result.append(element(of: letters))
    }
    return result
  }

  /// A string of random Unicode scalars: one-, two-, three- and four-byte ones in equal shares.
  ///
  /// - Parameter count: The number of scalars, at least 0.
  /// - Complexity: O(`count`).
  public mutating func scalars(count: Int) -> String {
    let planes: [ClosedRange<Int>] = [0...0x7F, 0x80...0x7FF, 0x800...0xFFFF, 0x10000...0x10FFFF]
    var result = String.UnicodeScalarView()
    for _ in 0..<count {
      // Surrogates are not scalars, so the replacement character is used for them.
      result.append(Unicode.Scalar(UInt32(int(in: element(of: planes)))) ?? "\u{FFFD}")
    }
    return String(result)
  }
}
