import FiefGraph

extension PredicateParser {
  /// Reads one comparison, or the head of a subquery whose condition the caller reads next.
  mutating func comparison() throws(QueryError) -> ParsedPart {
    let position = lexer.start
    let quantifier = try quantifier()
    if let open = try subqueryHead(before: nil) {
      // NONE before it would change what the count means.
      guard quantifier == .unquantified else {
        throw QueryError(
          .unsupported, "ANY, ALL and NONE want a collection, and the count of a SUBQUERY is none.", at: position)
      }
      return .head(open)
    }
    var (left, leftName) = try namedOperand()
    let (relation, options) = try relation()
    if case .constant(let constant) = left, quantifier == .unquantified, isKeyword("subquery"),
      let count = Count(constant), let flipped = relation.flipped, options.isEmpty,
      let open = try subqueryHead(before: (count, flipped))
    {
      return .head(open)
    }
    let isShape = relation == .in || relation == .within
    var (right, rightName) = try namedOperand()
    if case .constant = left, case .constant = right, let name = leftName ?? rightName {
      // Of two constants one is meant as a property, and is a word: `nan == 3`.
      let path = Comparison.Operand.path(PropertyPath([.property(name)], variable: scope.last))
      if leftName == nil { right = path } else { left = path }
    }
    var comparison = Comparison(left, relation, right, options: options, quantifier: quantifier, position: position)
    if case .constant(.shape) = right, isShape { comparison.relation = .within }
    if case .constant(let constant) = left, comparison.relation != .in {
      // A constant moves to the right side, where the code below expects it.
      guard case .path = right else {
        throw QueryError(.unsupported, "Two constants are compared: one side must be a property.", at: position)
      }
      guard let flipped = relation.flipped else {
        throw QueryError(
          .unsupported, "\(relation.spelling) wants its property on the left and its constant on the right.",
          at: position)
      }
      right = .constant(constant)
      comparison.relation = flipped
      comparison.left = comparison.right
      comparison.right = right
    }
    if case .constant = comparison.left { assert(comparison.relation == .in, "A property stands on the left.") }
    return .whole(comparison)
  }

  private mutating func quantifier() throws(QueryError) -> Comparison.Quantifier {
    let quantifier: Comparison.Quantifier
    switch keyword {
    case "any", "some": quantifier = .any
    case "all": quantifier = .all
    case "none": quantifier = .none
    default: return .unquantified
    }
    if try isName() { return .unquantified }
    try lexer.advance()
    return quantifier
  }

  /// One side of a comparison, and its word if it is a constant that is a word, such as `nan`.
  private mutating func namedOperand() throws(QueryError) -> (Comparison.Operand, name: String?) {
    let end = lexer.end
    guard case .word(let word, true) = lexer.token else { return (try operand(), nil) }
    let operand = try operand()
    if case .constant = operand, lexer.previousEnd == end { return (operand, word) }
    return (operand, nil)
  }

  func begins(with word: String) throws(QueryError) -> Bool { isKeyword(word) ? try !isName() : false }

  /// Whether the word that is the token is the name of a property, by what follows it: `any == 1`, `not IN {1, 2}`,
  /// `any[0] == 1`. In `NOT in == 1` the word after it is one.
  private func isName() throws(QueryError) -> Bool {
    assert(keyword != nil, "A word may be a name.")
    var ahead = self
    try ahead.lexer.advance()
    if ahead.continuesOperand { return true }
    guard ahead.isWordOperator else { return false }
    try ahead.lexer.advance()
    if ahead.isSign(.openBracket) {
      // `any CONTAINS[c] 'x'`, or `ANY contains['x'] == 1`.
      try ahead.lexer.advance()
      if case .word = ahead.lexer.token { return true }
      return false
    }
    return !ahead.continuesOperand && !ahead.isWordOperator
  }

  /// Whether the token stands behind the name of a property: it continues the path, or compares it.
  private var continuesOperand: Bool {
    guard case .sign(let sign) = lexer.token else { return false }
    switch sign {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .dot, .openBracket: return true
    default: return false
    }
  }

  private var isWordOperator: Bool {
    switch keyword {
    case "beginswith", "endswith", "contains", "like", "in", "between", "geowithin", "text", "matches": true
    default: false
    }
  }

  private mutating func relation() throws(QueryError) -> (Comparison.Operator, TextOptions) {
    let relation: Comparison.Operator
    switch lexer.token {
    case .sign(.equal): relation = .equal
    case .sign(.notEqual): relation = .notEqual
    case .sign(.less): relation = .less
    case .sign(.lessOrEqual): relation = .lessOrEqual
    case .sign(.greater): relation = .greater
    case .sign(.greaterOrEqual): relation = .greaterOrEqual
    default:
      switch keyword {
      case "beginswith": relation = .beginsWith
      case "endswith": relation = .endsWith
      case "contains": relation = .contains
      case "like": relation = .like
      case "in": relation = .in
      case "between": relation = .between
      case "geowithin": relation = .within
      case "text": relation = .fullText
      case "matches":
        throw QueryError(.unsupported, "MATCHES is not supported: LIKE knows '*' and '?'.", at: lexer.start)
      default:
        if case .sign(let sign) = lexer.token, sign == .minus || sign == .star {
          throw QueryError(.unsupported, "Arithmetic is not supported.", at: lexer.start)
        }
        throw lexer.error("An operator is expected, and not \(lexer.token.phrase).")
      }
    }
    try lexer.advance()
    return (relation, try textOptions())
  }

