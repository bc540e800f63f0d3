/// Full case folding, independent of language: it makes strings equal that differ only in case.
@usableFromInline
package enum CaseFolding {
  /// The lower case of an ASCII letter; other bytes are unchanged.
  @inlinable
  @inline(__always)
  package static func lower(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

  /// Folds the case of one scalar.
  ///
  /// The standard library has no folding. Lower, upper and lower case again identifies the same letters as the full
  /// folding of the Unicode standard (section 3.13, "Default Case Folding"). The exception is the dotless i, which
  /// folds only to itself in the standard, and is therefore excluded here. (Checked with the same steps in another
  /// language, against its folding, on every code point of Unicode 14.)
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
    assert(!folded.isEmpty, "A character has a folded form.")
    return folded
  }
}
