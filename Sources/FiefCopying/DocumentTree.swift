internal import FiefGraph
import FiefValues

/// A JSON value of any depth.
///
///     { "a": [1, 2] }   ──▶   values: [ 1, 2, "a", array(0..<2), object(2..<4) ]
///
/// All values are in one array. The contents of a container are adjacent and before the container; the last value is
/// the root. So a tree of any depth is made, compared and freed without recursion, and its nodes need no references.
@usableFromInline
package struct DocumentTree: Sendable {
  @usableFromInline
  package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// A fraction, or a whole number that does not fit in 64 bits. -0 is a double, and 0 is an integer.
    case double(Double)
    /// A number that neither of the two represents exactly, with all digits.
    case decimal(Decimal128)
    case string(String)
    case array(Span)
    /// Names and values alternate, in the order of the names' bytes; names are unique.
    case object(Span)
  }

  /// The range of a container's contents.
  @usableFromInline
  package struct Span: Sendable {
    /// The position of the first.
    @usableFromInline package let first: Int
    /// The number of elements or members. A member takes two positions.
    @usableFromInline package let count: Int

    /// A range from its parts.
    package init(first: Int, count: Int) {
      self.first = first
      self.count = count
    }
  }

  /// The maximum nesting of arrays and objects where coders or dictionaries are involved, since their code is
  /// recursive. JSON text has no such limit.
  package static let deepest = 512

  @usableFromInline let values: [Value]

  /// - Parameter values: a nonempty array in the order that the type describes.
  init(values: [Value]) {
    precondition(!values.isEmpty, "A document has a value.")
    self.values = values
  }

  /// The value that contains all others.
  @inlinable
  package var root: Value { values[values.count - 1] }

  /// The number of values, including names.
  package var count: Int { values.count }

  @inlinable
  package func elements(_ span: Span) -> ArraySlice<Value> {
    assert(span.first >= 0 && span.first + span.count <= values.count, "The contents of a container are in the tree.")
    return values[span.first..<span.first + span.count]
  }

  /// The name of a member.
  ///
  /// - Parameter member: the index of the member, from 0.
  package func name(_ member: Int, of span: Span) -> String {
    assert(member >= 0 && member < span.count, "A member is one of its object's.")
    guard case .string(let name) = values[span.first + 2 * member] else {
      fatalError("A member of an object has no name: the tree was made wrong.")
    }
    return name
  }

  @inlinable
  package func value(_ member: Int, of span: Span) -> Value {
    assert(member >= 0 && member < span.count, "A member is one of its object's.")
    return values[span.first + 2 * member + 1]
  }

  /// The members of an object, in the order of their names.
  package func members(_ span: Span) -> some Sequence<(name: String, value: Value)> {
    (0..<span.count).lazy.map { (name(_: $0, of: span), value(_: $0, of: span)) }
  }

  /// The value of a member; nil when the name is missing. Logarithmic.
  package func member(_ name: String, of span: Span) -> Value? {
    var low = 0
    var high = span.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(self.name(middle, of: span), name) { low = middle + 1 } else { high = middle }
    }
    assert(low == span.count || !Self.precedes(self.name(low, of: span), name), "Members are in order.")
    guard low < span.count, String.isIdentical(self.name(low, of: span), name) else { return nil }
    return value(low, of: span)
  }

  /// The maximum nesting of containers. Linear.
  package var nesting: Int {
    // Contents come before their container.
    var levels: [Int32] = []
    levels.reserveCapacity(values.count)
    for value in values {
      switch value {
      case .array(let span): levels.append(1 + (levels[span.first..<span.first + span.count].max() ?? 0))
      case .object(let span): levels.append(1 + (levels[span.first..<span.first + 2 * span.count].max() ?? 0))
      default: levels.append(0)
      }
    }
    assert(levels.count == values.count, "Each value has a level.")
    return Int(levels[values.count - 1])
  }

  /// The order of members, which compares bytes. So canonically equivalent names are different.
  static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}

extension DocumentTree.Value {
  /// The string, if the value is one.
  package var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }
}

extension DocumentTree: Equatable {
  /// Whether two trees have equal values. Iterative.
  @usableFromInline
  package static func == (a: DocumentTree, b: DocumentTree) -> Bool {
    // The contents of two containers, by their positions.
    var waiting: [(Int, Int, count: Int)] = []
    func compare(_ x: Value, _ y: Value) -> Bool {
      switch (x, y) {
      case (.null, .null): return true
      case (.bool(let x), .bool(let y)): return x == y
      case (.int(let x), .int(let y)): return x == y
      case (.double(let x), .double(let y)): return x == y
      case (.decimal(let x), .decimal(let y)): return x == y
      case (.string(let x), .string(let y)): return String.isIdentical(x, y)
      case (.array(let s), .array(let t)):
        waiting.append((s.first, t.first, s.count))
        return s.count == t.count
      case (.object(let s), .object(let t)):
        waiting.append((s.first, t.first, 2 * s.count))
        return s.count == t.count
      default: return false
      }
    }
    guard compare(a.root, b.root) else { return false }
    while let (s, t, count) = waiting.popLast() {
      for member in 0..<count where !compare(a.values[s + member], b.values[t + member]) { return false }
    }
    return true
  }
}
