/// The words of a string, for full-text indexes and searches.
///
///     "Der Schwanensee: ballet, 1877!"      der  schwanensee  ballet  1877
///     "Crème brûlée"                        creme  brulee
///
/// A word is a run of letters and digits (general categories L and N of the Unicode standard) with the marks on them.
/// All other characters separate words. Words are folded: canonical decomposition without marks (categories Mn and Me),
/// full case folding. So two strings that differ only in case, accents or composition have the same words. There are no
/// rules for specific languages: nothing is stemmed, and text without spaces, such as Chinese, is one word up to its
/// next punctuation mark.
package enum FullText {
  /// The words of a string, in their order, as often as they occur. Linear.
  package static func words(of text: String) -> [String] {
    text.utf8.allSatisfy { $0 < 0x80 } ? asciiWords(text.utf8) : words(decomposing: text)
  }

  private static func asciiWords(_ bytes: String.UTF8View) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in bytes {
      let letter = CaseFolding.lower(byte)
      if letter &- UInt8(ascii: "a") < 26 || letter &- UInt8(ascii: "0") < 10 {
        word.append(letter)
      } else if !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word.removeAll(keepingCapacity: true)
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    assert(!words.contains(""), "A word has letters.")
    return words
  }

  private static func words(decomposing text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      guard !word.isEmpty else { return }
      words.append(String(decoding: FoldedForm.withoutBoth.bytes(of: String(word)), as: UTF8.self))
      word = String.UnicodeScalarView()
    }
    for scalar in Decomposition(of: text).scalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber:
        word.append(scalar)
      case .spacingMark: if !word.isEmpty { word.append(scalar) }
      case .nonspacingMark, .enclosingMark: break
      default: end()
      }
    }
    end()
    return words
  }
}
