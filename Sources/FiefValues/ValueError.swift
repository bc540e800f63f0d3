#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A text that is not the value it was meant to be. Each case carries the text as it was given.
public enum ValueError: Error, Hashable, Sendable {
  /// An ObjectId is written as 24 hexadecimal digits; this text is not.
  case invalidObjectId(String)
  /// A timestamp is written as `2024-02-29T12:34:56.789Z`; this text is not, or names no moment.
  case invalidTimestamp(String)
  /// A decimal number is written as `-1.5E+3`, `Infinity` or `NaN`; this text is not.
  case invalidDecimal128(String)
}

extension ValueError: CustomStringConvertible {
  /// One sentence with the text in it, abbreviated beyond 60 characters.
  public var description: String {
    switch self {
    case .invalidObjectId(let text):
      "\(ValueError.quoted(text)) is not an ObjectId: 24 hexadecimal digits are expected."
    case .invalidTimestamp(let text):
      "\(ValueError.quoted(text)) is not a timestamp: a form such as 2024-02-29T12:34:56.789Z is expected."
    case .invalidDecimal128(let text):
      "\(ValueError.quoted(text)) is not a decimal number: a form such as -1.5E+3 is expected."
    }
  }

  /// The text in quotation marks; of a long one the beginning and its length, found without walking all of it twice.
  private static func quoted(_ text: String) -> String {
    let beginning = text.prefix(60)
    guard beginning.endIndex < text.endIndex else { return "\"\(text)\"" }
    return "\"\(beginning)…\" (\(text.utf8.count) bytes)"
  }
}

extension ValueError: LocalizedError {
  /// The same sentence, for `localizedDescription`.
  public var errorDescription: String? { description }
}
