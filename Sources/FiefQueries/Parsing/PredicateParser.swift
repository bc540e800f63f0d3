import FiefGraph

/// Parses conditions with an operator stack (Dijkstra's shunting yard, 1961). It emits the nodes in postfix order, as
/// `QueryPredicate` stores them.
///
///     a == 1 AND NOT (b > 2)
///                    └─ stack: AND NOT (           output: [a == 1]
///
/// Between two tokens, the parser expects either a condition or an operator after one.
struct PredicateParser {
  var lexer: Lexer
  let arguments: [QueryConstant]
  /// Whether a variable without a value may stay in the condition.
  let keepsVariables: Bool
  /// The number of arguments consumed in order.
  var consumed = 0
  /// Whether the format refers to arguments by number. Then it need not use all of them.
  var namesArguments = false
  /// The variables of the enclosing subqueries.
  var scope: [String] = []
  private var nodes: [QueryPredicate.Node] = []
  private var stack: [Pending] = []

  /// An operator that waits for its right operand, or a bracket that waits for its end.
  private enum Pending {
    /// `and`, `or` or `not`.
    case joint(QueryPredicate.Node)
    case bracket(Int)
    case subquery(OpenSubquery)
  }

  /// The part of a condition that `comparison()` has read.
  enum ParsedPart {
    case whole(Comparison)
    /// A subquery up to its condition.
    case head(OpenSubquery)
  }

  /// A subquery whose condition is being parsed.
  struct OpenSubquery {
    var position: Int
    var collection: PropertyPath
    var variable: String
    /// The number and the relation before the subquery, as in `3 < SUBQUERY(...)`.
    var before: (Count, Comparison.Operator)?
  }

  /// The number with which the count of a subquery is compared.
  enum Count {
    case number(Int64)
    /// The value of a variable that is not substituted yet.
    case open(String)

    /// Nil unless the constant is a whole number or an open variable.
    init?(_ constant: QueryConstant) {
      let members: [OpenConstant.Member]
      switch constant {
      case .value(let value): members = [.value(value)]
      case .open(let open) where !open.isList: members = open.members
      default: return nil
      }
      let given: Value?
      switch members[0] {
      case .variable(let name):
        self = .open(name)
        return
      case .value(let value): given = value
      case .number(let literal): given = literal.value(of: .int)
      }
      guard case .int(let number)? = given?.converted(to: .int) else { return nil }
      self = .number(number)
    }
  }

  init(_ format: String, arguments: [QueryConstant], keepsVariables: Bool) throws(QueryError) {
    lexer = try Lexer(format)
    self.keepsVariables = keepsVariables
    self.arguments = arguments
  }

  /// Parses the whole format.
  mutating func query() throws(QueryError) -> ParsedQuery {
    let predicate = try predicate()
    let modifiers = try modifiers()
    assert(stack.isEmpty && scope.isEmpty, "A whole condition leaves nothing open.")
    guard case .end = lexer.token else { throw lexer.error("\(lexer.token.phrase) stands where the query could end.") }
    if !namesArguments && consumed < arguments.count {
      throw QueryError(.argument, "The format takes \(consumed) arguments and is given \(arguments.count).")
    }
    return ParsedQuery(predicate, modifiers)
  }

  private mutating func predicate() throws(QueryError) -> QueryPredicate {
    while true {
      // A condition is expected here.
      if try isSign(.not) ? true : begins(with: "not") {
        try lexer.advance()
        stack.append(.joint(.not))
        continue
      }
      if isSign(.open) {
        stack.append(.bracket(lexer.start))
        try lexer.advance()
        continue
      }
      if try begins(with: "truepredicate") {
        nodes.append(.constant(true))
        try lexer.advance()
      } else if try begins(with: "falsepredicate") {
        nodes.append(.constant(false))
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
      // A condition has ended here. Brackets may close, and an operator or the end follows.
      while isSign(.close), try close() {}
      if isKeyword("and") || isSign(.and) {
        reduce(over: [.not, .and])
        stack.append(.joint(.and))
      } else if isKeyword("or") || isSign(.or) {
        reduce()
        stack.append(.joint(.or))
      } else {
        reduce()
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

  /// Emits the operators on top of the stack that bind at least as tightly as the next one.
  private mutating func reduce(over joints: [QueryPredicate.Node] = [.not, .and, .or]) {
    assert(!nodes.isEmpty, "Operators follow their operands.")
    while case .joint(let joint)? = stack.last, joints.contains(joint) {
      nodes.append(joint)
      stack.removeLast()
    }
  }

  /// Closes the innermost bracket or subquery at a `)`. Throws if nothing is open, and otherwise returns true.
  private mutating func close() throws(QueryError) -> Bool {
    assert(isSign(.close), "A bracket closes at its sign.")
    reduce()
    switch stack.last {
    case .bracket:
      stack.removeLast()
      try lexer.advance()
    case .subquery(let open):
      stack.removeLast()
      assert(scope.last == open.variable, "The innermost subquery ends first.")
      scope.removeLast()
      try lexer.advance()
      nodes.append(.subquery(try countComparison(of: open)))
    default: throw lexer.error("A ')' closes nothing.")
    }
    return true
  }

  // MARK: Tokens

  func isSign(_ sign: Token.Sign) -> Bool { lexer.token == .sign(sign) }

  /// Whether the token is that word, in any case.
  func isKeyword(_ word: String) -> Bool {
    assert(word.utf8.count <= 16 && word == word.lowercased(), "Keywords are short, and compared in lower case.")
    return keyword == word
  }

  /// The token in lower case, if it is a plain word that may be a keyword.
  var keyword: String? {
    guard case .word(let word, true) = lexer.token, word.utf8.count <= 16 else { return nil }
    return word.lowercased()
  }

  mutating func expect(_ sign: Token.Sign, _ context: String) throws(QueryError) {
    guard isSign(sign) else {
      throw lexer.error("'\(sign.rawValue)' is expected \(context), and not \(lexer.token.phrase).")
    }
    try lexer.advance()
  }
}
