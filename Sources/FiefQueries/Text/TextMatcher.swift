import FiefGraph
import FiefRuntime
import FiefValues

/// One relation to one string, which can be tested for many strings.
struct TextMatcher: Sendable {
  private enum Strategy: Sendable {
    case equal
    case notEqual
    case order(Comparison.Operator)
    case beginsWith
    case endsWith
    case contains(ByteSearch)
    case whole(WholeTextTest)
  }

  private let strategy: Strategy
  /// The bytes of the needle, folded if the comparison folds; of a long one its beginning.
  private let needle: [UInt8]
  let options: TextOptions
  /// The needle for short strings; nil for relations that need more than a comparison of bytes at a position.
  let short: ShortNeedle?

  /// - Parameter relation: any but `in`, `between`, `within` and `fullText`.
  init(_ relation: Comparison.Operator, _ text: String, options: TextOptions) {
    self.init(relation, text, options: options, long: LongText(relation, text, options: options))
  }

  /// - Parameter long: the string, if it is long enough to be prepared later.
  init(_ relation: Comparison.Operator, _ text: String, options: TextOptions, long: LongText?) {
    self.options = options
    needle = long?.beginning ?? options.folded(text)
    let anchor: ShortNeedle.Anchor? =
      switch relation {
      case .equal: .all
      case .notEqual: .notAll
      case .beginsWith: .start
      case .endsWith: .end
      case .contains: .anywhere
      default: nil
      }
    let bytes = needle
    assert(long == nil || bytes.count > 15, "A long text has more bytes than a short string.")
    short = ShortCut.shortTexts.isOn ? anchor.map { ShortNeedle($0, bytes) } : nil
    if let long {
      strategy = .whole(WholeTextTest(long))
      return
    }
    switch relation {
    case .equal: strategy = .equal
    case .notEqual: strategy = .notEqual
    case .beginsWith: strategy = .beginsWith
    case .endsWith: strategy = .endsWith
    case .contains: strategy = .contains(ByteSearch(needle))
    case .like: strategy = .whole(WholeTextTest(LikePattern(text, options: options)))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: strategy = .order(relation)
    case .in, .between, .within, .fullText: fatalError("A relation to one text was expected.")
    }
  }

  /// Whether `other` has the relation to the string. Linear in the length of both.
  func matches(_ other: String) -> Bool {
    if case .whole(let test) = strategy { return test.matches(other) }
    if !options.isEmpty {
      // An ASCII string folds byte by byte, by setting one bit. Other strings are folded as a whole.
      let isDone = unsafe other.utf8.withContiguousStorageIfAvailable { bytes -> Bool? in
        if unsafe bytes.contains(where: { $0 >= 0x80 }) { return nil }
        if !options.contains(.caseInsensitive) { return unsafe matches(bytes) }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { lower in
          for index in bytes.indices { unsafe lower[index] = CaseFolding.lower(bytes[index]) }
          return unsafe matches(UnsafeBufferPointer(lower))
        }
      }
      if case .some(.some(let result)) = isDone { return result }
      return matchesFolded(other)
    }
    return unsafe other.utf8.withContiguousStorageIfAvailable(matches)
      ?? Array(other.utf8).withUnsafeBufferPointer(matches)
  }

  /// Whether the folded bytes of a string have the relation. Inlined, it would cost each ASCII string two retains.
  @inline(never)
  private func matchesFolded(_ other: String) -> Bool {
    let folded = options.folded(other)
    if !options.contains(.diacriticInsensitive), let isFound = isFoundBeforeNoMark(in: folded) {
      return isFound
    }
    return unsafe folded.withUnsafeBufferPointer(matches)
  }

  /// Whether bytes, folded if the comparison folds, have the relation.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe needle.withUnsafeBufferPointer { needle in
      switch strategy {
      case .equal: return unsafe Self.order(bytes, needle) == 0
      case .notEqual: return unsafe Self.order(bytes, needle) != 0
      case .order(let relation):
        let order = unsafe Self.order(bytes, needle)
        switch relation {
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        default: return order >= 0
        }
      // No string begins with, ends with or contains the empty string.
      case .beginsWith:
        return unsafe !needle.isEmpty && bytes.count >= needle.count
          && Self.order(UnsafeBufferPointer(rebasing: bytes[..<needle.count]), needle) == 0
      case .endsWith:
        return unsafe !needle.isEmpty && bytes.count >= needle.count
          && Self.order(UnsafeBufferPointer(rebasing: bytes[(bytes.count - needle.count)...]), needle) == 0
      case .contains(let search): return unsafe !needle.isEmpty && search.occurs(in: bytes)
      case .whole: return false
      }
    }
  }

  /// Whether the needle is a prefix or a part of the bytes without a nonspacing mark after it. In decomposed form an
  /// `a` is a prefix of `ä`, though the character is another one. Nil for all other relations.
  private func isFoundBeforeNoMark(in bytes: [UInt8]) -> Bool? {
    unsafe bytes.withUnsafeBufferPointer { bytes -> Bool? in
      switch strategy {
      case .beginsWith: return unsafe matches(bytes) && !Self.isMark(bytes, at: needle.count)
      case .contains(let search):
        return unsafe !needle.isEmpty && search.occurs(in: bytes, whereEnd: { unsafe !Self.isMark(bytes, at: $0) })
      default: return nil
      }
    }
  }

  /// Whether a nonspacing mark begins at an index.
  private static func isMark(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index < bytes.count, unsafe bytes[index] >= 0x80 else { return false }
    let scalar = unsafe String(decoding: bytes[index..<min(bytes.count, index + 4)], as: UTF8.self).unicodeScalars.first
    return scalar?.properties.generalCategory == .nonspacingMark
  }

  private static func order(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    let shared = min(a.count, b.count)
    for index in 0..<shared where unsafe a[index] != b[index] { return unsafe a[index] < b[index] ? -1 : 1 }
    return a.count - b.count
  }
}

/// A test that needs a string itself and not its bytes. It is one reference, as scans retain all that a matcher refers
/// to for each string.
private final class WholeTextTest: Sendable {
  private let like: LikePattern?
  private let long: LongText?

  init(_ like: LikePattern) { (self.like, long) = (like, nil) }
  init(_ long: LongText) { (like, self.long) = (nil, long) }

  func matches(_ text: String) -> Bool { long?.matches(text) ?? like?.matches(text) ?? false }
}
