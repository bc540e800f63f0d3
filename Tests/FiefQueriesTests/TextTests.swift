import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Foundation
import Testing

@Suite struct TextTests {
  private func holds(_ text: String, _ operation: String, _ other: String) throws -> Bool {
    let query = try ElementQuery(
      ParsedQuery("SELF \(operation) %@", arguments: [.value(.string(other))]), of: ColumnType(.string), in: .empty)
    return query.matches(.string(text), in: .empty)
  }

  @Test func caseFoldsFullyAndMarksAreLeftOut() throws {
    for (a, b) in [
      ("stra\u{DF}e", "STRASSE"), ("\u{1E9E}", "ss"), ("\u{130}", "i\u{307}"), ("\u{3A3}\u{3C2}", "\u{3C3}\u{3C3}"),
      ("\u{FB01}", "FI"),
      ("\u{212A}", "k"), ("\u{E9}", "E\u{301}"), ("\u{17F}", "S"), ("\u{149}", "\u{2BC}N"), ("\u{13A0}", "\u{AB70}"),
      ("\u{1F80}", "\u{1F00}\u{3B9}"), ("\u{10A0}", "\u{2D00}"),
    ] {
      #expect(try holds(a, "==[c]", b), "\(a) \(b)")
      #expect(try holds(b, "==[c]", a), "\(a) \(b)")
      #expect(try !holds(a, "==", b), "\(a) \(b)")
      #expect(try holds(a, "CONTAINS[c]", b))
    }
    #expect(try !holds("\u{131}", "==[c]", "i"))
    #expect(try !holds("\u{E9}", "==[c]", "e"))
    #expect(try holds("\u{E9}", "==[d]", "e"))
    #expect(try holds("\u{C9}", "==[cd]", "e"))
    #expect(try !holds("\u{C9}", "==[d]", "e"))
    #expect(try holds("a\u{301}\u{323}", "==[c]", "A\u{323}\u{301}"))
  }

  @Test func plainComparisonsAreByBytes() throws {
    #expect(try !holds("\u{E9}", "==", "e\u{301}"))
    #expect(try holds("\u{FFFD}", "<", "\u{10000}"))
    #expect(try holds("Z", "<", "a"))
    #expect(try holds("", "<", "\u{0}"))
    #expect(try holds("e\u{301}", "BEGINSWITH", "e"))
  }

