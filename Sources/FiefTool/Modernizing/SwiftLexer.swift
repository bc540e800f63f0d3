/// The tokens of a Swift source, as far as moving declarations needs them.
///
/// Strings are one token, with all that is interpolated; so are comments. It knows raw and multi-line strings, nested
/// comments, names in backticks, and extended regular expressions. Every byte of the source is in exactly one token.
/// What it does not know becomes a token of one byte. There is no recursion.
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
  }

  private let source: [UInt8]
  private var next = 0
  private var tokens: [Token] = []

  private init(_ source: [UInt8]) { self.source = source }

  /// The tokens of a source.
  ///
  /// - Throws: a problem when a string, a comment or a bracket is not closed.
  static func tokens(of source: [UInt8]) throws(Problem) -> [Token] {
    var lexer = SwiftLexer(source)
    if source.starts(with: [0xEF, 0xBB, 0xBF]) {
      lexer.tokens.append(Token(kind: .space, range: 0..<3))
      lexer.next = 3
    }
    while lexer.next < source.count { try lexer.scan() }
    try lexer.checkBrackets()
    return lexer.tokens
  }

  private func byte(_ offset: Int = 0) -> UInt8 { next + offset < source.count ? source[next + offset] : 0 }

  private func problem(_ words: String, at position: Int) -> Problem {
    Problem(line: source[..<position].count { $0 == UInt8(ascii: "\n") } + 1, words: words)
  }

  static func isWord(_ byte: UInt8) -> Bool { isWordStart(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isWordStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
  }

  private mutating func add(_ kind: Token.Kind, from start: Int) {
    tokens.append(Token(kind: kind, range: start..<next))
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while next < source.count, condition(source[next]) { next += 1 }
  }

  private mutating func scan() throws(Problem) {
    let start = next
    switch byte() {
    case UInt8(ascii: "\n"):
      next += 1
      add(.newline, from: start)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0B, 0x0C:
      skip { $0 != UInt8(ascii: "\n") && ($0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0) }
      add(.space, from: start)
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
      skip { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      add(.comment, from: start)
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
      try skipBlockComment()
      add(.comment, from: start)
    case UInt8(ascii: "\""):
      try skipString(hashes: 0)
      add(.string, from: start)
    case UInt8(ascii: "#"):
      var hashes = 0
      while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
      if byte(hashes) == UInt8(ascii: "\"") {
        try skipString(hashes: hashes)
        add(.string, from: start)
      } else if byte(hashes) == UInt8(ascii: "/") {
        try skipExpression(hashes: hashes)
        add(.string, from: start)
      } else {
        next += hashes
        skip(while: Self.isWord)
        add(.word, from: start)
      }
    case UInt8(ascii: "`"):
      next += 1
      skip { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") }
      if byte() != UInt8(ascii: "`") { throw problem("a name in backticks does not end", at: start) }
      next += 1
      add(.word, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      skip(while: Self.isWord)
      while byte() == UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte(1) {
        next += 1
        skip(while: Self.isWord)
      }
      add(.number, from: start)
    case let first where Self.isWordStart(first):
      skip(while: Self.isWord)
      add(.word, from: start)
    default:
      next += 1
      add(.sign, from: start)
    }
  }

  private mutating func skipBlockComment() throws(Problem) {
    let start = next
    var depth = 0
    while next < source.count {
      if byte() == UInt8(ascii: "/") && byte(1) == UInt8(ascii: "*") {
        depth += 1
        next += 2
      } else if byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/") {
        depth -= 1
        next += 2
        if depth == 0 { return }
      } else {
        next += 1
      }
    }
    throw problem("a comment does not end", at: start)
  }

  /// Skips a regular expression in `#/…/#`.
  private mutating func skipExpression(hashes: Int) throws(Problem) {
    let start = next
    next += hashes + 1
    while next < source.count {
      if byte() == UInt8(ascii: "\\") {
        next += 2
      } else if byte() == UInt8(ascii: "/") && isFollowed(by: hashes, from: 1) {
        next += 1 + hashes
        return
      } else {
        next += 1
      }
    }
    throw problem("a regular expression does not end", at: start)
  }

  private func isFollowed(by hashes: Int, from offset: Int) -> Bool {
    (0..<hashes).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  /// What a position in a string is nested in.
  private enum Nest {
    case string(hashes: Int, isLong: Bool)
    /// An interpolated expression, with its open parentheses.
    case expression(open: Int)
  }

  private mutating func skipString(hashes: Int) throws(Problem) {
    let start = next
    var stack: [Nest] = []
    func opening(_ hashes: Int) -> (Nest, Int) {
      let isLong = byte(hashes + 1) == UInt8(ascii: "\"") && byte(hashes + 2) == UInt8(ascii: "\"")
      return (.string(hashes: hashes, isLong: isLong), hashes + (isLong ? 3 : 1))
    }
    var (nest, length) = opening(hashes)
    stack.append(nest)
    next += length
    while let top = stack.last {
      guard next < source.count else { break }
      switch top {
      case .string(let hashes, let isLong):
        if byte() == UInt8(ascii: "\\") && isFollowed(by: hashes, from: 1) {
          if byte(1 + hashes) == UInt8(ascii: "(") {
            stack.append(.expression(open: 1))
            next += 2 + hashes
          } else {
            next += 2 + hashes
          }
        } else if byte() == UInt8(ascii: "\"") {
          if isLong {
            if byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"") && isFollowed(by: hashes, from: 3) {
              stack.removeLast()
              next += 3 + hashes
            } else {
              next += 1
            }
          } else if isFollowed(by: hashes, from: 1) {
            stack.removeLast()
            next += 1 + hashes
          } else {
            next += 1
          }
        } else if byte() == UInt8(ascii: "\n") && !isLong {
          throw problem("a string does not end", at: start)
        } else {
          next += 1
        }
      case .expression(let open):
        let here = next
        switch byte() {
        case UInt8(ascii: "("):
          stack[stack.count - 1] = .expression(open: open + 1)
          next += 1
        case UInt8(ascii: ")"):
          if open == 1 { stack.removeLast() } else { stack[stack.count - 1] = .expression(open: open - 1) }
          next += 1
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): try skipBlockComment()
        case UInt8(ascii: "\""), UInt8(ascii: "#"):
          var hashes = 0
          while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
          if byte(hashes) == UInt8(ascii: "\"") {
            (nest, length) = opening(hashes)
            stack.append(nest)
            next += length
          } else {
            next += max(1, hashes)
          }
        default: next += 1
        }
        assert(next > here, "Every turn of a scan moves on.")
      }
    }
    if !stack.isEmpty { throw problem("a string does not end", at: start) }
  }

  private func checkBrackets() throws(Problem) {
    var open: [(UInt8, Int)] = []
    for token in tokens where token.kind == .sign {
      let sign = source[token.range.lowerBound]
      let expected: UInt8
      switch sign {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append((sign, token.range.lowerBound))
        continue
      case UInt8(ascii: ")"): expected = UInt8(ascii: "(")
      case UInt8(ascii: "]"): expected = UInt8(ascii: "[")
      case UInt8(ascii: "}"): expected = UInt8(ascii: "{")
      default: continue
      }
      guard open.popLast()?.0 == expected else {
        throw problem("a bracket was not opened", at: token.range.lowerBound)
      }
    }
    if let (_, position) = open.last { throw problem("a bracket is not closed", at: position) }
  }
}
