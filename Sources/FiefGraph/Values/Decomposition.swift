import Foundation

/// Canonical decompositions of strings of any length.
///
/// Foundation's decomposition takes time quadratic in the length. So a long string is decomposed in pieces. Each piece
/// ends before a letter, where no mark can be reordered across the boundary. In a long run without letters, scalars are
/// decomposed one by one and their marks are sorted here.
package enum Decomposition {
  /// A piece of at least this many scalars ends before the next letter.
  private static let pieceCount = 64
  /// A piece of more than this many scalars is decomposed here.
  private static let limit = 1024

  /// Calls `body` with the decompositions of the pieces of a string, in order. Linear, except for runs of marks, which
  /// are sorted.
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
    for position in scalars.indices {
      if count >= pieceCount && isLetter(scalars[position]) { close(at: position) }
      count += 1
    }
    if start < scalars.endIndex { close(at: scalars.endIndex) }
  }

  /// Foundation's decomposition, as a string with contiguous UTF-8: reading Foundation's result is slow otherwise.
  private static func native(_ text: String) -> String {
    var decomposed = text.decomposedStringWithCanonicalMapping
    decomposed.makeContiguousUTF8()
    return decomposed
  }

  /// Whether reordering moves neither the scalar nor any scalar across it.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return true }
    let properties = scalar.properties
    guard properties.canonicalCombiningClass == .notReordered else { return false }
    // Some marks that are not reordered decompose into marks that are.
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: return true
    }
  }

  /// Each scalar's decomposition, with the marks between letters in canonical order: by class, and stable within one.
  private static func ordered(_ scalars: Substring.UnicodeScalarView) -> String {
    var result = String.UnicodeScalarView()
    var marks: [(scalar: Unicode.Scalar, position: Int)] = []
    func flush() {
      marks.sort {
        let (a, b) = ($0.scalar.properties.canonicalCombiningClass, $1.scalar.properties.canonicalCombiningClass)
        return (a.rawValue, $0.position) < (b.rawValue, $1.position)
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
