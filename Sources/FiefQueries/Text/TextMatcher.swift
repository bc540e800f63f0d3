import FiefGraph

/// One relation to one text, made ready to be asked of many.
struct TextMatcher: Sendable {
  private enum Way: Sendable {
    case equal
    case notEqual
    case order(Comparison.Operator)
    case beginsWith
    case endsWith
    case contains(ByteSearch)
    case like(LikePattern)
  }

  private let way: Way
  /// The bytes that are compared with; folded if they are compared so.
  let needle: [UInt8]
  /// The text as it was given.
  let text: String
  let folding: FoldedText?
  /// The same for strings in the short form; nil for relations that look at more than bytes in a place.
  let short: ShortNeedle?

  /// - Parameter relation: any but `in`, `between`, `within` and `fullText`.
  init(_ relation: Comparison.Operator, _ text: String, options: TextOptions) {
    self.text = text
    folding = options.isEmpty ? nil : FoldedText(options: options)
    needle = folding?.bytes(of: text) ?? Array(text.utf8)
    let place: ShortNeedle.Place? =
      switch relation {
      case .equal: .all
      case .notEqual: .notAll
      case .beginsWith: .beginning
      case .endsWith: .end
      case .contains: .anywhere
      default: nil
      }
    let bytes = needle
    short = place.map { ShortNeedle($0, bytes) }
    switch relation {
    case .equal: way = .equal
    case .notEqual: way = .notEqual
    case .beginsWith: way = .beginsWith
    case .endsWith: way = .endsWith
    case .contains: way = .contains(ByteSearch(needle))
    case .like: way = .like(LikePattern(text, options: options))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: way = .order(relation)
    case .in, .between, .within, .fullText: fatalError("A relation to one text was expected.")
    }
  }

  /// Whether `other` stands in the relation to the text. Linear in the two.
  func matches(_ other: String) -> Bool {
    if case .like(let pattern) = way { return pattern.matches(other) }
    if let folding {
      // Where both are plain letters, folding is a matter of one bit; otherwise the text is folded as a whole.
      let isDone = other.utf8.withContiguousStorageIfAvailable { bytes -> Bool? in
        if bytes.contains(where: { $0 >= 0x80 }) { return nil }
        if !folding.options.contains(.caseInsensitive) { return matches(bytes) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { lower in
          for place in bytes.indices { lower[place] = CaseFolding.lower(bytes[place]) }
          return matches(UnsafeBufferPointer(lower))
        }
      }
      if case .some(.some(let result)) = isDone { return result }
      let folded = folding.bytes(of: other)
      if !folding.options.contains(.diacriticInsensitive), let isFound = isFoundBeforeNoMark(in: folded) {
        return isFound
      }
      return folded.withUnsafeBufferPointer(matches)
    }
    return other.utf8.withContiguousStorageIfAvailable(matches) ?? Array(other.utf8).withUnsafeBufferPointer(matches)
  }

  /// Whether folded, or plain, bytes stand in the relation.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    needle.withUnsafeBufferPointer { needle in
      switch way {
      case .equal: return Self.order(bytes, needle) == 0
      case .notEqual: return Self.order(bytes, needle) != 0
      case .order(let relation):
        let order = Self.order(bytes, needle)
        switch relation {
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        default: return order >= 0
        }
      // Nothing begins with, ends with or contains the empty text.
      case .beginsWith:
        return !needle.isEmpty && bytes.count >= needle.count
          && Self.order(UnsafeBufferPointer(rebasing: bytes[..<needle.count]), needle) == 0
      case .endsWith:
        return !needle.isEmpty && bytes.count >= needle.count
          && Self.order(UnsafeBufferPointer(rebasing: bytes[(bytes.count - needle.count)...]), needle) == 0
      case .contains(let search): return !needle.isEmpty && search.occurs(in: bytes)
      case .like: return false
      }
    }
  }

  /// Whether the needle begins the text, or occurs in it, and no nonspacing mark follows it there: in decomposed text
  /// an `a` begins an `ä` without being in it. Nil for all other relations.
  private func isFoundBeforeNoMark(in bytes: [UInt8]) -> Bool? {
    bytes.withUnsafeBufferPointer { bytes -> Bool? in
      switch way {
      case .beginsWith: return matches(bytes) && !Self.isMark(bytes, at: needle.count)
      case .contains(let search):
        return !needle.isEmpty && search.occurs(in: bytes, whereEnd: { !Self.isMark(bytes, at: $0) })
      default: return nil
      }
    }
  }

  /// Whether a nonspacing mark begins at a place.
  private static func isMark(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    guard place < bytes.count, bytes[place] >= 0x80 else { return false }
    let scalar = String(decoding: bytes[place..<min(bytes.count, place + 4)], as: UTF8.self).unicodeScalars.first
    return scalar?.properties.generalCategory == .nonspacingMark
  }

  private static func order(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    let shared = min(a.count, b.count)
    for place in 0..<shared where a[place] != b[place] { return a[place] < b[place] ? -1 : 1 }
    return a.count - b.count
  }
}
