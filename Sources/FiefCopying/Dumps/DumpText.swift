internal import FiefGraph
import FiefValues
import Foundation

/// Values as the text of a dump.
///
/// Different stored values have different text, in the sense of `String.==`: that compares by canonical equivalence,
/// so scalars that take part in it are escaped. All NaNs have one text.
enum DumpText {
  /// The maximum number of bytes of binary data in a line.
  static let bytesInLine = 32

  /// The text of a value, in lines: strings go on behind each line break, and data after 32 bytes.
  ///
  /// - Parameter isAny: whether the type of the value is not known from its property, and is written before it.
  static func lines(_ value: Value, isAny: Bool) -> [String] {
    switch value {
    case .string(let text): lines(of: text)
    case .data(let data): lines(of: data)
    default: [scalar(value, isAny: isAny)]
    }
  }

  private static func scalar(_ value: Value, isAny: Bool) -> String {
    func tagged(_ tag: String, _ text: String) -> String { isAny ? "\(tag) \(text)" : text }
    return switch value {
    case .null: "nil"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .float(let value): tagged("float", value.isNaN ? "nan" : "\(value)")
    case .double(let value): value.isNaN ? "nan" : "\(value)"
    case .string(let value): literal(value[...])
    case .data(let value): lines(of: value).joined(separator: " ")
    case .date(let value): value.isMoment ? value.description : "no date"
    case .objectId(let value): tagged("objectId", value.description)
    case .uuid(let value): tagged("uuid", value.uuidString)
    case .decimal(let value): tagged("decimal", value.description)
    case .link(let value): value.description
    }
  }

  /// The text of a primary key, in one line.
  static func key(_ value: Value) -> String { scalar(value, isAny: false) }

  private static func lines(of data: Data) -> [String] {
    let size = "\(data.count) byte\(data.count == 1 ? "" : "s")"
    if data.isEmpty { return [size] }
    var lines: [String] = []
    var rest = data[...]
    while !rest.isEmpty {
      let hex = rest.prefix(bytesInLine).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      lines.append(lines.isEmpty ? "\(size) \(hex)" : hex)
      rest = rest.dropFirst(bytesInLine)
    }
    assert(lines.count == (data.count + bytesInLine - 1) / bytesInLine, "A line has so many bytes.")
    return lines
  }

  private static func lines(of text: String) -> [String] {
    if !text.utf8.contains(10) { return [literal(text[...])] }
    var lines: [String] = []
    var rest = text.unicodeScalars[...]
    while let end = rest.firstIndex(of: "\n") {
      lines.append(literal(Substring(rest[...end])))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { lines.append(literal(Substring(rest))) }
    assert(!lines.isEmpty, "A text has a line.")
    return lines
  }

  /// A name of a class or a property: as it is, or as a literal when it is not a plain identifier.
  static func name(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
    return isPlain && !name.isEmpty ? name : literal(name[...])
  }

  static func literal(_ text: Substring) -> String {
    let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    if isPlain { return "\"\(text)\"" }
    // Composing takes time quadratic in the length.
    let allowsMarks =
      text.utf8.count <= 1000
      && text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
    var literal = "\""
    var isAfterLetter = false
    for scalar in text.unicodeScalars {
      var isLetter = false
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        isLetter = isShown(scalar) || allowsMarks && isAfterLetter && isMark(scalar)
        if isLetter {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
      }
      isAfterLetter = isLetter
    }
    assert(!literal.utf8.contains(10), "A literal is one line.")
    return literal + "\""
  }

  /// Whether the scalar is visible, and never changes by composition with its neighbours.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return 0x20..<0x7F ~= scalar.value }
    let properties = scalar.properties
    guard properties.canonicalCombiningClass == .notReordered, !properties.isFullCompositionExclusion else {
      return false
    }
    // The vowels and final consonants of Korean compose with the letter before them.
    if 0x1160...0x11FF ~= scalar.value { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format, .control, .unassigned, .privateUse, .surrogate,
      .lineSeparator, .paragraphSeparator, .spaceSeparator:
      return false
    default: return true
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
