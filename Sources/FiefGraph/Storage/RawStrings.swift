/// The sixteen bytes of a Swift string as they lie in an array, for scans that must not pay for `String`'s own calls.
///
///     short form (up to 15 bytes of UTF-8)      any other form
///     ┌───────────────────┬────────┐            ┌───────────────┬────────────────┐
///     │ the bytes, zeros  │ 1?1?nnnn│           │ count, flags  │ 0… address     │
///     └───────────────────┴────────┘            └───────────────┴────────────────┘
///
/// A string in the short form is wholly in these bytes, and two of them are equal when their bytes are. What is not in
/// the short form may still be a short text, so nothing is concluded from it: the caller asks the string itself.
///
/// The layout is that of the standard library on 64-bit little-endian platforms. It is not taken on trust:
/// `isAsExpected` tries it once, and where it fails (or where pointers carry tags, as on some Android devices) scans
/// ask the strings themselves.
public enum RawStrings {
  /// Whether strings lie in memory as described.
  public static let isAsExpected: Bool = {
    guard MemoryLayout<String>.size == 16, 1.littleEndian == 1 else { return false }
    func words(_ text: String) -> (UInt64, UInt64) { withUnsafeBytes(of: text) { $0.load(as: (UInt64, UInt64).self) } }
    func made(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    guard words(made([])) == (0, 0xE000_0000_0000_0000), words(made([0x61])) == (0x61, 0xE100_0000_0000_0000),
      words(made([0xC3, 0xA9])) == (0xA9C3, 0xA200_0000_0000_0000)
    else { return false }
    guard words(made(Array(0x41...0x4F))) == (0x4847_4645_4443_4241, 0xEF4F_4E4D_4C4B_4A49) else { return false }
    return words(made(Array(0x41...0x50))).1 & shortForm == 0
  }()

  /// The bit of the second word that tells the short form.
  @inlinable
  public static var shortForm: UInt64 { 0x2000_0000_0000_0000 }

  /// What the second words of every fourth string of an array have in common: its bit `shortForm` is set when all of
  /// these are in the short form.
  ///
  /// It asks each line of the cache for one word and does nothing with it meanwhile, so that the whole array is under
  /// way before the first line is looked at. A scan of strings waits for memory and for little else; arrays lie apart,
  /// and nothing but this tells the processor which one is next.
  @inlinable
  @inline(__always)
  public static func shortForm(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var (one, two, three, four) = (UInt64.max, UInt64.max, UInt64.max, UInt64.max)
    var offset = 8
    while offset &+ 200 <= bytes.count {
      one &= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      two &= bytes.loadUnaligned(fromByteOffset: offset &+ 64, as: UInt64.self)
      three &= bytes.loadUnaligned(fromByteOffset: offset &+ 128, as: UInt64.self)
      four &= bytes.loadUnaligned(fromByteOffset: offset &+ 192, as: UInt64.self)
      offset &+= 256
    }
    return one & two & three & four
  }

  /// The two words of a text of up to 15 bytes in the short form; nil for a longer one.
  public static func shortWords(of text: String) -> (UInt64, UInt64)? {
    let words = withUnsafeBytes(of: text) { $0.load(as: (UInt64, UInt64).self) }
    if words.1 & shortForm != 0 { return words }
    guard text.utf8.count <= 15 else { return nil }
    let short = String(decoding: Array(text.utf8), as: UTF8.self)
    return withUnsafeBytes(of: short) { $0.load(as: (UInt64, UInt64).self) }
  }
}

extension RawStrings {
  /// The slots whose strings are, byte for byte, `text`.
  ///
  /// - Parameter short: `RawStrings.shortWords(of: text)`, worked out once for all leaves; nil, too, when
  ///   `RawStrings.isAsExpected` is false.
  @inlinable
  @inline(__always)
  public static func slots(
    of strings: UnsafeBufferPointer<String>, equalTo text: String, short: (UInt64, UInt64)?
  ) -> Bitmap256 {
    // Most leaves have no such string, and all of their strings in the short form: that is found without a branch. Of
    // two long texts the ends differ as a rule, of two short ones the beginnings, which are all of them.
    if let short {
      let bytes = UnsafeRawBufferPointer(strings)
      let endsDiffer = short.1 >> 56 & 0xF > 8
      let hasNone = endsDiffer ? hasNone(of: 1, short.1, in: bytes) : hasNone(of: 0, short.0, in: bytes)
      if hasNone { return Bitmap256() }
    }
    return oneByOne(strings, text, short)
  }

  /// Whether all strings are in the short form, and none of them has `word` for its first or second word (`place` 0 or
  /// 1).
  ///
  /// Two instructions a string: a comparison with a jump that is taken once at most, and the bit that tells the form.
  /// Vectors of two words took more than twice as long, since words have to be brought side by side for them.
  @inlinable
  @inline(__always)
  static func hasNone(of place: Int, _ word: UInt64, in bytes: UnsafeRawBufferPointer) -> Bool {
    @inline(__always)
    func load(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    let head = place &* 8
    var isShort = shortForm(of: bytes)
    var (one, two) = (UInt64.max, UInt64.max)
    var offset = 0
    while offset &+ 64 <= bytes.count {
      if load(offset &+ head) == word || load(offset &+ 16 &+ head) == word { return false }
      if load(offset &+ 32 &+ head) == word || load(offset &+ 48 &+ head) == word { return false }
      one &= load(offset &+ 8) & load(offset &+ 24)
      two &= load(offset &+ 40) & load(offset &+ 56)
      offset &+= 64
    }
    while offset < bytes.count {
      if load(offset &+ head) == word { return false }
      isShort &= load(offset &+ 8)
      offset &+= 16
    }
    return isShort & one & two & shortForm != 0
  }

  @inlinable
  @inline(never)
  static func oneByOne(
    _ strings: UnsafeBufferPointer<String>, _ text: String, _ short: (UInt64, UInt64)?
  ) -> Bitmap256 {
    var result = Bitmap256()
    guard let (first, second) = short else {
      for slot in 0..<strings.count where String.isIdentical(strings[slot], text) { result[slot] = true }
      return result
    }
    let bytes = UnsafeRawBufferPointer(strings)
    for slot in 0..<strings.count {
      let a = bytes.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
      let b = bytes.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
      if a == first && b == second {
        result[slot] = true
      } else if b & shortForm == 0, String.isIdentical(strings[slot], text) {
        result[slot] = true
      }
    }
    return result
  }
}
