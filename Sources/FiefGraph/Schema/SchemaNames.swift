/// The names that tables and columns may have. They end up in messages and on terminals, so none may contain
/// characters that control these.
package enum SchemaNames {
  /// The longest name, in bytes of UTF-8.
  package static let longest = 255

  /// What is wrong with a name, as the end of a sentence; nil for a valid name.
  ///
  /// Linear in the bytes.
  package static func problem(of name: String) -> String? {
    if name.isEmpty { return "is empty" }
    if name.utf8.count > longest { return "has \(name.utf8.count) bytes, and at most \(longest) are allowed" }
    if isPlain(name) { return nil }
    guard let scalar = name.unicodeScalars.first(where: controls) else { return nil }
    return "contains the control character \(escaped(scalar))"
  }

  /// A name as it stands in messages: control characters are escaped, and what follows 64 characters is cut off.
  package static func printed(_ name: String) -> String {
    if isPlain(name) && name.utf8.count <= 64 { return name }
    let shown = name.unicodeScalars.prefix(64)
    let text = shown.map { controls($0) ? escaped($0) : String($0) }.joined()
    return shown.endIndex == name.unicodeScalars.endIndex ? text : text + "…"
  }

  private static func isPlain(_ name: String) -> Bool { name.utf8.allSatisfy { 0x20..<0x7F ~= $0 } }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }

  /// Whether a character controls how others are shown: control characters, separators of lines and paragraphs, and
  /// the characters that turn the direction of text.
  private static func controls(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: 0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value
    }
  }
}
