#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An error for a string that does not represent a value of the expected type. Each case contains the string.
///
///     do {
///       print(try ObjectId(string: text))
///     } catch ValueError.invalidObjectId(let string) {
///       print("'\(string)' is no identifier.")
///     }
public enum ValueError: Error, Hashable, Sendable {
  /// The string is not an ObjectId, which has 24 hexadecimal digits.
  case invalidObjectId(String)
  /// The string is not a timestamp such as `2024-02-29T12:34:56.789Z`, or it does not represent a moment.
  case invalidTimestamp(String)
  /// The string is not a decimal number such as `-1.5E+3`, `Infinity` or `NaN`.
  case invalidDecimal128(String)
}

extension ValueError: CustomStringConvertible {
  /// One sentence that quotes the string, abbreviated beyond 60 characters.
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

  /// The string in quotation marks. A long one is cut, and its length is appended; the string is not traversed twice.
  private static func quoted(_ text: String) -> String {
    let beginning = text.prefix(60)
    guard beginning.endIndex < text.endIndex else { return "\"\(text)\"" }
    return "\"\(beginning)…\" (\(text.utf8.count) bytes)"
  }
}

extension ValueError: LocalizedError {
  /// The sentence of `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
