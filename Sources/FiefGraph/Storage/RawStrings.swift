import FiefRuntime

/// Scans of strings as they lie in an array, sixteen bytes each, without `String`'s own calls.
///
/// A small string (`SmallString`) lies in these bytes as a whole, and two of them are equal when their bytes are. A
/// string of another form may be as short, so its bytes prove nothing: the scan then asks the string itself. Where
/// `SmallString.isAvailable` is false, callers pass no words, and every string is asked.
public enum RawStrings {
  /// What the second words of every fourth string of an array have in common: its bit `SmallString.flag` is set when
  /// all of these are in the short form.
  ///
  /// The loop reads one word of each cache line and does no other work, so that the loads of the whole array are in
  /// flight before the first line is examined. A scan of strings mostly waits for memory. The arrays are not adjacent,
  /// and the processor cannot predict which one is next.
  @inlinable
  @inline(__always)
  public static func shortForm(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var (one, two, three, four) = (UInt64.max, UInt64.max, UInt64.max, UInt64.max)
    assert(bytes.count % 16 == 0, "A string takes sixteen bytes.")
    var offset = 8
    while offset &+ 200 <= bytes.count {
      unsafe one &= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      unsafe two &= bytes.loadUnaligned(fromByteOffset: offset &+ 64, as: UInt64.self)
      unsafe three &= bytes.loadUnaligned(fromByteOffset: offset &+ 128, as: UInt64.self)
      unsafe four &= bytes.loadUnaligned(fromByteOffset: offset &+ 192, as: UInt64.self)
      offset &+= 256
    }
    return one & two & three & four
  }
}

extension RawStrings {
  /// `SmallString.words(ofShort:)` for `slots(of:equalTo:short:)`.
  package static func words(ofShort text: String) -> (UInt64, UInt64)? {
    ShortCut.shortTexts.attempt { SmallString.words(ofShort: text) }
  }

  /// The slots whose strings equal `text` byte for byte.
  ///
  /// - Parameter short: `words(ofShort: text)`, computed once for all leaves.
  @inlinable
  @inline(__always)
  public static func slots(
    of strings: UnsafeBufferPointer<String>, equalTo text: String, short: (UInt64, UInt64)?
  ) -> Bitmap256 {
    // Most leaves do not contain the string, and all their strings are in the short form. One pass without taken
    // branches finds that. Strings of more than 8 bytes usually differ in their second word; shorter ones lie entirely
    // in the first.
    if let short {
      let bytes = UnsafeRawBufferPointer(strings)
      let endsDiffer = short.1 >> 56 & 0xF > 8
      let hasNone = unsafe endsDiffer ? hasNone(of: 1, short.1, in: bytes) : hasNone(of: 0, short.0, in: bytes)
      if hasNone { return Bitmap256() }
    }
    return unsafe oneByOne(in: strings, equalTo: text, short: short)
  }

  /// Whether all strings are in the short form, and none has `word` as its first or second word (`wordIndex` 0 or 1).
  ///
  /// Two instructions a string: a comparison with a branch that is taken at most once, and an operation on the bit that
  /// marks the form. Vectors of two words took more than twice as long, because the words have to be gathered for them.
  @inlinable
  @inline(__always)
  static func hasNone(of wordIndex: Int, _ word: UInt64, in bytes: UnsafeRawBufferPointer) -> Bool {
    @inline(__always)
    func load(_ offset: Int) -> UInt64 { unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    let head = wordIndex &* 8
    assert(wordIndex == 0 || wordIndex == 1, "A string is two words.")
    var isShort = unsafe shortForm(of: bytes)
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
    return isShort & one & two & SmallString.flag != 0
  }

  @inlinable
  @inline(never)
  static func oneByOne(
    in strings: UnsafeBufferPointer<String>, equalTo text: String, short: (UInt64, UInt64)?
  ) -> Bitmap256 {
    var result = Bitmap256()
    guard let (first, second) = short else {
      for slot in 0..<strings.count where unsafe String.isIdentical(strings[slot], text) { result[slot] = true }
      return result
    }
    let bytes = UnsafeRawBufferPointer(strings)
    for slot in 0..<strings.count {
      let a = unsafe bytes.loadUnaligned(fromByteOffset: slot &* 16, as: UInt64.self)
      let b = unsafe bytes.loadUnaligned(fromByteOffset: slot &* 16 &+ 8, as: UInt64.self)
      if a == first && b == second {
        result[slot] = true
      } else if b & SmallString.flag == 0, unsafe String.isIdentical(strings[slot], text) {
        result[slot] = true
      }
    }
    return result
  }
}