  @Test func aMatchThatFoldsCaseAloneEndsBeforeNoMark() throws {
    for text in ["\u{E4}bc", "a\u{308}bc", "x\u{E4}bc", "A\u{308}\u{323}"] {
      for (operation, needle) in [("CONTAINS", "a"), ("BEGINSWITH", "a"), ("BEGINSWITH", "A"), ("CONTAINS", "xa")] {
        #expect(try !holds(text, operation + "[c]", needle), "\(text) \(operation) \(needle)")
      }
      #expect(
        try holds(text, "CONTAINS[cd]", "A") && holds(text, "CONTAINS[d]", "a") == (text.unicodeScalars.first != "A"))
      #expect(try holds(text, "CONTAINS[c]", text) && holds(text, "BEGINSWITH[c]", text))
    }
    // A later occurrence counts, for short needles and for long ones.
    #expect(try holds("\u{E4}a", "CONTAINS[c]", "A"))
    let long = String(repeating: "ab", count: 20)
    #expect(try holds(long + "\u{308}x" + long, "CONTAINS[c]", long.uppercased()))
    #expect(try !holds(long + "\u{308}x" + long + "\u{308}", "CONTAINS[c]", long.uppercased()))
    #expect(try holds("\u{E4}bc", "CONTAINS[c]", "A\u{308}B"))
    // A match may end before a spacing mark, and without options before any mark.
    #expect(try holds("\u{915}\u{93E}", "CONTAINS[c]", "\u{915}"))
    #expect(try holds("a\u{308}", "CONTAINS", "a"))
  }

  @Test func longTextsAreFoldedInLinearTime() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 4_000)
    for (a, b) in [
      (String(repeating: "N\u{E9}", count: 20_000), String(repeating: "ne\u{301}", count: 20_000)),
      (String(repeating: "\u{AC00}", count: 10_000), String(repeating: "\u{1100}\u{1161}", count: 10_000)),
      ("a" + marks, "A" + String(repeating: "\u{323}", count: 4_000) + String(repeating: "\u{301}", count: 4_000)),
    ] {
      #expect(try holds(a, "==[c]", b))
      #expect(try holds(a, "CONTAINS[cd]", b))
      #expect(try !holds(a, "LIKE[c]", b + "?"))
    }
  }

  /// The time of a million letters is that of a hundred thousand, ten times, and no short string waits for it.
  @Test func aLongConstantCostsShortStringsNothing() throws {
    let constant = String(repeating: "\u{E9}", count: 500_000)
    let texts = (0..<10).map { Value.string("name \($0) \u{E9}") }
    for operation in ["CONTAINS[c]", "CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[c]", "==[cd]", "CONTAINS"] {
      let time = try threadTime {
        for text in texts {
          let query = try ElementQuery(
            ParsedQuery("SELF \(operation) %@", arguments: [.value(.string(constant))]), of: ColumnType(.string),
            in: .empty)
          #expect(!query.matches(text, in: .empty))
        }
      }
      // Folding the constant ten times takes seconds in a debug build.
      #expect(time < .seconds(2), "\(operation)")
    }
    #expect(try holds("a", "!=[c]", constant))
  }

  /// Strings around the length from which a constant is prepared later.
  @Test func longConstantsMatchAsShortOnesDo() throws {
    for count in [2_000, 4_090, 4_100, 10_000] {
      let text = String(repeating: "N\u{E9}", count: count)
      let other = String(repeating: "ne\u{301}", count: count)
      #expect(try holds(text, "==[c]", other) && !holds(text, "!=[c]", other))
      #expect(try !holds(text + "x", "==[c]", other) && holds(text + "x", "!=[c]", other))
      #expect(try holds("x" + text + "y", "CONTAINS[c]", other) && !holds(text.dropLast() + "y", "CONTAINS[c]", other))
      #expect(try !holds(text + "\u{323}", "CONTAINS[c]", other) && holds(text + "\u{323}", "CONTAINS[cd]", other))
      #expect(try holds(text + "y", "BEGINSWITH[cd]", other) && !holds("y" + text, "BEGINSWITH[cd]", other))
      #expect(try holds("y" + text, "ENDSWITH[cd]", other) && !holds(text + "y", "ENDSWITH[cd]", other))
      #expect(try holds("x" + text + "y", "CONTAINS", text) && !holds(text, "CONTAINS", text + "y"))
      #expect(try holds(String(repeating: "ne", count: count), "==[cd]", text))
    }
    // A constant of marks alone is empty to [d].
    let marks = String(repeating: "\u{301}", count: 5_000)
    #expect(try holds("", "==[d]", marks) && holds("\u{323}", "==[d]", marks) && !holds("a", "CONTAINS[d]", marks))
    #expect(try holds("a" + marks, "CONTAINS[c]", marks) && !holds("a", "CONTAINS[c]", marks))
  }

  /// Letters that grow most when they are decomposed and folded, beside constants that are prepared later.
  @Test func lettersThatGrowMatchLongConstants() throws {
    for letter in ["\u{390}", "\u{1F82}", "\u{1D160}", "\u{FB03}", "\u{149}", "\u{1FB7}", "\u{AC01}", "\u{212B}"] {
      let text = String(repeating: letter, count: 5_000)
      let folded = text.decomposedStringWithCanonicalMapping.uppercased().lowercased()
      #expect(try holds(text, "==[c]", folded) && holds(folded, "CONTAINS[c]", text), "\(letter)")
    }
  }

  /// Pieces of a long string are folded as the whole string would be.
  @Test func foldingInPiecesIsFoldingAsAWhole() throws {
    let letters = ["a", "\u{E9}", "\u{301}", "\u{323}", "\u{AC01}", "\u{1F80}", "\u{DF}", "\u{344}", "\u{130}", "x"]
    Seeds.run(count: 60) { _, random in
      let text = (0..<(40 + random.below(300))).map { _ in random.element(of: letters) }.joined()
      let decomposed = text.decomposedStringWithCanonicalMapping
      #expect((try? holds(text, "==[c]", decomposed)) == true)
      #expect((try? holds(decomposed, "==[d]", text)) == true)
      #expect((try? holds(text, "==[c]", text.precomposedStringWithCanonicalMapping)) == true)
    }
  }

  @Test func nothingBeginsWithEndsWithOrContainsTheEmptyText() throws {
    for text in ["", "a", "0123456789abcdef", "\u{E9}"] {
      for operation in ["BEGINSWITH", "ENDSWITH", "CONTAINS", "BEGINSWITH[c]", "ENDSWITH[cd]", "CONTAINS[d]"] {
        #expect(try !holds(text, operation, " "))
      }
      #expect(try holds(text, "LIKE", "") == text.isEmpty)
      #expect(try holds(text, "LIKE", "*"))
    }
    // A string that consists of marks only is empty to [d].
    #expect(try !holds("a", "CONTAINS[d]", "\u{301}"))
    #expect(try holds("\u{301}", "==[d]", ""))
  }

  @Test func likeKnowsCharacters() throws {
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    #expect(try holds(family, "LIKE", "?"))
    #expect(try holds("e\u{301}x", "LIKE", "?x"))
    #expect(try !holds("e\u{301}x", "LIKE", "e*"))
    #expect(try holds("a*b", "LIKE", "a\\*b"))
    #expect(try !holds("axb", "LIKE", "a\\*b"))
    #expect(try holds("a\\b", "LIKE", "a\\\\b"))
    #expect(try holds("a\\", "LIKE", "a\\"))
    #expect(try holds("STRASSE", "LIKE[c]", "stra\u{DF}?"))
    #expect(try holds("\u{DF}", "LIKE[c]", "?"))
    #expect(try !holds("\u{DF}", "LIKE", "??"))
    #expect(try holds("aXbXc", "LIKE", "a*X?"))
    #expect(try !holds("abc", "LIKE", "a?"))
    #expect(try holds(String(repeating: "a", count: 3000) + "b", "LIKE", "*a*a*a*b"))
    #expect(try !holds(String(repeating: "a", count: 1000), "LIKE", String(repeating: "a*", count: 100) + "b"))
  }

  @Test func searchingIsLinearForEveryString() throws {
    let text = String(repeating: "a", count: 200_000)
    #expect(try !holds(text, "CONTAINS", String(repeating: "a", count: 50_000) + "b"))
    #expect(try holds(text + "b", "CONTAINS", String(repeating: "a", count: 50_000) + "b"))
  }

  /// Columns are scanned by words, and elements are tested byte by byte. Both must give equal results.
  @Test func aScanSaysWhatEachStringSays() throws {
    try Seeds.run(count: 40) { _, random throws in
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("T")
      let column = try transaction.addColumn(to: table, "s", ColumnType(.string, isOptional: true))
      var texts: [String?] = []
      for _ in 0..<300 {
        var text: String? =
          random.bool(0.1) ? nil : random.bool() ? random.text(count: random.below(18), of: "abABz@`") : random.string()
        if random.bool(0.1) { text?.reserveCapacity(40) }
        texts.append(text)
        try transaction.create(in: table) { try $0.set(text, column) }
      }
      let graph = transaction.graph
      for _ in 0..<Effort.of(debug: 10, release: 30) {
        let operation = random.element(of: [
          "==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==[c]", "!=[c]", "BEGINSWITH[c]",
          "ENDSWITH[cd]",
          "CONTAINS[c]", "CONTAINS[d]", "LIKE[c]",
        ])
        // Mostly short needles; some are as long as a short string can be, or longer.
        let length = random.bool(0.8) ? random.below(5) : 12 + random.below(6)
        let part = random.element(of: texts)?.suffix(length).description ?? ""
        let needle =
          random.bool(0.7) ? random.text(count: length, of: "abABz*@`") : random.bool() ? part : random.string()
        let predicate = try QueryPredicate("s \(operation) %@", arguments: [.value(.string(needle))])
        let found = try CompiledQuery(predicate, of: table, in: graph).rows(in: graph)
        let one = try ElementQuery(
          ParsedQuery("SELF \(operation) %@", arguments: [.value(.string(needle))]),
          of: ColumnType(.string, isOptional: true), in: graph)
        let expected = texts.indices.filter { one.matches(texts[$0].map(Value.string) ?? .null, in: graph) }
        #expect(found.map { Int($0.rawValue) } == expected, "\(operation) \(needle)")
      }
    }
  }
}

