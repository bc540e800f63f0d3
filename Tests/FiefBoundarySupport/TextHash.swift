/// A hash of strings (FNV-1a).
struct TextHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds a text.
  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The hash as a short string.
  var text: String { String(value, radix: 16) }
}
