// Layout of plain text in columns.

extension String {
  /// The string without characters that would control a terminal: they are escaped, as in `\u{1B}`. Line breaks are
  /// characters of this kind.
  var printable: String {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    return unicodeScalars.map { scalar in
      scalar.controlsText ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }.joined()
  }

  /// The string as `printable`, with its line breaks.
  func printable(keepingLines: Bool) -> String {
    guard keepingLines else { return printable }
    // Most texts have been made printable part by part.
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == 0x0A }) { return self }
    if unicodeScalars.allSatisfy({ $0 == "\n" || !$0.controlsText }) { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }

  /// The number of columns that the string takes on a terminal: two for each wide character.
  var columns: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.columns }
  }

  /// The string, cut to a number of columns. An ellipsis takes the place of the rest.
  func cut(to width: Int) -> String {
    if columns <= width { return self }
    var (text, used) = ("", 0)
    for character in self {
      let columns = character.columns
      if used + columns > width - 1 { break }
      text.append(character)
      used += columns
    }
    return text + "…"
  }

  /// The string with trailing spaces, at least `width` columns wide.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

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

extension Unicode.Scalar {
  /// Whether the character controls how others are shown. The joiner of emoji does not count.
  var controlsText: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200D
    default: false
    }
  }
}

extension Character {
  /// The number of columns on a terminal: two for the wide characters of East Asia and for emoji, 1 for others.
  var columns: Int {
    guard let first = unicodeScalars.first, first.value >= 0x1100 else { return 1 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }
}

extension Int {
  /// The number with the noun that it counts: `1 dog`, `2 dogs`, `0 dogs`.
  func of(_ noun: String, _ plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? noun + "s")" }

  /// The number of bytes in words: `12.3 MB`.
  var inBytes: String {
    if self < 1000 { return of("byte") }
    let units = ["kB", "MB", "GB", "TB"]
    var (number, unit) = (Double(self) / 1000, 0)
    while number >= 999.95 && unit < units.count - 1 { (number, unit) = (number / 1000, unit + 1) }
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
