/// Full case folding, the same for all languages: what makes two texts one that differ in cases alone.
package enum CaseFolding {
  /// A plain letter in lower case.
  @inlinable
  @inline(__always)
  package static func lower(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// One scalar with its case folded.
  ///
  /// The standard library has no folding; lower, upper and lower again meets the same letters with each other as the
  /// full folding of the Unicode standard does (section 3.13, "Default Case Folding"), except for the dotless i, which
  /// folds to nothing else there. (Checked with the same steps in another language, against its folding, on every code
  /// point of Unicode 14.)
  package static func fold(_ scalar: Unicode.Scalar) -> String {
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
