/// How a sort compares text.
public enum TextCollation: Hashable, Sendable {
  /// By the bytes of UTF-8, as everything else does.
  case bytes
  /// Without regard to cases, to diacritics, or to both: by the bytes of the folded text.
  case folded(TextOptions)
  /// As the language and the place of an identifier such as `sv_SE` have it; texts that are equal there stay as they
  /// are.
  ///
  /// What the order is, the Unicode data of the platform's Foundation says; it may differ from platform to platform and
  /// from version to version, and each comparison costs many times one of bytes.
  case locale(String)
}
