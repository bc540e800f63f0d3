/// A Swift source with its tokens, without spaces and comments, which stay between them.
struct SwiftSource {
  let bytes: [UInt8]
  /// The tokens but spaces, line ends and comments.
  let tokens: [SwiftLexer.Token]
  /// The starts of comments, ascending.
  private let comments: [Int]
  /// By token: whether it is the first of its line.
  private let isFirst: [Bool]
  /// By token: for an opening bracket, the token that closes it.
  private let closing: [Int: Int]
  /// By token: for a closing bracket, the token that opens it.
  private let opening: [Int: Int]

  init(_ bytes: [UInt8]) throws(SwiftLexer.Problem) {
    self.bytes = bytes
    var tokens: [SwiftLexer.Token] = []
    var comments: [Int] = []
    var isFirst: [Bool] = []
    var isNewLine = true
    for token in try SwiftLexer.tokens(of: bytes) {
      switch token.kind {
      case .newline: isNewLine = true
      case .space: break
      case .comment:
        comments.append(token.range.lowerBound)
        if bytes[token.range].contains(UInt8(ascii: "\n")) { isNewLine = true }
      case .word, .number, .string, .sign:
        tokens.append(token)
        isFirst.append(isNewLine)
        isNewLine = false
      }
    }
    self.tokens = tokens
    self.comments = comments
    self.isFirst = isFirst
    var open: [Int] = []
    var closing: [Int: Int] = [:]
    for (index, token) in tokens.enumerated() where token.kind == .sign {
      switch bytes[token.range.lowerBound] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let opening = open.popLast() { closing[opening] = index }
      default: break
      }
    }
    self.closing = closing
    opening = Dictionary(uniqueKeysWithValues: closing.map { ($1, $0) })
  }

  /// The text of a token; empty behind the last one.
  func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? String(decoding: bytes[tokens[index].range], as: UTF8.self) : ""
  }

  func texts(_ range: Range<Int>) -> [String] { range.map(text) }

  /// The text from a token to another one, with what is between them.
  func text(_ range: Range<Int>) -> String {
    range.isEmpty ? "" : String(decoding: bytes[bytes(of: range)], as: UTF8.self)
  }

  func bytes(of range: Range<Int>) -> Range<Int> {
    tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
  }

  func isSign(_ index: Int, _ sign: Character) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .sign && text(index) == String(sign)
  }

  func isFirstOfLine(_ index: Int) -> Bool { isFirst[index] }

  /// The token that closes a bracket.
  func end(of opening: Int) -> Int { closing[opening] ?? opening }

  /// The token that opens a bracket.
  func start(of closing: Int) -> Int { opening[closing] ?? closing }

  /// The token behind a list in angle brackets; the same token when there is none.
  func skippingGenerics(_ index: Int) -> Int {
    guard isSign(index, "<") else { return index }
    var depth = 0
    var next = index
    while next < tokens.count {
      if isSign(next, "<") { depth += 1 }
      // An arrow is no bracket.
      if isSign(next, ">") && !isSign(next - 1, "-") { depth -= 1 }
      if depth == 0 { return next + 1 }
      if isSign(next, "{") || isSign(next, "}") { return index }
      next = isSign(next, "(") || isSign(next, "[") ? end(of: next) + 1 : next + 1
    }
    return index
  }

  func hasComment(in range: Range<Int>) -> Bool { comments.contains { range.contains($0) } }

  /// The number of a token's line, from 1.
  func line(_ index: Int) -> Int {
    guard tokens.indices.contains(index) else { return 1 }
    return bytes[..<tokens[index].range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
  }
}
