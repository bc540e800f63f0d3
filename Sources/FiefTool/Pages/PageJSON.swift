/// JSON for the data of a page, written piece by piece. Nothing in it is markup.
struct PageJSON {
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds what is JSON already.
  mutating func add(_ json: String) { bytes.append(contentsOf: json.utf8) }

  /// Adds a text as a string in which nothing is markup: neither the end of a script nor the beginning of a comment.
  /// Nothing in it controls a terminal, either.
  mutating func add(text: String) {
    let start = bytes.count
    var isASCII = true
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0x7F:
        add("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
      default:
        isASCII = isASCII && byte < 0x80
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    if isASCII { return }
    let harmless = JSONOutput.harmless(String(decoding: bytes[start...], as: UTF8.self))
    bytes.replaceSubrange(start..., with: harmless.utf8)
  }
}

extension String {
  /// The text, or its beginning and its length if it is longer than a number of characters.
  func shortened(to length: Int) -> String {
    guard utf8.count > length, count > length else { return self }
    return "\(prefix(length))… (\(count) characters)"
  }
}