@Suite struct FullTextTests {
  private func make(indexed: Bool) throws -> (Graph, TableKey) {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Ballet")
    let title = try transaction.addColumn(to: table, "title", ColumnType(.string, isOptional: true))
    try transaction.addColumn(to: table, "next", .link(to: table))
    if indexed { try transaction.addIndex(.fullText(title), to: table) }
    for number in 0..<2000 {
      try transaction.create(in: table) { row in
        if number == 0 { return }
        try row.set("\(number % 2 == 0 ? "Even" : "odd") number\(number % 40), d\u{E9}j\u{E0} no. \(number)", title)
      }
    }
    return (transaction.graph, table)
  }

  /// A search, the rows that it finds, and a word of its plan.
  static let searches: [(String, @Sendable (Int) -> Bool, String)] = [
    ("number7", { $0 % 40 == 7 }, "the answer"), ("NUMBER7 odd", { $0 % 40 == 7 }, "tested"),
    ("number7 deja", { $0 % 40 == 7 }, "tested"), ("number7 17", { _ in false }, "answer"),
    ("7 number7", { $0 == 7 }, "answer"), ("number7 -odd", { _ in false }, "tested"),
    ("number7 -47", { $0 % 40 == 7 && $0 != 47 }, "answer"),
    ("number7 -47-odd", { $0 % 40 == 7 && $0 != 47 }, "tested"),
    ("199*", { $0 == 199 || 1990...1999 ~= $0 }, "answer"),
    ("number7 1*", { $0 % 40 == 7 && "\($0)".first == "1" }, " "),
    ("-odd", { $0 % 2 == 0 }, "scan"), ("", { _ in false }, " "), ("* - !", { _ in false }, " "),
    ("number7.odd", { $0 % 40 == 7 }, " "), ("absent", { _ in false }, "none"), ("d\u{C9}ja", { _ in true }, "scan"),
  ]

