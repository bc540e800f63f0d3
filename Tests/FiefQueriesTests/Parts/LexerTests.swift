#if DEBUG
  import FiefValues
  import Testing

  @testable import FiefQueries

  @Suite struct LexerTests {
    private func tokens(_ text: String) throws -> [Token] {
      var lexer = try Lexer(text)
      var tokens: [Token] = []
      while lexer.token != .end {
        tokens.append(lexer.token)
        try lexer.advance()
      }
      return tokens
    }

    @Test(
      arguments: [
        ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual), ("=<", .lessOrEqual),
        (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("&&", .and), ("||", .or), ("!", .not), ("<", .less),
        (">", .greater), ("(", .open), (")", .close), ("[", .openBracket), ("]", .closeBracket), ("{", .openBrace),
        ("}", .closeBrace), (",", .comma), (".", .dot), ("*", .star), (":", .colon), ("-", .minus),
      ] as [(String, Token.Sign)])
    func signsHaveSeveralSpellings(text: String, sign: Token.Sign) throws { #expect(try tokens(text) == [.sign(sign)]) }

    @Test func spacesOnlySeparate() throws {
      #expect(try tokens(" a\t==\n 1 ") == tokens("a==1"))
      #expect(try tokens("") == [])
    }

    @Test(
      arguments: [
        ("0", 0), ("-12", -12), ("+7", 7), ("0x1F", 31), ("-0x10", -16), ("9223372036854775807", .max),
        ("-9223372036854775808", .min),
      ] as [(String, Int64)])
    func integersHave64Bits(text: String, value: Int64) throws { #expect(try tokens(text) == [.integer(value)]) }

    @Test(arguments: ["1.5", "-1.25e3", "1e-7", "9223372036854775808", "0.1"])
    func otherNumbersStayTexts(text: String) throws { #expect(try tokens(text) == [.number(NumberLiteral(text))]) }

    @Test(arguments: [
      (#"'a'"#, "a"), (#""a'b""#, "a'b"), (#"'\n\t\r\0\\\''"#, "\n\t\r\0\\'"), (#"'\u00e9\x41'"#, "\u{E9}A"),
      (#"'\ud83d\ude00'"#, "\u{1F600}"), (#"'\U0001F600'"#, "\u{1F600}"), ("''", ""),
    ])
    func textsHaveEscapes(text: String, value: String) throws { #expect(try tokens(text) == [.text(value)]) }

    @Test func wordsAreMarkedAndQuoted() throws {
      #expect(try tokens("and") == [.word("and", mayBeKeyword: true)])
      #expect(try tokens("#and") == [.word("and", mayBeKeyword: false)])
      #expect(try tokens("#'a b'") == [.word("a b", mayBeKeyword: false)])
      #expect(try tokens("été_1") == [.word("été_1", mayBeKeyword: true)])
    }

    @Test func variablesOperatorsAndPlaceholdersHaveASign() throws {
      #expect(
        try tokens("$x @count %@ %K %d %.2lf") == [
          .variable("x"), .collectionOperator("count"), .argument, .nameArgument, .numberArgument, .numberArgument,
        ])
      #expect(try tokens("B64'AQI='") == [.base64("AQI=")])
    }

    @Test(arguments: [
      "'a", "%q", "$", "@", "#", "12abc", "0xG", "+", "'\\u12'", "'\\ud83d\\u0041'", "\u{0}", "~", "%123456789d",
    ])
    func whatIsNoTokenIsRefused(text: String) {
      let error = #expect(throws: QueryError.self) { try tokens(text) }
      #expect(error?.code == .syntax)
    }

    @Test func positionsAreBytes() throws {
      var lexer = try Lexer("é  == 1")
      #expect(lexer.start == 0 && lexer.end == 2)
      try lexer.advance()
      #expect(lexer.start == 4 && lexer.previousEnd == 2 && lexer.isFollowed(by: " "))
    }

    @Test func rawTextEndsBeforeASign() throws {
      var lexer = try Lexer("( '12-ab' ) == 1")
      #expect(lexer.rawText(until: ")") == "12-ab")
      try lexer.advance()
      #expect(lexer.token == .sign(.close))
    }

    @Test func longTokensAreAbbreviatedInMessages() {
      #expect(Token.text(String(repeating: "x", count: 100)).phrase.count < 64)
      #expect(Token.end.phrase == "the end" && Token.integer(3).phrase == "3")
    }
  }
#endif
