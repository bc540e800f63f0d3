import FiefGraph
import FiefRuntime
import FiefValues

/// The words for which `TEXT` searches: wanted words and unwanted words.
///
///     "swan lake -ballet dan*"      wanted: swan, lake, dan…     unwanted: ballet
///
/// Spaces separate the parts of a search. A part after `-` is unwanted: it excludes rows that have all of its words. A
/// `*` at the end of a part makes its last word a prefix. Words are those of `FullText`, so `o'neil` means `o` and
/// `neil`. A search without words finds nothing. A search with only unwanted words finds all strings without them.
struct WordSearch: Sendable, Equatable {
  /// A word, or the prefix of one.
  struct Term: Sendable, Equatable {
    let word: String
    let isPrefix: Bool

    func matches(_ other: String) -> Bool {
      assert(!word.isEmpty, "A word has a letter.")
      return isPrefix ? other.utf8.starts(with: word.utf8) : ByteOrder.areIdentical(other, word)
    }
  }

  private(set) var wanted: [Term] = []
  private(set) var unwanted: [[Term]] = []

  var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

  init(_ search: String) {
    for part in search.split(whereSeparator: \.isWhitespace) {
      let isUnwanted = part.first == "-"
      let words = FullText.words(of: String(part))
      let terms = words.enumerated().map { index, word in
        Term(word: word, isPrefix: index == words.count - 1 && part.last == "*")
      }
      if terms.isEmpty { continue }
      if isUnwanted { unwanted.append(terms) } else { wanted += terms }
    }
    assert(unwanted.allSatisfy { !$0.isEmpty }, "A part that excludes has words.")
  }

  /// The conjunction of two searches, neither of which is empty.
  func joined(_ other: WordSearch) -> WordSearch {
    assert(!isEmpty && !other.isEmpty, "An empty search finds nothing, whatever it is joined with.")
    var result = self
    result.wanted += other.wanted
    result.unwanted += other.unwanted
    return result
  }

  /// Whether a string has all wanted words and no unwanted part. Linear in the string, for each term.
  func matches(_ text: String) -> Bool {
    if isEmpty { return false }
    let words = FullText.words(of: text)
    func has(_ term: Term) -> Bool { words.contains(where: term.matches) }
    return wanted.allSatisfy(has) && !unwanted.contains { $0.allSatisfy(has) }
  }
}
