// Layout of plain text in columns.

extension String {
  /// The string without characters that would control a terminal: they are escaped, as in `\u{1B}`. Line breaks are
  /// characters of this kind.
  var printable: String {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    return unicodeScalars.map { scalar in
      let controls: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator, .format]
      let isShown = scalar.value == 0x200D || !controls.contains(scalar.properties.generalCategory)
      return isShown ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }.joined()
  }

  /// The string with trailing spaces, at least `width` characters long.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// The string in lines of at most `width` characters, broken at spaces. A longer word gets a line of its own.
  func lines(of width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = String(word)
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}

extension Int {
  /// The number with the noun that it counts: `1 dog`, `2 dogs`, `0 dogs`.
  func of(_ noun: String, _ plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? noun + "s")" }
}
