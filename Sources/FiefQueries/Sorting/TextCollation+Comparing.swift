import FiefGraph
import Foundation

extension TextCollation {
  /// Converts strings to a column that sorts by this collation.
  func column(_ texts: [String], _ standings: [SortColumn.Standing]?) -> SortColumn {
    assert(standings.map { $0.count == texts.count } ?? true, "Each text has a standing.")
    switch self {
    case .bytes: return .texts(texts, standings)
    case .folded(let options):
      let folding = FoldedText(options: options)
      return .texts(texts.map { String(decoding: folding.bytes(of: $0), as: UTF8.self) }, standings)
    case .locale(let identifier): return .localized(texts, standings, Locale(identifier: identifier))
    }
  }

  /// Compares two strings: negative, zero or positive.
  func compare(_ a: String, _ b: String) -> Int {
    switch self {
    case .bytes: StoredOrder.compare(a, b)
    case .folded(let options):
      StoredOrder.compare(
        String(decoding: FoldedText(options: options).bytes(of: a), as: UTF8.self),
        String(decoding: FoldedText(options: options).bytes(of: b), as: UTF8.self))
    case .locale(let identifier): Self.compare(a, b, Locale(identifier: identifier))
    }
  }

  static func compare(_ a: String, _ b: String, _ locale: Locale) -> Int {
    a.compare(b, options: [], range: nil, locale: locale).rawValue
  }
}
