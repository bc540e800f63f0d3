/// The names that tables and columns may have. They end up in messages and on terminals, so none may contain
/// characters that control these.
package enum SchemaNames {
  /// The longest name, in bytes of UTF-8.
  package static let longest = 255

  /// The problem of a name, as the end of a sentence; nil for a valid name.
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

  /// Advice on a name that is not among others, as the end of a sentence: the nearest one, or at most 32.
  package static func advice(on name: String, among names: some Collection<String>) -> String {
    let near = names.lazy.map { ($0, distance(name, $0)) }.min { $0.1 < $1.1 }
    if let near, near.1 <= (near.0.utf8.count + 1) / 3 { return "did you mean '\(near.0)'?" }
    return names.isEmpty ? "it has none." : "it has \(names.prefix(32).map { "'\($0)'" }.joined(separator: ", "))."
  }

  /// The number of bytes to insert, remove, replace or swap, so that one name becomes another. Case does not count.
  private static func distance(_ a: String, _ b: String) -> Int {
    if a.utf8.count > longest { return .max }
    let (a, b) = (Array(a.lowercased().utf8), Array(b.lowercased().utf8))
    var (beforeLast, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
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
