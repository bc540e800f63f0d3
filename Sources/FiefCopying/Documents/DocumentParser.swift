package import FiefRuntime
import FiefValues

/// Parses JSON (RFC 8259) strictly, in one pass over the bytes and without recursion, so depth does not matter.
///
/// The input is UTF-8; a byte order mark is skipped. A name that occurs twice in an object is an error, as one of the
/// two values would be lost. `DocumentNumber` converts numbers.
package struct DocumentParser {
  private let bytes: [UInt8]
  private var position = 0
  private var builder = DocumentBuilder()
  private let meter: WorkMeter?
  /// The number of bytes that the meter has counted, and the position at which it counts on.
  private var counted = 0
  private var next: Int

  /// After how many bytes the meter counts on.
  private static let counting = 1 << 16

  private init(_ bytes: [UInt8], _ meter: WorkMeter? = nil) {
    self.bytes = bytes
    self.meter = meter
    next = meter == nil ? .max : Self.counting
  }

  /// The place of a name in a document that was parsed: "line 3, byte 57". Lines begin with 1, bytes with 0. Parses the
  /// document again, so that parsing need not note it.
  ///
  /// - Parameter position: the position of the name in the tree.
  package static func place(ofValue position: Int, in bytes: [UInt8]) -> String? {
    var parser = DocumentParser(bytes)
    parser.builder = DocumentBuilder(notingPlaces: ())
    guard (try? parser.parse()) != nil, let place = parser.builder.place(ofValue: position) else { return nil }
    return parser.location(place)
  }

  /// Parses a document. Linear, except for objects whose names are not in order.
  ///
  /// - Parameter meter: counts the bytes.
  /// - Throws: `CopyError` with line, byte and path for invalid JSON.
  package static func parse(_ bytes: [UInt8], counting meter: WorkMeter? = nil) throws -> DocumentTree {
    var parser = DocumentParser(bytes, meter)
    try parser.parse()
    meter?.advance(by: bytes.count - parser.counted)
    assert(parser.builder.depth == 0, "A document ends outside of its containers.")
    return parser.builder.finish()
  }

  private enum Expected {
    case value, firstElement, firstName, name, end
  }

  private mutating func parse() throws {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    var expected = Expected.value
    while true {
      skipSpace()
      switch expected {
      case .value: expected = try value()
      case .firstElement:
        if taken("]") {
          builder.endArray()
          expected = .end
        } else {
          expected = .value
        }
      case .firstName:
        if taken("}") {
          _ = builder.endObject()
          expected = .end
        } else {
          expected = .name
        }
      case .name:
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw wrong("a name in quotes") }
        let place = position
        builder.name(try string(), at: place)
        skipSpace()
        guard taken(":") else { throw wrong("':'") }
        expected = .value
      case .end:
        if position >= next { countBytes() }
        guard builder.depth > 0 else {
          guard position == bytes.count else { throw wrong("nothing behind the document") }
          return
        }
        expected = try end()
      }
    }
  }

  /// Counts the bytes since the last time.
  private mutating func countBytes() {
    meter?.advance(by: position - counted)
    counted = position
    next = position + Self.counting
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Consumes one character, if it is next.
  private mutating func taken(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Parses a scalar, or the beginning of a container.
  private mutating func value() throws -> Expected {
    guard position < bytes.count else { throw wrong("a value") }
    switch bytes[position] {
    case UInt8(ascii: "\""): builder.add(.string(try string()))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): builder.add(try number())
    case UInt8(ascii: "{"):
      position += 1
      builder.beginObject()
      return .firstName
    case UInt8(ascii: "["):
      position += 1
      builder.beginArray()
      return .firstElement
    case UInt8(ascii: "t"): try word("true", .bool(true))
    case UInt8(ascii: "f"): try word("false", .bool(false))
    case UInt8(ascii: "n"): try word("null", .null)
    default: throw wrong("a value")
    }
    return .end
  }

  private mutating func word(_ word: String, _ value: DocumentTree.Value) throws {
    assert(bytes[position] == word.utf8.first, "A word is recognised by its first letter.")
    for letter in word.utf8 {
      guard position < bytes.count, bytes[position] == letter else { throw wrong("'\(word)'") }
      position += 1
    }
    builder.add(value)
  }

  /// Parses a comma, or the end of a container.
  private mutating func end() throws -> Expected {
    assert(builder.depth > 0, "A comma stands in a container.")
    if taken(",") { return builder.isInObject ? .name : .value }
    guard builder.isInObject else {
      guard taken("]") else { throw wrong("',' or ']'") }
      builder.endArray()
      return .end
    }
    let path = position
    guard taken("}") else { throw wrong("',' or '}'") }
    if let name = builder.endObject() {
      position = path
      throw error("the name '\(PlanPath.shortened(name))' stands twice in the object that ends here")
    }
    return .end
  }

  // MARK: Numbers

  private mutating func number() throws -> DocumentTree.Value {
    let start = position
    let isNegative = taken("-")
    let first = position
    var magnitude: Int64 = 0
    while position < bytes.count, bytes[position] &- 0x30 < 10 {
      magnitude = magnitude &* 10 &+ Int64(bytes[position] &- 0x30)
      position += 1
    }
    guard position > first else { throw wrong("a digit") }
    if position - first > 1, bytes[first] == 0x30 {
      position = first + 1
      throw wrong("no digit behind a zero")
    }
    var isInteger = true
    if taken(".") {
      isInteger = false
      try digits()
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if !taken("+") { _ = taken("-") }
      try digits()
    }
    if isInteger, position - first <= 18 { return .int(isNegative ? -magnitude : magnitude) }
    guard let value = DocumentNumber.value(of: bytes[start..<position]) else {
      position = start
      throw error("the number is beyond every number that can be kept")
    }
    return value
  }

  private mutating func digits() throws {
    let start = position
    while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
    guard position > start else { throw wrong("a digit") }
  }

  // MARK: Texts

  private mutating func string() throws -> String {
    assert(bytes[position] == UInt8(ascii: "\""), "A text begins with a quote.")
    position += 1
    let start = position
    var isASCII = true
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        // To validate takes as long again as the rest: the standard library does that for a generic sequence, and looks
        // its type up each time. ASCII is valid.
        let run = bytes[start..<position]
        guard let text = isASCII ? String(decoding: run, as: UTF8.self) : String(validating: run, as: UTF8.self) else {
          throw notUnicode(start)
        }
        position += 1
        return text
      case UInt8(ascii: "\\"): return try escaped(start)
      case 0..<0x20: throw wrong("no control character in a text that is not escaped")
      default:
        isASCII = isASCII && byte < 0x80
        position += 1
      }
    }
    throw wrong("the '\"' at the end of a text")
  }

  /// Parses the rest of a string that has escapes.
  private mutating func escaped(_ start: Int) throws -> String {
    assert(bytes[position] == UInt8(ascii: "\\"), "The plain part of a text ends with a backslash.")
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else { throw notUnicode(start) }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        position += 1
        try escape(&text)
      case 0..<0x20: throw wrong("no control character in a text that is not escaped")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw wrong("the '\"' at the end of a text")
  }

  /// Parses the character after a backslash.
  private mutating func escape(_ text: inout [UInt8]) throws {
    guard position < bytes.count else { throw wrong("an escaped character") }
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      let begin = position - 1
      position += 1
      var code = try hexadecimal()
      if 0xD800..<0xDC00 ~= code, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let low = try hexadecimal()
        guard 0xDC00..<0xE000 ~= low else {
          position = begin
          throw error("half a surrogate pair")
        }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else {
        position = begin
        throw error("half a surrogate pair")
      }
      text += Array(UTF8.encode(scalar) ?? .init())
      return
    default: throw wrong("one of \" \\ / b f n r t u behind a backslash")
    }
    position += 1
  }

  private mutating func hexadecimal() throws -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw wrong("a hexadecimal digit")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  // MARK: Errors

  /// The error for the first byte after `start` that is not UTF-8.
  private mutating func notUnicode(_ start: Int) -> CopyError {
    var rest = bytes[start...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    position = start
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { position += scalar.count }
    return error("the text is not UTF-8")
  }

  private func wrong(_ expected: String) -> CopyError {
    guard position < bytes.count else { return error("expected \(expected), found the end") }
    let byte = bytes[position]
    let found =
      0x20..<0x7F ~= byte
      ? "'\(Character(Unicode.Scalar(byte)))'" : "the byte 0x" + String(byte, radix: 16, uppercase: true)
    return error("expected \(expected), found \(found)")
  }

  private func error(_ problem: String) -> CopyError {
    let path = PlanPath.join(builder.path)
    return CopyError("Invalid JSON at \(location(position))\(path.isEmpty ? "" : " ('\(path)')"): \(problem).")
  }

  private func location(_ position: Int) -> String {
    assert(position <= bytes.count, "A location is in the text, or at its end.")
    let before = bytes[..<min(position, bytes.count)]
    return "line \(before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }), byte \(position)"
  }
}
