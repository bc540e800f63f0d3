/// The tokens of a Swift source, as far as moving declarations needs them.
///
/// Strings are one token, with all that is interpolated; so are comments. It knows raw and multi-line strings, nested
/// comments, names in backticks, and extended regular expressions. Every byte of the source is in exactly one token.
/// Any other byte becomes a token. There is no recursion.
struct SwiftLexer {
  struct Token {
    enum Kind {
      /// A name or a keyword; also `#if` and its like.
      case word
      case number
      case string
      case comment
      case space
      case newline
      /// One byte of punctuation.
      case sign
    }

    let kind: Kind
    let range: Range<Int>
  }

  /// Why a source has no tokens.
  struct Problem: Error, Equatable {
    let line: Int
    let words: String

    init(_ words: String, at position: Int, of source: [UInt8]) {
      line = source[..<position].count { $0 == UInt8(ascii: "\n") } + 1
      self.words = words
    }
  }

  private let source: [UInt8]
  private var next = 0

  private init(_ source: [UInt8]) { self.source = source }

  /// The tokens of a source.
  ///
  /// - Throws: a problem when a string, a comment or a name in backticks is not closed.
  static func tokens(of source: [UInt8]) throws(Problem) -> [Token] {
    var lexer = SwiftLexer(source)
    var tokens: [Token] = []
    if source.starts(with: [0xEF, 0xBB, 0xBF]) {
      tokens.append(Token(kind: .space, range: 0..<3))
      lexer.next = 3
    }
    while lexer.next < source.count {
      let start = lexer.next
      let kind = try lexer.scan()
      assert(lexer.next > start, "Each scan moves on.")
      tokens.append(Token(kind: kind, range: start..<lexer.next))
    }
    return tokens
  }

  /// The byte at an offset from the present position, as a character; 0 behind the end.
  private func peek(_ offset: Int = 0) -> Unicode.Scalar {
    Unicode.Scalar(next + offset < source.count ? source[next + offset] : 0)
  }

  /// Whether a character is repeated from an offset on.
  private func isNext(_ character: Unicode.Scalar, times count: Int, from offset: Int) -> Bool {
    (offset..<offset + count).allSatisfy { peek($0) == character }
  }

  /// The number of `#` at the present position.
  private var hashes: Int {
    var count = 0
    while peek(count) == "#" { count += 1 }
    return count
  }

  static func isWord(_ character: Unicode.Scalar) -> Bool { isWordStart(character) || "0"..."9" ~= character }

  private static func isWordStart(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "_", "$", "a"..."z", "A"..."Z", "\u{80}"...: true
    default: false
    }
  }

  private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
    while next < source.count, condition(peek()) { next += 1 }
  }

  /// Skips a token, and returns its kind.
  private mutating func scan() throws(Problem) -> Token.Kind {
    let start = next
    switch peek() {
    case "\n":
      next += 1
      return .newline
    case " ", "\t", "\r", "\u{B}", "\u{C}":
      skip { $0 == " " || $0 != "\n" && "\t"..."\r" ~= $0 }
      return .space
    case "/" where peek(1) == "/":
      skip { $0 != "\n" && $0 != "\r" }
      return .comment
    case "/" where peek(1) == "*":
      try skipBlockComment()
      return .comment
    case "\"", "#":
      let hashes = hashes
      switch peek(hashes) {
      case "\"": try skipString(hashes)
      case "/": try skipExpression(hashes)
      default:
        next += hashes
        skip(while: Self.isWord)
        return .word
      }
      return .string
    case "`":
      next += 1
      skip { $0 != "`" && $0 != "\n" }
      if peek() != "`" { throw Problem("a name in backticks does not end", at: start, of: source) }
      next += 1
      return .word
    case "0"..."9":
      skip(while: Self.isWord)
      while peek() == ".", "0"..."9" ~= peek(1) {
        next += 1
        skip(while: Self.isWord)
      }
      return .number
    case let first where Self.isWordStart(first):
      skip(while: Self.isWord)
      return .word
    default:
      next += 1
      return .sign
    }
  }

  private mutating func skipBlockComment() throws(Problem) {
    let start = next
    var depth = 0
    repeat {
      switch (peek(), peek(1)) {
      case ("/", "*"): (depth, next) = (depth + 1, next + 2)
      case ("*", "/"): (depth, next) = (depth - 1, next + 2)
      default: next += 1
      }
      if depth == 0 { return }
    } while next < source.count
    throw Problem("a comment does not end", at: start, of: source)
  }

  /// Skips a regular expression in `#/…/#`.
  private mutating func skipExpression(_ hashes: Int) throws(Problem) {
    let start = next
    next += hashes + 1
    while next < source.count {
      switch peek() {
      case "\\": next += 2
      case "/" where isNext("#", times: hashes, from: 1):
        next += 1 + hashes
        return
      default: next += 1
      }
    }
    throw Problem("a regular expression does not end", at: start, of: source)
  }

  /// A level of nesting of a position in a string.
  private enum Nest {
    case string(quotes: Int, hashes: Int)
    /// An interpolated expression, with its open parentheses.
    case expression(open: Int)
  }

  private mutating func openString(_ hashes: Int) -> Nest {
    let quotes = isNext("\"", times: 3, from: hashes) ? 3 : 1
    next += hashes + quotes
    return .string(quotes: quotes, hashes: hashes)
  }

  private mutating func skipString(_ hashes: Int) throws(Problem) {
    let start = next
    var stack = [openString(hashes)]
    while let top = stack.last, next < source.count {
      switch (top, peek()) {
      case (.string(_, let hashes), "\\") where isNext("#", times: hashes, from: 1):
        if peek(1 + hashes) == "(" { stack.append(.expression(open: 1)) }
        next += 2 + hashes
      case (.string(let quotes, let hashes), "\"")
      where isNext("\"", times: quotes, from: 0) && isNext("#", times: hashes, from: quotes):
        stack.removeLast()
        next += quotes + hashes
      case (.string(1, _), "\n"): throw Problem("a string does not end", at: start, of: source)
      case (.expression(let open), "("):
        stack[stack.count - 1] = .expression(open: open + 1)
        next += 1
      case (.expression(let open), ")"):
        stack.removeLast()
        if open > 1 { stack.append(.expression(open: open - 1)) }
        next += 1
      case (.expression, "/") where peek(1) == "*": try skipBlockComment()
      case (.expression, "\""), (.expression, "#"):
        let hashes = self.hashes
        if peek(hashes) == "\"" { stack.append(openString(hashes)) } else { next += hashes }
      default: next += 1
      }
    }
    if !stack.isEmpty { throw Problem("a string does not end", at: start, of: source) }
  }
}
