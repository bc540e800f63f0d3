#if DEBUG
  import FiefTestSupport
  import Testing

  @testable import FiefTool

  @Suite struct SwiftLexerTests {
    private func texts(_ source: String) throws -> [String] {
      let bytes = Array(source.utf8)
      return try SwiftLexer.tokens(of: bytes).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    @Test(
      arguments: [
        (
          #"let a = "x\"{\(f("}", [1: "(\(2))"]))" + b"#,
          ["let", " ", "a", " ", "=", " ", #""x\"{\(f("}", [1: "(\(2))"]))""#, " ", "+", " ", "b"]
        ),
        ("a/* { /* \" */ } */b", ["a", "/* { /* \" */ } */", "b"]),
        ("a // { \"\nb", ["a", " ", "// { \"", "\n", "b"]),
        (##"#"a"\(b)"# + #"\#("}")"#"##, [##"#"a"\(b)"#"##, " ", "+", " ", ##"#"\#("}")"#"##]),
        ("\"\"\"\n { \" \\(\"}\") \n\"\"\"", ["\"\"\"\n { \" \\(\"}\") \n\"\"\""]),
        ("#/a\"{/#", ["#/a\"{/#"]), ("`class`.x1", ["`class`", ".", "x1"]),
        ("1.5e3...0x1F", ["1.5e3", ".", ".", ".", "0x1F"]),
        ("#if os(Linux)", ["#if", " ", "os", "(", "Linux", ")"]), ("größe = 日", ["größe", " ", "=", " ", "日"]),
      ])
    func aSourceFallsIntoTokens(_ source: String, _ tokens: [String]) throws { #expect(try texts(source) == tokens) }

    @Test(
      arguments: [
        ("let a = \"x\nlet b = \"y\"", 1, "string"), ("a\n/* b /* c */", 2, "comment"), ("a\n(b]", 2, "bracket"),
        ("class A {\n", 1, "bracket"), ("}", 1, "bracket"), ("`a", 1, "backticks"), ("#/a", 1, "expression"),
        ("\"\\(a", 1, "string"),
      ])
    func whatIsNotClosedIsReportedWithItsLine(_ source: String, _ line: Int, _ word: String) {
      let problem = #expect(throws: SwiftLexer.Problem.self) { try SwiftSource(Array(source.utf8)) }
      #expect(problem?.line == line && problem?.words.contains(word) == true)
    }

    @Test(arguments: Seeds.first(200)) func anyBytesGiveAllBytesOrAProblem(seed: Seed) {
      var random = seed.random
      let parts = [
        "\"", "\\(", ")", "(", "{", "}", "#", "/", "*", "\n", "a", "class ", "\\", "\"\"\"", "`", "é", " ", "1.",
      ]
      let source = (0..<random.below(60)).map { _ in random.element(of: parts) }.joined()
      if let texts = try? texts(source) { #expect(texts.joined() == source) }
    }

    @Test func deepNestsAreReadWithoutRecursion() throws {
      let depth = 100_000
      let source = String(repeating: "\"\\(", count: depth) + "x" + String(repeating: ")\"", count: depth)
      #expect(try texts(source).count == 1)
      let comments = String(repeating: "/*", count: depth) + String(repeating: "*/", count: depth)
      #expect(try texts(comments).count == 1)
    }
  }
#endif
