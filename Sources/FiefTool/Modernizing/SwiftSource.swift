/// A Swift source with its tokens, without spaces and comments, which stay between them.
struct SwiftSource {
  let bytes: [UInt8]
  /// The tokens but spaces, line ends and comments.
  let tokens: [SwiftLexer.Token]
  /// The classes, enumerations, extensions and protocols, nested ones included.
  private(set) var declarations: [TypeDeclaration] = []
  /// The starts of comments, ascending.
  private let comments: [Int]
  /// By token: whether it is the first of its line.
  private let isFirst: [Bool]
  /// By token: for an opening bracket, the token that closes it.
  private let closing: [Int: Int]
  /// By token: for a closing bracket, the token that opens it.
  private let opening: [Int: Int]

  /// - Throws: a problem when a string, a comment or a bracket is not closed.
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
    var open: [(closing: Unicode.Scalar, index: Int)] = []
    var closing: [Int: Int] = [:]
    for (index, token) in tokens.enumerated() where token.kind == .sign {
      switch Unicode.Scalar(bytes[token.range.lowerBound]) {
      case "(": open.append((")", index))
      case "[": open.append(("]", index))
      case "{": open.append(("}", index))
      case let sign where ")]}".unicodeScalars.contains(sign):
        guard let last = open.popLast(), last.closing == sign else {
          throw SwiftLexer.Problem("a bracket was not opened", at: token.range.lowerBound, of: bytes)
        }
        closing[last.index] = index
      default: break
      }
    }
    if let (_, index) = open.last {
      throw SwiftLexer.Problem("a bracket is not closed", at: tokens[index].range.lowerBound, of: bytes)
    }
    self.closing = closing
    opening = Dictionary(uniqueKeysWithValues: closing.map { ($1, $0) })
    declarations = DeclarationScanner(source: self).declarations
  }

  /// The classes, in their order.
  var classes: [TypeDeclaration] { declarations.filter { $0.kind == .class } }

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

  /// Whether a token is a name or a keyword.
  func isName(_ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .word && !text(index).hasPrefix("#")
  }

  func isFirstOfLine(_ index: Int) -> Bool { isFirst[index] }

  /// Whether nothing stands between a token and the one before it.
  func isAttached(_ index: Int) -> Bool {
    index > 0 && index < tokens.count && tokens[index - 1].range.upperBound == tokens[index].range.lowerBound
  }

  /// The token that closes a bracket; any other token itself.
  func end(of opening: Int) -> Int { closing[opening] ?? opening }

  /// The token that opens a bracket; any other token itself.
  func start(of closing: Int) -> Int { opening[closing] ?? closing }

  /// The token behind a list in angle brackets; the same token without one.
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
      next = end(of: next) + 1
    }
    return index
  }

  /// Whether a comment stands between the tokens of a range.
  func hasComment(in range: Range<Int>) -> Bool { comments.contains { bytes(of: range).contains($0) } }

  /// The number of a token's line, from 1.
  func line(_ index: Int) -> Int {
    guard tokens.indices.contains(index) else { return 1 }
    return bytes[..<tokens[index].range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
  }
}
