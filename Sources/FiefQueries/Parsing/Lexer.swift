import Foundation

/// Splits a format string into tokens, one at a time. It takes linear time and does not recurse.
struct Lexer {
  private let bytes: [UInt8]
  /// The position of the rest of the format, in bytes.
  private var index = 0
  /// The current token of the parser.
  private(set) var token = Token.end
  /// The position at which that token begins.
  private(set) var start = 0
  /// The position at which the current token ends.
  var end: Int { index }
  /// The position at which the previous token ended.
  private(set) var previousEnd = 0

  init(_ text: String) throws(QueryError) {
    bytes = Array(text.utf8)
    try advance()
  }

  /// Whether the token is followed immediately by `byte`.
  func isFollowed(by byte: Character) -> Bool {
    guard let ascii = byte.asciiValue, index < bytes.count else { return false }
    return bytes[index] == ascii
  }

  private func peek(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func error(_ reason: String) -> QueryError { QueryError(.syntax, reason, at: start) }

  /// Reads the next token.
  mutating func advance() throws(QueryError) {
    previousEnd = index
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    assert(previousEnd <= index, "Tokens are read from left to right.")
    start = index
    guard index < bytes.count else {
      token = .end
      return
    }
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): token = try number(isNegative: false)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): token = .text(try quoted())
    case UInt8(ascii: "%"): token = try placeholder()
    case UInt8(ascii: "$"):
      index += 1
      let name = word()
      if name.isEmpty { throw error("A name is expected after '$'.") }
      token = .variable(name)
    case UInt8(ascii: "@"):
      index += 1
      let name = word()
      if name.isEmpty { throw error("The name of an operator is expected after '@'.") }
      token = .collectionOperator(name)
    case UInt8(ascii: "#"):
      index += 1
      if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") {
        token = .word(try quoted(), mayBeKeyword: false)
      } else {
        let name = word()
        if name.isEmpty { throw error("A name is expected after '#'.") }
        token = .word(name, mayBeKeyword: false)
      }
    case _ where Spelling.isNameStart(byte):
      let name = word()
      if name == "B64", peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") {
        token = .base64(try quoted())
      } else {
        token = .word(name, mayBeKeyword: true)
      }
    case UInt8(ascii: "-"), UInt8(ascii: "+"):
      index += 1
      if UInt8(ascii: "0")...UInt8(ascii: "9") ~= peek() {
        token = try number(isNegative: byte == UInt8(ascii: "-"))
      } else if byte == UInt8(ascii: "-") {
        token = .sign(.minus)
      } else {
        throw error("'+' stands where nothing is added: arithmetic is not supported.")
      }
    default: token = .sign(try sign(byte))
    }
  }

  /// The string between the current token, an opening parenthesis, and the next `sign`, which becomes the next token.
  mutating func rawText(until sign: Character) -> String {
    assert(token == .sign(.open), "The text begins behind a parenthesis.")
    let end = bytes[index...].firstIndex { $0 == sign.asciiValue } ?? bytes.count
    defer { index = end }
    return text(index..<end).trimmingCharacters(in: CharacterSet(charactersIn: " \"'"))
  }

  private mutating func word() -> String {
    let begin = index
    while index < bytes.count, Spelling.isNamePart(bytes[index]) { index += 1 }
    return text(begin..<index)
  }

  private mutating func sign(_ byte: UInt8) throws(QueryError) -> Token.Sign {
    assert(byte == peek(), "A sign is read where it stands.")
    let two = (byte, peek(1))
    let (equals, less, greater) = (UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"))
    let double: Token.Sign? =
      switch two {
      case (equals, equals): .equal
      case (UInt8(ascii: "!"), equals), (less, greater): .notEqual
      case (less, equals), (equals, less): .lessOrEqual
      case (greater, equals), (equals, greater): .greaterOrEqual
      case (UInt8(ascii: "&"), UInt8(ascii: "&")): .and
      case (UInt8(ascii: "|"), UInt8(ascii: "|")): .or
      default: nil
      }
    if let double {
      index += 2
      return double
    }
    index += 1
    if byte == equals { return .equal }
    guard byte < 0x80, let single = Token.Sign(rawValue: String(UnicodeScalar(byte))) else {
      throw error("'\(Character(UnicodeScalar(byte)))' is not part of the language.")
    }
    return single
  }

  private mutating func placeholder() throws(QueryError) -> Token {
    assert(peek() == UInt8(ascii: "%"), "A placeholder begins with its sign.")
    index += 1
    let byte = peek()
    if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "K") {
      index += 1
      return byte == UInt8(ascii: "K") ? .nameArgument : .argument
    }
    // `%ld`, `%llu`, `%.2f`: the characters between the sign and the letter describe a C type or its formatting.
    let begin = index
    while index < bytes.count, index - begin < 8 {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "l"), UInt8(ascii: "h"),
        UInt8(ascii: "q"), UInt8(ascii: "z"), UInt8(ascii: "L"), UInt8(ascii: "j"), UInt8(ascii: "t"):
        continue
      case _ where "diuxXofFeEgGaA".utf8.contains(byte): return .numberArgument
      default: throw error("'%' is followed by no placeholder that is known.")
      }
    }
    throw error("'%' is followed by no placeholder that is known.")
  }

  private mutating func quoted() throws(QueryError) -> String {
    let quote = bytes[index]
    assert(quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), "A text begins with a quotation mark.")
    index += 1
    var content: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == quote { return String(decoding: content, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      guard index < bytes.count else { break }
      let escaped = bytes[index]
      index += 1
      switch escaped {
      case UInt8(ascii: "n"): content.append(0x0A)
      case UInt8(ascii: "r"): content.append(0x0D)
      case UInt8(ascii: "t"): content.append(0x09)
      case UInt8(ascii: "0"): content.append(0)
      case UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "x"):
        content += try scalar(digits: escaped == UInt8(ascii: "x") ? 2 : escaped == UInt8(ascii: "u") ? 4 : 8)
      default: content.append(escaped)
      }
    }
    throw error("A text in quotation marks has no end.")
  }

  private mutating func scalar(digits: Int) throws(QueryError) -> [UInt8] {
    assert([2, 4, 8].contains(digits), "Escapes have two, four or eight digits.")
    var value = try hexadecimal(digits)
    // A surrogate pair, as JSON escapes characters beyond the Basic Multilingual Plane.
    if digits == 4, 0xD800...0xDBFF ~= value, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      index += 2
      let low = try hexadecimal(4)
      guard 0xDC00...0xDFFF ~= low else { throw error("'\\u' names half a character.") }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("'\\u' names no character.") }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func hexadecimal(_ digits: Int) throws(QueryError) -> UInt32 {
    assert(1...8 ~= digits, "A number of 32 bits has up to eight digits.")
    let end = min(index + digits, bytes.count)
    guard end - index == digits, let value = UInt32(text(index..<end), radix: 16) else {
      throw error("\(digits) hexadecimal digits are expected.")
    }
    index = end
    return value
  }

  private mutating func number(isNegative: Bool) throws(QueryError) -> Token {
    let begin = index
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    assert(isDigit(peek()), "A number begins with a digit.")
    if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
      index += 2
      let digits = word()
      guard let value = Int64((isNegative ? "-" : "") + digits, radix: 16) else {
        throw error("'0x' is not followed by a hexadecimal number of up to 64 bits.")
      }
      return .integer(value)
    }
    while isDigit(peek()) { index += 1 }
    var isWhole = true
    if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
      isWhole = false
      index += 1
      while isDigit(peek()) { index += 1 }
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      let hasSign = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
      if isDigit(peek(hasSign ? 2 : 1)) {
        isWhole = false
        index += hasSign ? 2 : 1
        while isDigit(peek()) { index += 1 }
      }
    }
    if Spelling.isNameStart(peek()) {
      throw error("A number runs into a name: names begin with a letter or '_'.")
    }
    let digits = (isNegative ? "-" : "") + text(begin..<index)
    if isWhole, let value = Int64(digits) { return .integer(value) }
    return .number(NumberLiteral(digits))
  }
}
