#if DEBUG
  import FiefGraph
  import FiefTestSupport
  import FiefValues
  import Testing

  @testable import FiefQueries

  /// The parts of text matching: folding, searching bytes, short strings as words, patterns, words of a search.
  @Suite struct TextPartsTests {
    @Test(arguments: [
      ("abc", "", "abc"), ("ABC", "c", "abc"), ("\u{C9}", "cd", "e"), ("\u{C9}", "d", "E"), ("\u{DF}", "c", "ss"),
    ])
    func textsFoldByTheirOptions(text: String, options: String, folded: String) {
      var set: TextOptions = []
      if options.contains("c") { set.insert(.caseInsensitive) }
      if options.contains("d") { set.insert(.diacriticInsensitive) }
      #expect(set.folded(text) == Array(folded.utf8))
      #expect(set.spelling == (options.isEmpty ? "" : "[\(options)]"))
    }

    @Test(arguments: Seeds.all) func bytesAreFoundAsAPlainSearchFindsThem(seed: Seed) {
      var random = seed.random
      for _ in 0..<200 {
        let text = (0..<random.below(60)).map { _ in UInt8(97 + random.below(2)) }
        let needle = (0...random.below(14)).map { _ in UInt8(97 + random.below(2)) }
        let isFound = text.indices.contains { text[$0...].starts(with: needle) }
        #expect(ByteSearch(needle).occurs(in: text) == isFound)
        let isEven = text.indices.contains { text[$0...].starts(with: needle) && ($0 + needle.count) % 2 == 0 }
        let found = unsafe text.withUnsafeBufferPointer {
          unsafe ByteSearch(needle).occurs(in: $0, whereEnd: { $0 % 2 == 0 })
        }
        #expect(found == isEven)
      }
    }

    @Test(arguments: Seeds.all) func shortStringsMatchAsTheirBytes(seed: Seed) {
      var random = seed.random
      for _ in 0..<300 {
        let bytes = (0..<random.below(16)).map { _ in UInt8(97 + random.below(3)) }
        let needle = (0..<random.below(5)).map { _ in UInt8(97 + random.below(3)) }
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
          if index < 8 {
            words.0 |= UInt64(byte) << UInt64(index * 8)
          } else {
            words.1 |= UInt64(byte) << UInt64(index * 8 - 64)
          }
        }
        func matches(_ anchor: ShortNeedle.Anchor) -> Bool {
          ShortNeedle(anchor, needle).matches(words.0, words.1, length: bytes.count)
        }
        #expect(matches(.all) == (bytes == needle) && matches(.notAll) == (bytes != needle))
        if needle.isEmpty { continue }
        #expect(
          matches(.start) == bytes.starts(with: needle)
            && matches(.end) == bytes.reversed().starts(with: needle.reversed()))
        #expect(matches(.anywhere) == bytes.indices.contains { bytes[$0...].starts(with: needle) })
      }
    }

    @Test func eightLettersBecomeLowerAtOnce() {
      let word = Array("aZ[@A9zM".utf8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let lower = Array("az[@a9zm".utf8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(ShortNeedle.lower(word) == lower)
    }

    @Test(arguments: [
      ("a*c", "abbbc", true), ("a*c", "abcd", false), ("?", "e\u{301}", true), ("??", "e\u{301}", false),
      ("*", "", true),
      ("", "", true), ("", "a", false), ("a\\*", "a*", true), ("a\\*", "ab", false), ("\\", "\\", true),
      ("**a", "ba", true),
      ("*a*b*", "xaxbx", true), ("a?c*", "abc", true), ("*ab", "aab", true),
    ])
    func patternsMatchWholeTexts(pattern: String, text: String, isMatch: Bool) {
      #expect(LikePattern(pattern, options: []).matches(text) == isMatch)
    }

    @Test func patternsFold() {
      #expect(LikePattern("A?C", options: .caseInsensitive).matches("a\u{E9}c"))
      #expect(!LikePattern("A?C", options: []).matches("a\u{E9}c"))
    }

    @Test func aSearchHasWantedAndUnwantedWords() {
      let search = WordSearch("Swan lake -ballet o'neil dan*")
      #expect(search.wanted.map(\.word) == ["swan", "lake", "o", "neil", "dan"])
      #expect(search.wanted.map(\.isPrefix) == [false, false, false, false, true])
      #expect(search.unwanted.map { $0.map(\.word) } == [["ballet"]])
      #expect(search.matches("O'Neil dances on Swan Lake") && !search.matches("swan lake o neil"))
      #expect(!search.matches("swan lake o neil dance ballet"))
    }

    @Test func aSearchWithoutWordsFindsNothing() {
      for text in ["", " - ", "--"] {
        #expect(WordSearch(text).isEmpty && !WordSearch(text).matches("a") && !WordSearch(text).matches(""))
      }
      #expect(WordSearch("-a").matches("b") && !WordSearch("-a").matches("a b") && WordSearch("-a").matches(""))
    }

    @Test func searchesAreJoined() {
      let both = WordSearch("a b").joined(WordSearch("-c"))
      #expect(both.matches("b a") && !both.matches("a b c") && !both.matches("a"))
      #expect(both == WordSearch("a b -c"))
    }

    @Test(arguments: [
      (Comparison.Operator.equal, true, false), (.notEqual, false, true), (.beginsWith, true, false),
      (.endsWith, true, false), (.contains, true, false), (.like, true, false), (.lessOrEqual, true, false),
      (.greaterOrEqual, true, true), (.less, false, false), (.greater, false, true),
    ])
    func eachRelationIsOneOfBytes(relation: Comparison.Operator, ofSame: Bool, ofLater: Bool) {
      let matcher = TextMatcher(relation, "m", options: [])
      #expect(matcher.matches("m") == ofSame && matcher.matches("n") == ofLater)
    }

    @Test func theEmptyTextIsNoPart() {
      for relation in [Comparison.Operator.beginsWith, .endsWith, .contains] {
        #expect(
          !TextMatcher(relation, "", options: []).matches("a") && !TextMatcher(relation, "", options: []).matches(""))
      }
      #expect(TextMatcher(.equal, "", options: []).matches(""))
    }

    @Test func longTextsAreComparedAsShortOnes() {
      let long = String(repeating: "Ab", count: 5000)
      for (relation, other) in [
        (.equal, long.lowercased()), (.beginsWith, long.lowercased() + "x"), (.contains, "x" + long.lowercased()),
        (.endsWith, "x" + long.uppercased()),
      ] as [(Comparison.Operator, String)] {
        let matcher = TextMatcher(relation, long, options: .caseInsensitive)
        #expect(matcher.matches(other) && !matcher.matches("ab") && !matcher.matches(String(other.dropLast(3)) + "y"))
      }
      #expect(TextMatcher(.notEqual, long, options: .caseInsensitive).matches("ab"))
    }
  }
#endif
