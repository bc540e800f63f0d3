import Foundation

/// Canonical decompositions of texts of any length.
///
/// Foundation's takes time in the square of the length. So a long text is decomposed in pieces, which end where no mark
/// of one can change places with one of the next: before a letter. Where no letter comes, scalars are decomposed one by
/// one and their marks put in order here.
package enum Decomposition {
  /// From so many scalars on, a piece ends before the next letter.
  private static let pieceCount = 64
  /// From so many scalars on, one that has not ended is decomposed here.
  private static let limit = 1024

  /// Calls `body` with the decompositions of the pieces of a text, in order. Linear, but for runs of marks, which are
  /// sorted.
  package static func forEachPiece(of text: String, _ body: (String) -> Void) {
    let scalars = text.unicodeScalars
    if text.utf8.count <= pieceCount {
      body(native(text))
      return
    }
    var (start, count) = (scalars.startIndex, 0)
    func close(at end: String.Index) {
      let piece = scalars[start..<end]
      body(count > limit ? ordered(piece) : native(String(piece)))
      (start, count) = (end, 0)
    }
    for place in scalars.indices {
      if count >= pieceCount && isLetter(scalars[place]) { close(at: place) }
      count += 1
    }
    if start < scalars.endIndex { close(at: scalars.endIndex) }
  }

  /// Foundation's own, as a string whose bytes lie in one place: reading what it gives is slow otherwise.
  private static func native(_ text: String) -> String {
    var decomposed = text.decomposedStringWithCanonicalMapping
    decomposed.makeContiguousUTF8()
    return decomposed
  }

  /// Whether a scalar stays in its place, and so do all before it.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return true }
    let properties = scalar.properties
    guard properties.canonicalCombiningClass == .notReordered else { return false }
    // Some marks that stay decompose into marks that do not.
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: return true
    }
  }

  /// Each scalar's decomposition, with the marks between letters in their canonical order: by class, and as they came
  /// within one.
  private static func ordered(_ scalars: Substring.UnicodeScalarView) -> String {
    var result = String.UnicodeScalarView()
    var marks: [(scalar: Unicode.Scalar, place: Int)] = []
    func flush() {
      marks.sort {
        let (a, b) = ($0.scalar.properties.canonicalCombiningClass, $1.scalar.properties.canonicalCombiningClass)
        return (a.rawValue, $0.place) < (b.rawValue, $1.place)
      }
      result.append(contentsOf: marks.lazy.map(\.scalar))
      marks.removeAll(keepingCapacity: true)
    }
    for scalar in scalars {
      for part in native(String(Character(scalar))).unicodeScalars {
        if part.properties.canonicalCombiningClass == .notReordered {
          flush()
          result.append(part)
        } else {
          marks.append((part, marks.count))
        }
      }
    }
    flush()
    return String(result)
  }
}
