import FiefGraph

/// A list or a dictionary that any-values are compared with, whatever is nested in it.
///
///     [1, {"a": 2, "b": []}]      list(2)  1  dictionary(a, b)  2  list(0)
///
/// It is an array and no tree, each collection before what it holds, so that nothing recurses over what may be as deep
/// as it likes.
public struct NestedConstant: Equatable, Sendable {
  /// A value, or the beginning of a collection.
  public enum Token: Equatable, Sendable {
    case value(Value)
    /// A list of so many of the tokens that follow, with what those hold.
    case list(Int)
    /// A dictionary with these keys, of which the values follow.
    case dictionary([String])
  }

  /// The collection and all that it holds.
  public let tokens: [Token]

  /// A constant from its tokens.
  public init(_ tokens: [Token]) { self.tokens = tokens }

  /// What something is, seen as a part of an any-value.
  package enum Part<Node> {
    case value(Value)
    case list([Node])
    case dictionary([String: Node])
  }

  /// Whether a value is equal to the constant: values as queries compare them, lists by position, dictionaries by keys.
  /// Linear.
  ///
  /// - Parameter look: what a node is.
  package func equals<Node>(_ root: Node, _ look: (Node) -> Part<Node>) -> Bool {
    var waiting = [root]
    for token in tokens {
      guard let node = waiting.popLast() else { return false }
      switch (token, look(node)) {
      case (.value(let wanted), .value(let value)): if StoredOrder.compare(wanted, value) != 0 { return false }
      case (.list(let count), .list(let elements)):
        if elements.count != count { return false }
        waiting += elements.reversed()
      case (.dictionary(let keys), .dictionary(let values)):
        if values.count != keys.count { return false }
        for key in keys.reversed() {
          guard let value = values[key] else { return false }
          waiting.append(value)
        }
      default: return false
      }
    }
    return waiting.isEmpty
  }

  /// As its tokens; formats have no such constant.
  func print(into text: inout String) {
    for (place, token) in tokens.enumerated() {
      if place > 0 { text += " " }
      switch token {
      case .value(let value): value.print(into: &text)
      case .list(let count): text += "list(\(count))"
      case .dictionary(let keys):
        text += "dictionary("
        for (number, key) in keys.enumerated() {
          if number > 0 { text += ", " }
          Spelling.printQuoted(key, into: &text)
        }
        text += ")"
      }
    }
  }
}