  @Test func searchesFindTheSameByTheIndexAndWithoutIt() throws {
    let (graph, table) = try make(indexed: true)
    let (plain, plainTable) = try make(indexed: false)
    for (search, holds, word) in Self.searches {
      let predicate = try QueryPredicate("title TEXT %@", arguments: [.value(.string(search))])
      #expect(try QueryPredicate(predicate.description) == predicate)
      let query = try CompiledQuery(predicate, of: table, in: graph)
      let scan = try CompiledQuery(predicate, of: plainTable, in: plain)
      let expected = (1..<2000).filter(holds).map { ObjectKey(Int64($0)) }
      #expect(Array(query.rows(in: graph)) == expected, "\(search)")
      #expect(Array(scan.rows(in: plain)) == expected, "\(search)")
      #expect(query.count(in: graph) == expected.count, "\(search)")
      #expect(query.first(in: graph) == expected.first, "\(search)")
      #expect(query.explanations(in: graph)[0].plan.contains(word), "\(search): \(query.explanations(in: graph)[0])")
    }
  }

  @Test func theIndexAnswersConditionsJoinedWithOthers() throws {
    let (graph, table) = try make(indexed: true)
    for (format, count, word) in [
      ("title TEXT 'number7' AND title TEXT '1967'", 1, "words of title"),
      ("title TEXT '5' OR title TEXT '6'", 2, "alternatives"),
      ("title TEXT '5' AND title CONTAINS 'odd'", 1, "tested"), ("NOT title TEXT '5'", 1999, "scan"),
      ("next.title TEXT '5'", 0, "scan"),
    ] {
      let query = try CompiledQuery(QueryPredicate(format), of: table, in: graph)
      #expect(query.count(in: graph) == count, "\(format)")
      #expect(query.explanations(in: graph)[0].plan.contains(word), "\(query.explanations(in: graph)[0])")
    }
  }

  @Test func aTextSearchOfAnUnfitPropertyIsRefused() throws {
    let (graph, table) = try make(indexed: true)
    for format in ["title TEXT[c] 'a'", "next TEXT 'a'", "title TEXT 5", "title TEXT next.title", "'a' TEXT title"] {
      #expect(throws: QueryError.self, "\(format)") { try CompiledQuery(QueryPredicate(format), of: table, in: graph) }
    }
  }
}
