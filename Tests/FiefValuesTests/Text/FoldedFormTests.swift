import FiefTestSupport
import FiefValues
import Foundation
import Testing

@Suite struct FoldedFormTests {
  /// The form by Foundation's decompositions, scalar by scalar.
  private func plain(_ form: FoldedForm, _ text: String) -> [UInt8] {
    var folded = ""
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      if form != .withoutCase, scalar.properties.generalCategory == .nonspacingMark { continue }
      folded += form == .withoutMarks ? String(Character(scalar)) : CaseFolding.fold(scalar)
    }
    return Array(folded.decomposedStringWithCanonicalMapping.utf8)
  }

  @Test func tablesFoldAsFoundationDecomposes() {
    let letters = [
      "a", "Z", " ", "\u{E9}", "\u{301}", "\u{323}", "\u{AC01}", "\u{1F80}", "\u{DF}", "\u{344}", "\u{130}", "\u{345}",
      "\u{3B1}", "\u{5D0}", "\u{5B0}", "\u{5BC}", "\u{F71}", "\u{4E00}", "\u{F900}", "\u{2F800}",
      "\u{1D160}", "\u{1F600}", "\u{212B}", "\u{FB03}", "\u{10400}", "\u{0}", "\u{7FF}", "\u{800}", "\u{FFFD}",
    ]
    Seeds.run(count: 200) { _, random in
      let text = (0..<(1 + random.below(60))).map { _ in random.element(of: letters) }.joined()
      for form in FoldedForm.allCases {
        #expect(form.bytes(of: text) == plain(form, text), "\(form) \(text.unicodeScalars.map(\.value))")
      }
    }
  }

  @Test func everyScalarFoldsAsFoundationDecomposesIt() {
    // One plane in steps, and all scalars of the pages with most marks.
    for value in Array(stride(from: UInt32(0x80), to: 0x30000, by: 17)) + Array(0x300..<0x400) + Array(0x1E00..<0x2000)
    {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      for form in FoldedForm.allCases { #expect(form.bytes(of: text) == plain(form, text), "\(form) \(value)") }
    }
  }

  /// A mark that is not moved itself decomposes into marks that are. Foundation leaves them where they are.
  @Test func marksOfADecompositionAreMovedToo() {
    let ordered = "\u{3B1}\u{F71}\u{F72}\u{313}\u{3B9}"
    #expect(FoldedForm.withoutCase.bytes(of: "\u{1F80}\u{F73}") == Array(ordered.utf8))
  }

  @Test func runsOfMarksAreSortedByClass() {
    let marks = String(repeating: "\u{301}\u{323}\u{5B0}", count: 2_000)
    #expect(FoldedForm.withoutCase.bytes(of: "A" + marks) == plain(.withoutCase, "A" + marks))
    #expect(FoldedForm.withoutMarks.bytes(of: "A" + marks) == Array("A".utf8))
  }
}
