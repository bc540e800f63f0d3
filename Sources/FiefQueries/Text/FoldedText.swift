import FiefGraph
import Foundation

/// The form of a string that `[c]` and `[d]` compare: its canonical decomposition as UTF-8. `[d]` removes nonspacing
/// marks, and `[c]` folds case.
///
/// Scans, sets of constants and sorts fold both sides of a comparison here, so they agree. Case folding is full (`ß`
/// becomes `ss`) and does not depend on the language.
struct FoldedText {
  let options: TextOptions

  /// The folded bytes of a string. Takes linear time.
  func bytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if !bytes.contains(where: { $0 >= 0x80 }) {
      // ASCII characters are their own decomposition and carry no marks.
      guard options.contains(.caseInsensitive) else { return bytes }
      for index in bytes.indices { bytes[index] = CaseFolding.lower(bytes[index]) }
      return bytes
    }
    var folded = String.UnicodeScalarView()
    Decomposition.forEachPiece(of: text) { piece in
      for scalar in piece.unicodeScalars {
        if options.contains(.diacriticInsensitive), scalar.properties.generalCategory == .nonspacingMark { continue }
        if options.contains(.caseInsensitive) {
          folded.append(contentsOf: CaseFolding.fold(scalar).unicodeScalars)
        } else {
          folded.append(scalar)
        }
      }
    }
    let result = String(folded)
    guard options.contains(.caseInsensitive) else { return Array(result.utf8) }
    // The result of case folding may decompose further.
    bytes.removeAll(keepingCapacity: true)
    Decomposition.forEachPiece(of: result) { bytes += $0.utf8 }
    return bytes
  }
}
