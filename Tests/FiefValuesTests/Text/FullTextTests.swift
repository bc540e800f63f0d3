import FiefValues
import Testing

/// The words of strings.
struct FullTextTests {
  static let lines: [(String, [String])] = [
    ("", []), ("  -- !", []), ("Der Schwanensee: ballet, 1877!", ["der", "schwanensee", "ballet", "1877"]),
    ("don't stop", ["don", "t", "stop"]), ("x2y A1", ["x2y", "a1"]), ("a a A", ["a", "a", "a"]),
    ("Cr\u{E8}me br\u{FB}l\u{E9}e", ["creme", "brulee"]), ("Cre\u{300}me", ["creme"]),
    ("Stra\u{DF}e", ["strasse"]), ("\u{130}zmir \u{131}", ["izmir", "\u{131}"]), ("\u{FB01}sh", ["fish"]),
    ("\u{39F}\u{3B4}\u{3CC}\u{3C2}", ["\u{3BF}\u{3B4}\u{3BF}\u{3C3}"]), ("\u{D8}re", ["\u{F8}re"]),
    ("\u{4F60}\u{597D}\u{3002}\u{4E16}\u{754C}", ["\u{4F60}\u{597D}", "\u{4E16}\u{754C}"]),
    ("a\u{1F600}b", ["a", "b"]), ("\u{301}", []), ("\u{301}a", ["a"]), ("a\u{20DD}b", ["ab"]),
    ("\u{939}\u{93F}", ["\u{939}\u{93F}"]), ("\u{661}\u{662}", ["\u{661}\u{662}"]), ("a\0b", ["a", "b"]),
    ("a_b", ["a", "b"]), ("\u{BD}", ["\u{BD}"]),
  ]

  @Test func aTextIsPartedIntoFoldedWords() {
    for (text, words) in Self.lines {
      #expect(FullText.words(of: text).map { Array($0.utf8) } == words.map { Array($0.utf8) }, "\(text)")
    }
  }

  @Test func theWordsOfWordsAreThemselves() {
    for (text, _) in Self.lines {
      for word in FullText.words(of: text) { #expect(FullText.words(of: word) == [word]) }
    }
  }
}
