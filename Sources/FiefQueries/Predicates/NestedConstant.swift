import FiefGraph
import FiefRuntime

/// A list or a dictionary, with nested collections, with which any-values are compared.
///
///     [1, {"a": 2, "b": []}]      list(2)  1  dictionary(a, b)  2  list(0)
///
/// It is an array of tokens, each collection before its contents. So no function recurses over the nesting, which may
/// have any depth.
package struct NestedConstant: Equatable, Sendable {
  /// A value, or the beginning of a collection.
  package enum Token: Equatable, Sendable {
    case value(Value)
    /// A list of this many elements. The tokens of the elements follow.
    case list(Int)
    /// A dictionary with these keys. The tokens of its values follow.
    case dictionary([String])
  }

  /// The tokens of the collection and its contents.
  package let tokens: [Token]

  package init(_ tokens: [Token]) {
    assert(Self.isWhole(tokens), "Each collection is followed by its contents.")
    self.tokens = tokens
  }

  /// Whether tokens are one part with all of its contents. Linear.
  private static func isWhole(_ tokens: [Token]) -> Bool {
    var missing = 1
    for token in tokens {
      if missing == 0 { return false }
      switch token {
      case .value: missing -= 1
      case .list(let count): missing += count - 1
      case .dictionary(let keys): missing += keys.count - 1
      }
    }
    return missing == 0
  }

  /// A part of an any-value: a value, or the contents of a collection.
  package enum Part<Node> {
    case value(Value)
    case list([Node])
    case dictionary([IdenticalText: Node])
  }

  /// Whether the constant equals a value. Values are compared as in queries, lists by position and dictionaries by key.
  /// Takes linear time.
  ///
  /// - Parameter part: returns the part that a node represents.
  package func equals<Node>(_ root: Node, _ part: (Node) -> Part<Node>) -> Bool {
    assert(!tokens.isEmpty, "A constant is a collection at least.")
    var waiting = [root]
    for token in tokens {
      guard let node = waiting.popLast() else { return false }
      switch (token, part(node)) {
      case (.value(let wanted), .value(let value)): if StoredOrder.compare(wanted, value) != 0 { return false }
      case (.list(let count), .list(let elements)):
        if elements.count != count { return false }
        waiting += elements.reversed()
      case (.dictionary(let keys), .dictionary(let values)):
        if values.count != keys.count { return false }
        for key in keys.reversed() {
          guard let value = values[IdenticalText(key)] else { return false }
          waiting.append(value)
        }
      default: return false
      }
    }
    return waiting.isEmpty
  }

  /// The tokens. Formats have no such constant.
  var spelling: String {
    let spellings = tokens.map { token in
      switch token {
      case .value(let value): value.spelling
      case .list(let count): "list(\(count))"
      case .dictionary(let keys): "dictionary(\(keys.map(Spelling.quoted).joined(separator: ", ")))"
      }
    }
    return spellings.joined(separator: " ")
  }
}
