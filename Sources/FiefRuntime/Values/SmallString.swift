/// The two words of a string of at most 15 bytes, which hold the bytes themselves.
///
///     first word                       second word
///     ┌────┬────┬────┬── … ──┬────┐    ┌────┬── … ──┬────┬──────────────┐
///     │ b0 │ b1 │ b2 │       │ b7 │    │ b8 │       │b14 │ 1?1 and count│
///     └────┴────┴────┴── … ──┴────┘    └────┴── … ──┴────┴──────────────┘
///
/// Two strings of this form are equal when their words are. Other forms keep a count, flags and an address there; a
/// string of another form may be short, too, so the words of one prove nothing.
///
/// Lending the bytes of such a string to a closure makes the standard library write both words to memory, and reading
/// them there at other boundaries waits for the writes. Reading the words costs a fifth of that.
///
/// Why this is right: a string is read as two words only if it has their size. The meaning of the words is private to
/// the standard library, so a probe tries it once on strings of each length and kind. Where it differs (or where
/// pointers carry tags, as on some Android devices) no string is read in this way.
@frozen
public struct SmallString: Sendable, Equatable {
  /// The bytes 0 to 7, the first one lowest.
  @usableFromInline package let first: UInt64
  /// The bytes 8 to 14, and the count with the flags above them.
  @usableFromInline package let second: UInt64

  /// The number of bytes.
  @inlinable
  @inline(__always)
  package var count: Int { Int(truncatingIfNeeded: second &>> 56 & 15) }

  /// The words of a string that has this form; nil for others.
  ///
  /// - Parameter isAvailable: `SmallString.isAvailable`, read once for many strings.
  @inlinable
  @inline(__always)
  package init?(_ string: borrowing String, isAvailable: Bool) {
    guard isAvailable else { return nil }
    let words = Self.words(of: string)
    guard words.1 & Self.flag != 0 else { return nil }
    first = words.0
    second = words.1
  }

  /// The words of a string of at most 15 bytes, whatever its form is; nil for a longer one. Only where `isAvailable` is
  /// true.
  @inlinable
  @inline(__always)
  package init?(short string: String) {
    var words = Self.words(of: string)
    if words.1 & Self.flag == 0 {
      guard string.utf8.count <= 15 else { return nil }
      words = Self.words(of: Self.compact(string))
    }
    first = words.0
    second = words.1
  }

  /// The words of the empty string.
  package static var empty: SmallString { SmallString(first: 0, second: asciiFlags) }

  @inlinable
  init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// The string of these words. No reference is counted.
  @inlinable
  @inline(__always)
  package var string: String {
    assert(second & Self.flag != 0, "The words are those of a small string.")
    return unsafe unsafeBitCast((first, second), to: String.self)
  }

  // MARK: Words

  /// The bit of the second word that distinguishes this form from others.
  @inlinable
  @inline(__always)
  package static var flag: UInt64 { 0x2000_0000_0000_0000 }

  /// The bits of the second word that a string of ASCII in this form has set.
  @inlinable
  @inline(__always)
  package static var asciiFlags: UInt64 { 0xE000_0000_0000_0000 }

  /// The two words of any string, whatever its form is. Only for strings of this size: ask `isAvailable` first.
  @inlinable
  @inline(__always)
  package static func words(of string: borrowing String) -> (UInt64, UInt64) {
    unsafe withUnsafeBytes(of: string) { unsafe $0.load(as: (UInt64, UInt64).self) }
  }

  /// The two words of a string of at most 15 bytes, whatever its form is; nil for a longer one, and when `isAvailable`
  /// is false.
  package static func words(ofShort string: String) -> (UInt64, UInt64)? {
    guard isAvailable, let small = SmallString(short: string) else { return nil }
    return (small.first, small.second)
  }

  /// An equal string, which has this form if it is short enough.
  @usableFromInline
  package static func compact(_ string: String) -> String { String(decoding: Array(string.utf8), as: UTF8.self) }

  /// The second word as a number that orders like its bytes, and then like the length.
  @inlinable
  @inline(__always)
  package static func ordered(_ word: UInt64) -> UInt64 {
    (word & (UInt64.max >> 8)).byteSwapped | (word >> 56) & 0xF
  }

  // MARK: The probe

  /// Whether strings are laid out as drawn: of this size, on a machine that stores the lowest byte first, with every
  /// sample as expected.
  package static let isAvailable: Bool = {
    guard !RuntimeFeature.smallStrings.isSwitchedOff, MemoryLayout<String>.size == 16,
      MemoryLayout<String>.stride == 16, 1.littleEndian == 1
    else { return false }
    // Made at run time, so that none of them is a literal.
    let letters = Array("abcdefghijklmno".utf8)
    for count in 0...15 {
      for isASCII in [true, false] {
        var bytes = Array(letters.prefix(count))
        if !isASCII {
          guard count >= 2 else { continue }
          bytes.replaceSubrange(0..<2, with: [0xC3, 0xBC])
        }
        let (first, second) = words(of: String(decoding: bytes, as: UTF8.self))
        let words = unsafe withUnsafeBytes(of: (first, second)) { unsafe Array($0) }
        let mark: UInt8 = isASCII ? 0xE0 : 0xA0
        guard Array(words[..<count]) == bytes, words[count..<15].allSatisfy({ $0 == 0 }),
          words[15] == mark | UInt8(count)
        else { return false }
      }
    }
    // Made of bytes that others follow.
    let following = letters + letters
    for count in 0...15 {
      let made = unsafe [String](unsafeUninitializedCapacity: 1) { place, written in
        let isMade = unsafe following.withUnsafeBytes {
          unsafe Maker().initialize(place.baseAddress.unsafelyUnwrapped, ascii: $0, at: 0, count: count)
        }
        written = isMade ? 1 : 0
      }
      guard let string = made.first, Array(string.utf8) == Array(letters.prefix(count)),
        string == String(decoding: letters.prefix(count), as: UTF8.self)
      else { return false }
    }
    // Longer ones, and literals, are distinguished by the flag.
    for string in [
      String(repeating: "a", count: 16), String(repeating: "ü", count: 400), "a literal of more than 15 bytes",
    ] {
      if words(of: string).1 & flag != 0 { return false }
    }
    return true
  }()
}
