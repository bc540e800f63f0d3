/// Reads conditions with a stack of operators (Dijkstra's shunting yard, 1961), putting nodes out in the postfix order
/// in which a `QueryPredicate` keeps them.
///
///     a == 1 AND NOT (b > 2)
///                    └─ stack: AND NOT (           output: [a == 1]
///
/// The state between two tokens is whether a condition is expected, or what joins it to the next.
struct PredicateParser {
  var lexer: Lexer
  let arguments: [QueryConstant]
  let variables: [String: QueryConstant]
  /// Whether a variable without value may stay.
  let keepsVariables: Bool
  /// How many of the arguments were taken in order.
  var taken = 0
  /// Whether arguments are named by number, which makes counting them pointless.
  var namesArguments = false
  /// The variables of the subqueries that are open.
  var scope: [String] = []
  private var nodes: [QueryPredicate.Node] = []
  private var stack: [Pending] = []

  /// What waits on the stack for its right side, or its end.
  private enum Pending {
    case and
    case or
    case not
    case bracket(Int)
    case subquery(OpenSubquery)
  }

  /// What a comparison begins with decides what is read of it.
  enum Beginning {
    /// All of it.
    case whole(Comparison)
    /// A subquery up to its condition.
    case head(OpenSubquery)
  }

  /// A subquery whose condition is being read.
  struct OpenSubquery {
    var position: Int
    var collection: PropertyPath
    var variable: String
    /// `3 < SUBQUERY(...)`: what stood before it.
    var before: (Count, Comparison.Operator)?
  }

  /// What the count of a subquery is compared with.
  enum Count {
    case number(Int64)
    /// What a variable will say.
    case open(String)

    /// Nil for what is no whole number.
    init?(_ constant: QueryConstant) {
      switch constant {
      case .value(let value):
        guard case .int(let number)? = value.converted(to: .int) else { return nil }
        self = .number(number)
      case .open(let open) where !open.isList: self = .open(open.variable)
      default: return nil
      }
    }
  }

  init(
    _ format: String, _ arguments: [QueryConstant], _ variables: [String: QueryConstant], keepsVariables: Bool
  ) throws(QueryError) {
    lexer = try Lexer(format)
    self.keepsVariables = keepsVariables
    self.arguments = arguments
    self.variables = variables
  }

  /// The whole text.
  mutating func query() throws(QueryError) -> ParsedQuery {
    let predicate = try predicate()
    let arrangements = try arrangements()
    guard case .end = lexer.token else { throw lexer.error("\(lexer.token.phrase) stands where the query could end.") }
    if !namesArguments && taken < arguments.count {
      throw QueryError(.argument, "The format takes \(taken) arguments and is given \(arguments.count).")
    }
    return ParsedQuery(predicate, arrangements)
  }

  private mutating func predicate() throws(QueryError) -> QueryPredicate {
    while true {
      // Here a condition is expected.
      if isKeyword("not") || isSign(.not) {
        try lexer.advance()
        stack.append(.not)
        continue
      }
      if isSign(.open) {
        stack.append(.bracket(lexer.start))
        try lexer.advance()
        continue
      }
      if isKeyword("truepredicate") || isKeyword("falsepredicate") {
        nodes.append(.constant(isKeyword("truepredicate")))
        try lexer.advance()
      } else {
        switch try comparison() {
        case .whole(let comparison): nodes.append(.comparison(comparison))
        case .head(let open):
          scope.append(open.variable)
          stack.append(.subquery(open))
          continue
        }
      }
      // Here a condition has ended: brackets close, and something joins it or the text is over.
      while isSign(.close), try close() {}
      if isKeyword("and") || isSign(.and) {
        reduce(over: [.and])
        stack.append(.and)
      } else if isKeyword("or") || isSign(.or) {
        reduce(over: [.and, .or])
        stack.append(.or)
      } else {
        reduce(over: [.and, .or])
        switch stack.last {
        case .bracket(let position): throw QueryError(.syntax, "A '(' is never closed.", at: position)
        case .subquery(let open):
          throw QueryError(
            .syntax, "The condition of a SUBQUERY is followed by \(lexer.token.phrase).", at: open.position)
        default: return QueryPredicate(unchecked: nodes)
        }
      }
      try lexer.advance()
    }
  }

  private enum Joint { case and, or }

  /// Puts out the operators on top of the stack that bind as tightly as what comes.
  private mutating func reduce(over joints: [Joint]) {
    while let top = stack.last {
      switch top {
      case .not: nodes.append(.not)
      case .and where joints.contains(.and): nodes.append(.and)
      case .or where joints.contains(.or): nodes.append(.or)
      default: return
      }
      stack.removeLast()
    }
  }

  /// Closes the innermost bracket or subquery at a `)`; false when there is none.
  private mutating func close() throws(QueryError) -> Bool {
    reduce(over: [.and, .or])
    switch stack.last {
    case .bracket:
      stack.removeLast()
      try lexer.advance()
    case .subquery(let open):
      stack.removeLast()
      scope.removeLast()
      try lexer.advance()
      nodes.append(.subquery(try countComparison(of: open)))
    default: throw lexer.error("A ')' closes nothing.")
    }
    return true
  }

  // MARK: What the token is

  func isSign(_ sign: Token.Sign) -> Bool { lexer.token == .sign(sign) }

  /// Whether the token is that word, in letters of any case.
  func isKeyword(_ word: String) -> Bool { keyword == word }

  /// The token in lower case, if it is a word that may be a keyword.
  var keyword: String? {
    guard case .word(let word, true) = lexer.token, word.utf8.count <= 16 else { return nil }
    return word.lowercased()
  }

  mutating func expect(_ sign: Token.Sign, _ place: String) throws(QueryError) {
    guard isSign(sign) else {
      throw lexer.error("'\(sign.rawValue)' is expected \(place), and not \(lexer.token.phrase).")
    }
    try lexer.advance()
  }
}
