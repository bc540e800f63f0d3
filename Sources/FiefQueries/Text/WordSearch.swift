import FiefGraph

/// What `TEXT` looks for: the words that must be there, and those that must not.
///
///     "swan lake -ballet dan*"      wanted: swan, lake, dan…     unwanted: ballet
///
/// Spaces part the search into parts. A part behind `-` is unwanted: it finds the rows that do not have all of its
/// words. A `*` at the end of a part makes its last word the beginning of one. Words are those of `FullText`, so that
/// `o'neil` asks for `o` and `neil`. A search without any word finds nothing; one of unwanted words alone finds all
/// texts without them.
struct WordSearch: Sendable, Equatable {
  /// A word, or the beginning of one.
  struct Term: Sendable, Equatable {
    let word: String
    let isPrefix: Bool

    func matches(_ other: String) -> Bool {
      isPrefix ? other.utf8.starts(with: word.utf8) : StoredOrder.areIdentical(other, word)
    }
  }

  private(set) var wanted: [Term] = []
  private(set) var unwanted: [[Term]] = []

  var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

  init(_ search: String) {
    for part in search.split(whereSeparator: \.isWhitespace) {
      let isUnwanted = part.first == "-"
      let words = FullText.words(of: String(part))
      let terms = words.enumerated().map { place, word in
        Term(word: word, isPrefix: place == words.count - 1 && part.last == "*")
      }
      if terms.isEmpty { continue }
      if isUnwanted { unwanted.append(terms) } else { wanted += terms }
    }
  }

  /// What both look for; neither is empty.
  func joined(_ other: WordSearch) -> WordSearch {
    var result = self
    result.wanted += other.wanted
    result.unwanted += other.unwanted
    return result
  }

  /// Whether a text has what is wanted and not what is unwanted. Linear in the text, for each term.
  func matches(_ text: String) -> Bool {
    if isEmpty { return false }
    let words = FullText.words(of: text)
    func has(_ term: Term) -> Bool { words.contains(where: term.matches) }
    return wanted.allSatisfy(has) && !unwanted.contains { $0.allSatisfy(has) }
  }
}
