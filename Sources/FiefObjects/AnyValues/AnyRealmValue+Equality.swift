import FiefGraph
import FiefRuntime

extension AnyRealmValue: Hashable {
  /// Whether two values are equal. Scalars compare by case and value (`.int(1)` is not `.double(1)`), strings by their
  /// UTF-8 bytes, objects by `==`, unmanaged collections by their contents. Managed collections are equal when they are
  /// one collection.
  ///
  ///     print(AnyRealmValue.int(1) == .int(1), AnyRealmValue.int(1) == .double(1))          // true false
  ///
  /// - Complexity: linear in the size of the compared values.
  public static func == (a: AnyRealmValue, b: AnyRealmValue) -> Bool {
    switch (a, b) {
    case (.none, .none): true
    case (.int(let a), .int(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): ByteOrder.areIdentical(a, b)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.objectId(let a), .objectId(let b)): a == b
    case (.decimal128(let a), .decimal128(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.list, .list), (.dictionary, .dictionary): NestComparison.areEqual(a, b)
    default: false
    }
  }

  /// Hashes case and value. All lists have one hash, and all dictionaries another, as their contents may change.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .dictionary: hasher.combine(12)
    case .list: hasher.combine(13)
    }
  }
}

/// Compares nested collections with a work list. Each pair of collections is compared once, however often it occurs. So
/// shared parts cost nothing, and a collection that contains itself terminates.
private enum NestComparison {
  private struct Pair: Hashable {
    let a: ObjectIdentifier
    let b: ObjectIdentifier
  }

  static func areEqual(_ a: AnyRealmValue, _ b: AnyRealmValue) -> Bool {
    var waiting = [(a, b)]
    var met: Set<Pair> = []
    while let (a, b) = waiting.popLast() {
      guard let one = a.collection, let other = b.collection else { return false }
      if let isOne = one.isOne(with: other) {
        if !isOne { return false }
        continue
      }
      guard met.insert(Pair(a: ObjectIdentifier(one), b: ObjectIdentifier(other))).inserted else { continue }
      switch (a, b) {
      case (.list(let a), .list(let b)):
        guard a.count == b.count else { return false }
        for (a, b) in zip(a, b) where !decide(a, b, waiting: &waiting) { return false }
      case (.dictionary(let a), .dictionary(let b)):
        let entries = a.entries
        let others = Dictionary(b.entries.map { (IdenticalText($0.key), $0.value) }) { _, last in last }
        guard entries.count == others.count else { return false }
        for (key, value) in entries {
          guard let other = others[IdenticalText(key)], decide(value, other, waiting: &waiting) else { return false }
        }
      default: return false
      }
    }
    return true
  }

  /// Compares scalars at once, and appends collections to the work list.
  @inline(never)
  private static func decide(
    _ a: AnyRealmValue, _ b: AnyRealmValue, waiting: inout [(AnyRealmValue, AnyRealmValue)]
  ) -> Bool {
    switch (a, b) {
    case (.list, .list), (.dictionary, .dictionary):
      waiting.append((a, b))
      return true
    default: return a == b
    }
  }
}
