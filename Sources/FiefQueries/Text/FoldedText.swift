import Foundation

/// Text as `[c]` and `[d]` compare it: its canonical decomposition, without nonspacing marks for `[d]`, with cases folded for
/// `[c]`, as UTF-8.
///
/// Both sides of a comparison pass through here, so that a scan, a set of constants and a sort agree. The folding of cases is
/// full (`ß` is `ss`) and the same for all languages.
struct FoldedText {
  let options: TextOptions

  /// The folded bytes of a text. Linear.
  func bytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if !bytes.contains(where: { $0 >= 0x80 }) {
      // Plain letters decompose into themselves and carry no marks.
      guard options.contains(.caseInsensitive) else { return bytes }
      for place in bytes.indices { bytes[place] = Self.lower(bytes[place]) }
      return bytes
    }
    var folded = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      if options.contains(.diacriticInsensitive), scalar.properties.generalCategory == .nonspacingMark { continue }
      if options.contains(.caseInsensitive) {
        folded.append(contentsOf: Self.fold(scalar).unicodeScalars)
      } else {
        folded.append(scalar)
      }
    }
    // What a case turns into may have a decomposition of its own.
    let result = String(folded)
    return Array((options.contains(.caseInsensitive) ? result.decomposedStringWithCanonicalMapping : result).utf8)
  }

  /// A plain letter in lower case.
  @inline(__always)
  static func lower(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// One scalar with its case folded.
  ///
  /// The standard library has no folding; lower, upper and lower again meets the same letters with each other as the full
  /// folding of the Unicode standard does (section 3.13, "Default Case Folding"), except for the dotless i, which folds to
  /// nothing else there. (Checked with the same steps in another language, against its folding, on every code point of
  /// Unicode 14.)
  static func fold(_ scalar: Unicode.Scalar) -> String {
    if scalar.value < 0x80 { return String(Character(Unicode.Scalar(lower(UInt8(scalar.value))))) }
    let properties = scalar.properties
    guard
      properties.changesWhenCaseFolded || properties.changesWhenUppercased || properties.changesWhenLowercased,
      scalar != "\u{131}"
    else {
      return String(Character(scalar))
    }
    var folded = ""
    for low in properties.lowercaseMapping.unicodeScalars {
      for high in low.properties.uppercaseMapping.unicodeScalars { folded += high.properties.lowercaseMapping }
    }
    return folded
  }
}
