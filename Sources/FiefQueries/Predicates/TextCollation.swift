/// How a sort compares strings.
package enum TextCollation: Hashable, Sendable {
  /// By the bytes of UTF-8, as comparisons do.
  case bytes
  /// Without case, without diacritics or without both: by the bytes of the folded string.
  case folded(TextOptions)
  /// By the rules of a locale such as `sv_SE`. Strings that are equal by these rules keep their order.
  ///
  /// The Unicode data of the platform's Foundation defines the order. It may differ between platforms and between
  /// versions, and each comparison costs many times as much as one of bytes.
  case locale(String)
}
