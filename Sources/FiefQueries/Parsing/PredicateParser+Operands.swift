import FiefGraph
import FiefValues
import Foundation

extension PredicateParser {
  /// Reads one side of a comparison: a constant, a placeholder or a path.
  ///
  /// Constants within other constants are read by `single` and `number`, which never call this function. So a format
  /// may nest to any depth without recursion in the parser.
  mutating func operand() throws(QueryError) -> Comparison.Operand {
    if isSign(.openBrace) { return .constant(try list()) }
    if let constant = try single() { return .constant(constant) }
    return .path(try path())
  }

  // MARK: Constants

  /// Reads a constant that is not a list in braces; nil at a path.
  private mutating func single() throws(QueryError) -> QueryConstant? {
    let position = lexer.start
    switch lexer.token {
    case .argument: return try argument()
    case .variable(let name) where !scope.contains(name) && !isRow(name): return try variable(name)
    case .numberArgument:
      let constant = try argument()
      switch constant {
      case .value(.int), .value(.float), .value(.double), .value(.bool), .value(.decimal): return constant
      default: throw QueryError(.argument, "A placeholder for a number is given something else.", at: position)
      }
    case .number(let literal):
      try lexer.advance()
      return QueryConstant([.number(literal)], isList: false)
    case .sign(.minus), .integer, .text, .base64: return .value(try literal())
    case .word(let word, true): return try wordLiteral(word.lowercased())
    default: return nil
    }
  }

  /// Reads a number within another constant.
  private mutating func number() throws(QueryError) -> Value {
    switch lexer.token {
    case .word(let word, true):
      switch word.lowercased() {
      case "inf", "infinity":
        try lexer.advance()
        return .double(.infinity)
      case "nan":
        try lexer.advance()
        return .double(.nan)
      default: break
      }
    case .number(let literal):
      guard let value = literal.value(of: .double) else { break }
      try lexer.advance()
      return value
    case .argument, .numberArgument, .sign(.minus), .integer:
      if case .value(let value)? = try single() { return value }
    default: break
    }
    throw lexer.error("A number is expected, and not \(lexer.token.phrase).")
  }

  private mutating func argument() throws(QueryError) -> QueryConstant {
    assert(lexer.token == .argument || lexer.token == .numberArgument, "An argument stands at its placeholder.")
    guard consumed < arguments.count else {
      throw QueryError(.argument, "The format wants more than the \(arguments.count) arguments given.", at: lexer.start)
    }
    consumed += 1
    try lexer.advance()
    return arguments[consumed - 1]
  }

  private mutating func variable(_ name: String) throws(QueryError) -> QueryConstant {
    assert(lexer.token == .variable(name), "The variable is the token.")
    let position = lexer.start
    try lexer.advance()
    if let number = Int(name) {
      namesArguments = true
      if arguments.indices.contains(number) { return arguments[number] }
      throw QueryError(.argument, "There is no argument $\(number): \(arguments.count) are given.", at: position)
    }
    if keepsVariables { return QueryConstant([.variable(name)], isList: false) }
    throw OpenConstant.missing(name, at: position)
  }

  private mutating func list() throws(QueryError) -> QueryConstant {
    assert(isSign(.openBrace), "A list begins with a brace.")
    try lexer.advance()
    var members: [OpenConstant.Member] = []
    while !isSign(.closeBrace) {
      let position = lexer.start
      switch try single() {
      case .value(let value)?: members.append(.value(value))
      case .open(let constant)?: members += constant.members
      case nil: throw QueryError(.syntax, "Between braces stand constants.", at: position)
      default: throw QueryError(.argument, "Between braces stand single values.", at: position)
      }
      if !isSign(.comma) { break }
      try lexer.advance()
    }
    try expect(.closeBrace, "after a list of constants")
    return QueryConstant(members, isList: true)
  }

  private mutating func literal() throws(QueryError) -> Value {
    let value: Value
    switch lexer.token {
    case .integer(let number): value = .int(number)
    case .text(let text): value = .string(text)
    case .base64(let text):
      guard let data = Data(base64Encoded: text) else { throw lexer.error("The text after B64 is not in base 64.") }
      value = .data(data)
    case .sign(.minus):
      try lexer.advance()
      guard let word = keyword, ["inf", "infinity"].contains(word) else {
        throw QueryError(.unsupported, "Arithmetic is not supported.", at: lexer.start)
      }
      value = .double(-.infinity)
    default: throw lexer.error("A constant is expected, and not \(lexer.token.phrase).")
    }
    try lexer.advance()
    return value
  }

  /// Reads a constant that begins with a word; nil when the word is a name.
  private mutating func wordLiteral(_ word: String) throws(QueryError) -> QueryConstant? {
    assert(keyword.map { $0 == word } ?? (word.utf8.count > 16), "The word is the token.")
    if lexer.isFollowed(by: "("), let constant = try made(by: word) { return constant }
    // A word that continues as a path is a name: `any[0]`, `nan.x`.
    if lexer.isFollowed(by: "[") || lexer.isFollowed(by: ".") { return nil }
    let value: Value
    switch word {
    case "true", "yes": value = .bool(true)
    case "false", "no": value = .bool(false)
    case "null", "nil": value = .null
    case "inf", "infinity": value = .double(.infinity)
    case "nan": value = .double(.nan)
    case "function", "cast":
      guard lexer.isFollowed(by: "(") else { return nil }
      throw QueryError(.unsupported, "\(word.uppercased()) is not supported.", at: lexer.start)
    // All other words mean something in other places alone, so here they are names.
    default: return nil
    }
    try lexer.advance()
    return .value(value)
  }

