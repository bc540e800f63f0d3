import FiefGraph
import Foundation

extension TextCollation {
  /// The form in which strings are sorted by this collation.
  func form(of texts: [String]) -> SortColumn.Form {
    switch self {
    case .bytes: .texts(texts)
    case .folded(let options):
      .texts(texts.map { String(decoding: options.folded($0), as: UTF8.self) })
    case .locale(let identifier): .localized(texts, Locale(identifier: identifier))
    }
  }

  /// Compares two strings: negative, zero or positive.
  func compare(_ a: String, _ b: String) -> Int {
    switch self {
    case .bytes: StoredOrder.compare(a, b)
    case .folded(let options):
      StoredOrder.compare(
        String(decoding: options.folded(a), as: UTF8.self),
        String(decoding: options.folded(b), as: UTF8.self))
    case .locale(let identifier): Self.compare(a, b, locale: Locale(identifier: identifier))
    }
  }

  static func compare(_ a: String, _ b: String, locale: Locale) -> Int {
    a.compare(b, options: [], range: nil, locale: locale).rawValue
  }
}
