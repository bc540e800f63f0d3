import Foundation

/// The words of a text, as full-text indexes and searches have them.
///
///     "Der Schwanensee: ballet, 1877!"      der  schwanensee  ballet  1877
///     "Crème brûlée"                        creme  brulee
///
/// A word is a run of letters and digits (general categories L and N of the Unicode standard) with the marks on them;
/// all else parts words. Words are folded: canonical decomposition without marks (categories Mn and Me), full case
/// folding. So two texts that differ in cases, accents or their composition have the same words. No language's rules
/// are known: nothing is stemmed, and text without spaces, as in Chinese, is one word up to its next sign.
public enum FullText {
  /// The words of a text, in their order, as often as they occur. Linear.
  public static func words(of text: String) -> [String] {
    var text = text
    return text.withUTF8 { bytes in
      if bytes.allSatisfy({ $0 < 0x80 }) { return plainWords(bytes) }
      return words(decomposing: String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func plainWords(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
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
    return words
  }

  private static func words(decomposing text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      guard !word.isEmpty else { return }
      // What a case turns into may have a decomposition of its own.
      var decomposed = String.UnicodeScalarView()
      Decomposition.forEachPiece(of: String(word)) {
        decomposed.append(contentsOf: $0.unicodeScalars.lazy.filter { !isMark($0) })
      }
      words.append(String(decomposed))
      word = String.UnicodeScalarView()
    }
    Decomposition.forEachPiece(of: text) { piece in
      for scalar in piece.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
          .letterNumber, .otherNumber:
          word.append(contentsOf: CaseFolding.fold(scalar).unicodeScalars)
        case .spacingMark: if !word.isEmpty { word.append(scalar) }
        case .nonspacingMark, .enclosingMark: break
        default: end()
        }
      }
    }
    end()
    return words
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .enclosingMark
  }
}