  /// Reads `oid(...)`, `uuid(...)`, `date(...)`, `decimal(...)`, `link(...)`, `geoBox(...)` and other constructors.
  private mutating func made(by function: String) throws(QueryError) -> QueryConstant? {
    assert(lexer.isFollowed(by: "("), "A constructor has arguments.")
    let position = lexer.start
    func bad(_ what: String) -> QueryError { QueryError(.syntax, "'\(function)(...)' \(what).", at: position) }
    switch function {
    case "oid", "uuid", "decimal":
      try lexer.advance()
      let text = try rawArgument()
      switch function {
      case "oid":
        guard let id = try? ObjectId(string: text) else { throw bad("wants 24 hexadecimal digits") }
        return .value(.objectId(id))
      case "uuid":
        guard let id = UUID(uuidString: text) else { throw bad("wants a UUID") }
        return .value(.uuid(id))
      default:
        guard let number = try? Decimal128(validating: text) else { throw bad("wants a decimal number") }
        return .value(.decimal(number))
      }
    case "date", "link":
      try lexer.advance()
      try lexer.advance()
      if function == "date", case .text(let text) = lexer.token {
        // A day is its beginning in UTC.
        guard let date = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else {
          throw bad("wants a date as '2026-01-31T12:00:00Z' or '2026-01-31'")
        }
        try lexer.advance()
        try expect(.close, "after a date")
        return .value(.date(date))
      }
      guard case .int(let a) = try number() else { throw bad("wants two whole numbers") }
      try expect(.comma, "between two numbers")
      guard case .int(let b) = try number() else { throw bad("wants two whole numbers") }
      try expect(.close, "after two numbers")
      if function == "date" { return .value(.date(Timestamp(seconds: a, nanoseconds: b))) }
      guard let table = UInt32(exactly: a) else { throw bad("names no table") }
      return .value(.link(ObjectLink(TableKey(rawValue: table), ObjectKey(b))))
    case "geobox":
      let points = try geoPoints()
      try expect(.close, "after a box")
      guard points.count == 2 else { throw bad("wants two points") }
      return .shape(.box(GeoBox(bottomLeft: points[0], topRight: points[1])))
    case "geocircle":
      try lexer.advance()
      try lexer.advance()
      let center = try geoPoint()
      try expect(.comma, "after the centre of a circle")
      guard case .double(let radius)? = try number().converted(to: .double),
        let circle = GeoCircle(center: center, radiusInRadians: radius)
      else { throw bad("wants a radius in radians, 0 or more") }
      try expect(.close, "after a circle")
      return .shape(.circle(circle))
    case "geopolygon":
      try lexer.advance()
      var rings: [[GeoPoint]] = []
      repeat {
        try lexer.advance()
        guard isSign(.openBrace) else { throw lexer.error("A ring of points in braces is expected.") }
        rings.append(try geoPoints())
        try expect(.closeBrace, "after a ring")
      } while isSign(.comma)
      try expect(.close, "after a polygon")
      guard let polygon = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst())) else {
        throw QueryError(
          .invalidShape, "A ring of a polygon is not closed, or has fewer than four points.", at: position)
      }
      return .shape(.polygon(polygon))
    default: return nil
    }
  }

  /// Reads the string between two parentheses and advances past them.
  private mutating func rawArgument() throws(QueryError) -> String {
    assert(isSign(.open), "An argument stands in parentheses.")
    let text = lexer.rawText(until: ")")
    try lexer.advance()
    try expect(.close, "after a value")
    return text
  }

  /// Reads `[longitude, latitude], ...`. The current token is the one before the first point.
  private mutating func geoPoints() throws(QueryError) -> [GeoPoint] {
    var points: [GeoPoint] = []
    if !isSign(.openBrace) { try lexer.advance() }
    repeat {
      try lexer.advance()
      points.append(try geoPoint())
    } while isSign(.comma)
    assert(!points.isEmpty, "A shape has a point.")
    return points
  }

  private mutating func geoPoint() throws(QueryError) -> GeoPoint {
    let position = lexer.start
    try expect(.openBracket, "before a point")
    var numbers: [Double] = []
    repeat {
      if !numbers.isEmpty { try lexer.advance() }
      guard case .double(let degrees)? = try number().converted(to: .double) else {
        throw QueryError(.syntax, "A point is a longitude and a latitude.", at: position)
      }
      numbers.append(degrees)
    } while isSign(.comma)
    try expect(.closeBracket, "after a point")
    guard numbers.count == 2 || numbers.count == 3,
      let point = GeoPoint(latitude: numbers[1], longitude: numbers[0], altitude: numbers.count == 3 ? numbers[2] : 0)
    else { throw QueryError(.invalidShape, "A point is out of range.", at: position) }
    return point
  }
}
