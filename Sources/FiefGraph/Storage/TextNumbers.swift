import FiefRuntime

/// Numbers that ascend with strings, which have a number of bytes in common from the first one on.
///
/// A number consists of the seven bytes behind these, the first one highest, and of how many bytes there are from there
/// on, or 8 if they are more than seven. So strings have equal numbers only if they are equal, or longer than that.
struct TextNumbers {
  private(set) var skipped = 0
  private let isAvailable = SmallString.isAvailable
  /// One of the strings.
  private var sample: [UInt8]?
  private var sampleWords: SmallString?

  /// Whether strings of this number are equal.
  static func isExact(_ number: UInt64) -> Bool { number & 255 < 8 }

  /// Notes a string. All are noted before the first number is made.
  mutating func note(_ text: String) {
    guard let sample else {
      (sample, skipped) = (Array(text.utf8), text.utf8.count)
      sampleWords = SmallString(text, isAvailable: isAvailable)
      return
    }
    if let a = sampleWords, let b = SmallString(text, isAvailable: isAvailable) {
      // The lengths lie above the bytes. Beyond the shorter string there are zeros, which the other may have as well.
      let (low, high) = (a.first ^ b.first, a.second ^ b.second)
      let same = (low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount) >> 3
      skipped = min(skipped, same, b.count)
      return
    }
    let length = skipped
    skipped = unsafe Self.withBytes(of: text) { bytes in
      var same = 0
      while same < length, same < bytes.count, unsafe bytes[same] == sample[same] { same += 1 }
      return same
    }
  }

  /// The number of a string that was noted.
  func number(of text: String) -> UInt64 {
    guard let words = SmallString(text, isAvailable: isAvailable) else {
      return unsafe Self.withBytes(of: text) { bytes in
        let left = bytes.count - skipped
        return (0..<min(left, 7)).reduce(UInt64(min(left, 8))) {
          unsafe $0 | UInt64(bytes[skipped + $1]) << UInt64(56 - 8 * $1)
        }
      }
    }
    // Such a string has at most 15 bytes, and zeros behind them.
    let bits = skipped << 3
    let end = words.second & (.max >> 8)
    let bytes = skipped < 8 ? words.first >> bits | end << (64 - bits) : end >> (bits - 64)
    return bytes.byteSwapped & ~255 | UInt64(truncatingIfNeeded: min(words.count - skipped, 8))
  }

  private static func withBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = text
    return text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }
}
