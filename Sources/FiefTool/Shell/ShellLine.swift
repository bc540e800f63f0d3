/// A line of the shell in words, as a shell of the system reads them: quotes and backslashes hold words together.
///
///     query Person "name == 'Ann'" --limit 3
///     query Person name == 'Ann' --limit 3
struct ShellLine {
  private let text: String
  /// The words; `isQuoted` of those that stand in quotes with all their characters.
  private var parts: [(word: String, isQuoted: Bool, range: Range<String.Index>)] = []

  /// - Throws: `UsageError` for a quote that is not closed.
  init(_ text: String) throws(UsageError) {
    self.text = text
    var index = text.startIndex
    while true {
      while index < text.endIndex, text[index].isWhitespace { index = text.index(after: index) }
      if index == text.endIndex { return }
      let start = index
      let (word, isQuoted) = try Self.word(text, &index)
      parts.append((word, isQuoted, start..<index))
    }
  }

  /// Reads a word up to a space outside of quotes.
  private static func word(
    _ text: String, _ index: inout String.Index
  ) throws(UsageError) -> (word: String, isQuoted: Bool) {
    var word = ""
    var quote: Character?
    var isQuoted = true
    while index < text.endIndex {
      let character = text[index]
      if quote == nil && character.isWhitespace { break }
      index = text.index(after: index)
      isQuoted = isQuoted && (quote != nil || character == "'" || character == "\"")
      if character == quote {
        quote = nil
      } else if quote == nil && (character == "'" || character == "\"") {
        quote = character
      } else if character == "\\" && quote != "'" {
        guard index < text.endIndex else { throw UsageError("The line ends in a backslash.") }
        let next = text[index]
        index = text.index(after: index)
        // Within quotes only these need it; other backslashes are those of the predicate.
        if quote != nil && next != "\"" && next != "\\" { word.append("\\") }
        word.append(next)
      } else {
        word.append(character)
      }
    }
    if let quote { throw UsageError("The quote \(quote) is not closed.") }
    return (word, isQuoted)
  }

  var words: [String] { parts.map(\.word) }

  /// The words of `CLASS PREDICATE… OPTIONS…` from a position on, with the predicate in one word, as it was written. A
  /// predicate that is one word, all of it in quotes, loses these. One that begins with a hyphen stands behind `--`.
  func words(withPredicateAt position: Int) -> [String] {
    guard parts.count > position else { return words }
    // Behind `--` stands the predicate alone.
    let start = text[parts[position].range] == "--" ? position + 1 : position
    let end = start > position ? nil : parts[position...].firstIndex { text[$0.range].hasPrefix("--") }
    let last = end ?? parts.count
    guard last > start else { return words }
    let predicate =
      last == start + 1 && parts[start].isQuoted
      ? parts[start].word : String(text[parts[start].range.lowerBound..<parts[last - 1].range.upperBound])
    return words[..<start] + [predicate] + words[last...]
  }
}