  /// Reads `[c]`, `[d]`, `[cd]` or `[n]`. `[n]` has no effect.
  private mutating func textOptions() throws(QueryError) -> TextOptions {
    guard isSign(.openBracket) else { return [] }
    try lexer.advance()
    guard case .word(let letters, true) = lexer.token else {
      throw lexer.error("'c', 'd' or 'cd' is expected after '['.")
    }
    var options: TextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": break
      default: throw lexer.error("'\(letter)' is no way to compare text: 'c' and 'd' are.")
      }
    }
    try lexer.advance()
    try expect(.closeBracket, "after the ways to compare text")
    return options
  }

  // MARK: Subqueries

  /// Reads `SUBQUERY(path, $variable,` if the format continues with it.
  private mutating func subqueryHead(before: (Count, Comparison.Operator)?) throws(QueryError) -> OpenSubquery? {
    guard isKeyword("subquery"), lexer.isFollowed(by: "(") else { return nil }
    assert(before.map { $0.1.flipped != nil } ?? true, "A count is compared by order or equality.")
    let position = lexer.start
    try lexer.advance()
    try lexer.advance()
    guard case .path(let path) = try operand() else {
      throw lexer.error("SUBQUERY begins with a collection.")
    }
    try expect(.comma, "after the collection of a SUBQUERY")
    guard case .variable(let variable) = lexer.token else {
      throw lexer.error("A variable such as '$x' is expected in SUBQUERY, and not \(lexer.token.phrase).")
    }
    try lexer.advance()
    try expect(.comma, "after the variable of a SUBQUERY")
    return OpenSubquery(position: position, collection: path, variable: variable, before: before)
  }

  /// Reads `.@count > 3` after the closing parenthesis of a subquery.
  mutating func countComparison(of open: OpenSubquery) throws(QueryError) -> QueryPredicate.Subquery {
    assert(open.before?.1.flipped != nil || open.before == nil, "A count is compared by order or equality.")
    func unsupported() -> QueryError {
      QueryError(
        .unsupported, "Of a SUBQUERY only '.@count' can be compared, and with a whole number.", at: lexer.start)
    }
    guard isSign(.dot) else { throw unsupported() }
    try lexer.advance()
    guard case .collectionOperator(let name) = lexer.token, name == "count" || name == "size" else {
      throw unsupported()
    }
    try lexer.advance()
    var (count, relation) = open.before ?? (.number(0), .equal)
    if open.before == nil {
      let (found, options) = try self.relation()
      guard found.flipped != nil, options.isEmpty, case .constant(let constant) = try operand(),
        let limit = Count(constant)
      else { throw unsupported() }
      (count, relation) = (limit, found)
    }
    switch count {
    case .number(let number):
      return QueryPredicate.Subquery(
        open.collection, variable: open.variable, count: relation, number, position: open.position)
    case .open(let name):
      return QueryPredicate.Subquery(
        open.collection, variable: open.variable, count: relation, 0, openCount: name, position: open.position)
    }
  }

  // MARK: Modifiers

  mutating func modifiers() throws(QueryError) -> [QueryModifier] {
    var modifiers: [QueryModifier] = []
    while let word = keyword, ["sort", "distinct", "limit"].contains(word) {
      try lexer.advance()
      try expect(.open, "after \(word.uppercased())")
      switch word {
      case "sort":
        var keys: [SortKey] = []
        repeat {
          let path = try path()
          let collation = try collation()
          let direction = keyword
          switch direction {
          case "asc", "ascending", "desc", "descending": try lexer.advance()
          default: break
          }
          keys.append(SortKey(path, ascending: direction?.hasPrefix("desc") != true, collation: collation))
        } while try comma()
        assert(!keys.isEmpty, "A sort names a path.")
        modifiers.append(.sort(keys))
      case "distinct":
        var paths: [PropertyPath] = []
        repeat { paths.append(try path()) } while try comma()
        assert(!paths.isEmpty, "A distinct names a path.")
        modifiers.append(.distinct(paths))
      default:
        let count = try wholeNumber()
        let offset = try comma() ? try wholeNumber() : 0
        assert(count >= 0 && offset >= 0, "A limit is not negative.")
        modifiers.append(.limit(count, offset: offset))
      }
      try expect(.close, "after what \(word.uppercased()) names")
    }
    return modifiers
  }

  private mutating func comma() throws(QueryError) -> Bool {
    guard isSign(.comma) else { return false }
    try lexer.advance()
    return true
  }

  /// Reads `FOLDED[c]`, `FOLDED[cd]` or `LOCALE "sv"`: the collation of a sort key. The default is by bytes.
  private mutating func collation() throws(QueryError) -> TextCollation {
    switch keyword {
    case "folded":
      try lexer.advance()
      let options = try textOptions()
      guard !options.isEmpty else { throw lexer.error("FOLDED wants 'c', 'd' or 'cd' in brackets.") }
      return .folded(options)
    case "locale":
      try lexer.advance()
      guard case .constant(.value(.string(let identifier))) = try operand() else {
        throw lexer.error("LOCALE wants the identifier of a locale.")
      }
      return .locale(identifier)
    default: return .bytes
    }
  }

  private mutating func wholeNumber() throws(QueryError) -> Int {
    guard case .constant(.value(.int(let number))) = try operand(), number >= 0 else {
      throw lexer.error("LIMIT wants a whole number that is not negative.")
    }
    return Int(number)
  }
}
