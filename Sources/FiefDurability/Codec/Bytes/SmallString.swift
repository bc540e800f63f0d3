// Unsafe code, and why it is right: a string is looked at as two words, which it is if it has their size; what the
// words mean is not promised by the language, so it is tried first, on strings of each kind, and not relied upon where
// it is otherwise.

/// The two words of a string of at most 15 bytes, which hold the bytes themselves.
///
///     first word                       second word
///     ┌────┬────┬────┬── … ──┬────┐    ┌────┬── … ──┬────┬──────────────┐
///     │ b0 │ b1 │ b2 │       │ b7 │    │ b8 │       │b14 │ 1?1 and count│
///     └────┴────┴────┴── … ──┴────┘    └────┴── … ──┴────┴──────────────┘
///
/// Lending such a string's bytes out makes the standard library write both words to memory, from where reading them
/// again at other boundaries waits for the writes; copying the words costs a fifth of that.
struct SmallString {
  let first: UInt64
  let second: UInt64

  /// The number of bytes.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: second &>> 56 & 15) }

  /// The words of a string that is known to be laid out so; nil for others.
  ///
  /// - Parameter isKnown: `areKnown`, asked once for many strings.
  @inline(__always)
  init?(_ string: String, isKnown: Bool) {
    guard isKnown else { return nil }
    let (first, second) = unsafeBitCast(string, to: (UInt64, UInt64).self)
    guard second &>> 61 & 1 == 1 else { return nil }
    self.first = first
    self.second = second
  }

  /// Whether strings are laid out as drawn: of this size, on a machine that stores the lowest byte first, with every
  /// sample as expected.
  static let areKnown: Bool = {
    guard MemoryLayout<String>.size == 16, MemoryLayout<String>.stride == 16, 1.littleEndian == 1 else { return false }
    // Made at run time, so that none of them is a literal.
    let letters = Array("abcdefghijklmno".utf8)
    for count in 0...15 {
      for isASCII in [true, false] {
        var bytes = Array(letters.prefix(count))
        if !isASCII {
          guard count >= 2 else { continue }
          bytes.replaceSubrange(0..<2, with: [0xC3, 0xBC])
        }
        let string = String(decoding: bytes, as: UTF8.self)
        let (first, second) = unsafeBitCast(string, to: (UInt64, UInt64).self)
        let words = withUnsafeBytes(of: (first, second)) { Array($0) }
        let mark: UInt8 = isASCII ? 0xE0 : 0xA0
        guard Array(words[..<count]) == bytes, words[15] == mark | UInt8(count) else { return false }
      }
    }
    // Longer ones, and literals, are told apart by the bit.
    for string in [
      String(repeating: "a", count: 16), String(repeating: "ü", count: 400), "a literal of more than 15 bytes",
    ] {
      if unsafeBitCast(string, to: (UInt64, UInt64).self).1 &>> 61 & 1 == 1 { return false }
    }
    return true
  }()
}
