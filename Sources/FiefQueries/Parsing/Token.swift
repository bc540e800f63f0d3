/// A word, a sign or a literal of a format string.
enum Token: Equatable {
  case end
  /// A name or a keyword, as it is written. `mayBeKeyword` is false for a word after `#`, which is never a keyword.
  case word(String, mayBeKeyword: Bool)
  /// `$name`, without the sign.
  case variable(String)
  /// `@count` and other operators, without the sign.
  case collectionOperator(String)
  case integer(Int64)
  /// A number that is no integer of 64 bits.
  case number(NumberLiteral)
  case text(String)
  /// `B64"..."`.
  case base64(String)
  /// `%@`.
  case argument
  /// `%K`.
  case nameArgument
  /// `%d`, `%f` and other placeholders for numbers.
  case numberArgument
  /// A sign. The parser reads `[c]`, `[d]` and `[cd]` after an operator as brackets and a word.
  case sign(Sign)

  enum Sign: String {
    case open = "("
    case close = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
    case comma = ","
    case dot = "."
    case star = "*"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case colon = ":"
    case minus = "-"
  }

  /// The token in messages.
  var phrase: String {
    switch self {
    case .end: "the end"
    case .word(let word, _): "'\(QueryError.short(word))'"
    case .variable(let name): "'$\(QueryError.short(name))'"
    case .collectionOperator(let name): "'@\(QueryError.short(name))'"
    case .integer(let value): "\(value)"
    case .number(let literal): "'\(QueryError.short(literal.text))'"
    case .text(let text): "the text '\(QueryError.short(text))'"
    case .base64: "binary data"
    case .argument: "'%@'"
    case .nameArgument: "'%K'"
    case .numberArgument: "a number's placeholder"
    case .sign(let sign): "'\(sign.rawValue)'"
    }
  }
}
