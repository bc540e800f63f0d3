import Synchronization

/// A long string that others are compared with. It is folded, and prepared for searches, when a string is compared that
/// is long enough to match: most are not.
final class LongText: Sendable {
  /// A string of more bytes than this is long.
  private static let limit = 4096
  /// A folded string has at most this many times the bytes of the string. The canonical decomposition has three times
  /// as many at most, and folding case adds a byte to a letter of two.
  private static let growth = 4

  private let relation: Comparison.Operator
  private let text: String
  private let options: TextOptions
  /// The first bytes, folded if the comparison folds: more than fit a short string.
  let beginning: [UInt8]
  /// A string of fewer bytes does not match.
  private let least: Int
  private let whole = AtomicLazyReference<Whole>()

  private final class Whole: Sendable {
    let matcher: TextMatcher

    init(_ matcher: TextMatcher) { self.matcher = matcher }
  }

  /// Nil for a string that is prepared at once.
  init?(_ relation: Comparison.Operator, _ text: String, options: TextOptions) {
    guard text.utf8.count > Self.limit else { return nil }
    switch relation {
    case .equal, .notEqual, .beginsWith, .endsWith: if options.isEmpty { return nil }
    case .contains: break
    default: return nil
    }
    let part = String(text.unicodeScalars.prefix(Self.limit))
    beginning = options.folded(part)
    // Marks alone fold to nothing.
    if beginning.count <= 15 { return nil }
    least = options.isEmpty ? text.utf8.count : beginning.count / Self.growth
    (self.relation, self.text, self.options) = (relation, text, options)
    assert(least > 0, "A long text is equalled by no empty one.")
  }

  func matches(_ other: String) -> Bool {
    assert(beginning.count > 15, "A long text has more bytes than a short string.")
    if other.utf8.count < least { return relation == .notEqual }
    if let whole = whole.load() { return whole.matcher.matches(other) }
    return whole.storeIfNil(Whole(TextMatcher(relation, text, options: options, long: nil))).matcher.matches(other)
  }
}
