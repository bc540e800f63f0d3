import FiefGraph
import Foundation

/// Text as `[c]` and `[d]` compare it: its canonical decomposition, without nonspacing marks for `[d]`, with cases
/// folded for `[c]`, as UTF-8.
///
/// Both sides of a comparison pass through here, so that a scan, a set of constants and a sort agree. The folding of
/// cases is full (`ß` is `ss`) and the same for all languages.
struct FoldedText {
  let options: TextOptions

  /// The folded bytes of a text. Linear.
  func bytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if !bytes.contains(where: { $0 >= 0x80 }) {
      // Plain letters decompose into themselves and carry no marks.
      guard options.contains(.caseInsensitive) else { return bytes }
      for place in bytes.indices { bytes[place] = CaseFolding.lower(bytes[place]) }
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
    // What a case turns into may have a decomposition of its own.
    bytes.removeAll(keepingCapacity: true)
    Decomposition.forEachPiece(of: result) { bytes += $0.utf8 }
    return bytes
  }
}
