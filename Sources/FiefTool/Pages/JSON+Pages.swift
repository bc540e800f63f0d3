extension JSON {
  /// The value in one line in which nothing is markup: neither the end of a script nor the beginning of a comment.
  /// Nothing in it controls a terminal, either.
  var lineWithoutMarkup: String {
    var bytes: [UInt8] = []
    for byte in line.utf8 {
      switch byte {
      // These stand in strings only.
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): bytes += "\\u00\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text, or its beginning and its length if it is longer than a number of characters.
  func shortened(to length: Int) -> String {
    guard utf8.count > length, count > length else { return self }
    return "\(prefix(length))… (\(count) characters)"
  }
}
