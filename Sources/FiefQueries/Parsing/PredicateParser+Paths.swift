extension PredicateParser {
  /// Reads a path: names, `%K`, collection operators and subscripts. In a subquery, a path without a variable begins at
  /// the element of the innermost one, and `$SELF` is the row of the query.
  mutating func path() throws(QueryError) -> PropertyPath {
    var path = PropertyPath([], variable: scope.last)
    switch lexer.token {
    case .variable(let name):
      path.variable = isRow(name) ? nil : name
      try lexer.advance()
      guard isSign(.dot) || isSign(.openBracket) else { return path }
    case .word(let word, true) where word.lowercased() == "self":
      try lexer.advance()
      guard isSign(.dot) || isSign(.openBracket) else { return path }
    case .word, .nameArgument, .collectionOperator: try component(into: &path)
    default: throw lexer.error("A property or a constant is expected, and not \(lexer.token.phrase).")
    }
    while true {
      if isSign(.dot) {
        try lexer.advance()
        try component(into: &path)
      } else if isSign(.openBracket) {
        try lexer.advance()
        path.components.append(try subscriptComponent())
        try expect(.closeBracket, "after a subscript")
      } else {
        return path
      }
    }
  }

  /// Whether a variable is the row of the query: `$SELF` in a subquery, unless another variable has that name.
  func isRow(_ variable: String) -> Bool {
    !scope.isEmpty && variable == PropertyPath.rowVariable && !scope.contains(variable)
  }

  private mutating func component(into path: inout PropertyPath) throws(QueryError) {
    switch lexer.token {
    case .word(let name, let mayBeKeyword):
      // Inside a path, keywords are names as well. `self.x` means `x`.
      if !(mayBeKeyword && name.lowercased() == "self") { path.components.append(.property(name)) }
    case .nameArgument:
      for name in try nameArgument().split(separator: ".", omittingEmptySubsequences: false) {
        if name.hasPrefix("@") {
          path.components.append(try collectionOperator(String(name.dropFirst())))
        } else if name.isEmpty {
          throw QueryError(.argument, "The path given for %K has an empty part.", at: lexer.start)
        } else if name.lowercased() != "self" {
          path.components.append(.property(String(name)))
        }
      }
      return
    case .collectionOperator(let name): path.components.append(try collectionOperator(name))
    default: throw lexer.error("The name of a property is expected, and not \(lexer.token.phrase).")
    }
    try lexer.advance()
  }

  /// Takes the name passed for `%K` and advances past the placeholder.
  private mutating func nameArgument() throws(QueryError) -> String {
    let position = lexer.start
    assert(consumed >= 0, "Arguments are consumed in order.")
    guard consumed < arguments.count else {
      throw QueryError(.argument, "The format wants more than the \(arguments.count) arguments given.", at: position)
    }
    assert(lexer.token == .nameArgument, "A name is taken at its placeholder.")
    consumed += 1
    try lexer.advance()
    switch arguments[consumed - 1] {
    case .name(let name): return name
    case .value(.string(let name)): return name
    default: throw QueryError(.argument, "%K is given something that is not the name of a property.", at: position)
    }
  }

  private func collectionOperator(_ name: String) throws(QueryError) -> PropertyPath.Component {
    let word = name.lowercased()
    if let operation = PropertyPath.Aggregate(rawValue: word) { return .aggregate(operation) }
    switch word {
    case "size": return .aggregate(.count)
    case "length": return .length
    case "allkeys", "keys": return .allKeys
    case "allvalues", "values": return .allValues
    default:
      throw QueryError(.unsupported, "The operator '@\(QueryError.short(name))' is not supported.", at: lexer.start)
    }
  }

  private mutating func subscriptComponent() throws(QueryError) -> PropertyPath.Component {
    let component: PropertyPath.Component
    switch lexer.token {
    case .text(let key): component = key == "#any" ? .anyElement : .key(key)
    case .integer(let index) where index >= 0: component = .index(Int(index))
    case .sign(.star): component = .anyElement
    case .nameArgument:
      let key = try nameArgument()
      return key == "#any" ? .anyElement : .key(key)
    case .argument, .numberArgument:
      guard case .constant(.value(let value)) = try operand() else {
        throw lexer.error("A subscript is a key, a position or '*'.")
      }
      switch value {
      case .string(let key): return .key(key)
      case .int(let index) where index >= 0: return .index(Int(index))
      default: throw lexer.error("A subscript is a key, a position or '*'.")
      }
    case .word(let word, true) where ["first", "last", "size"].contains(word.lowercased()):
      throw QueryError(.unsupported, "[\(word.uppercased())] is not supported.", at: lexer.start)
    // `map[key]`, the spelling in sort key paths.
    case .word(let key, _): component = key == "#any" ? .anyElement : .key(key)
    default: throw lexer.error("A subscript is a key, a position or '*', and not \(lexer.token.phrase).")
    }
    try lexer.advance()
    return component
  }
}
