import FiefGraph
import FiefValues
import Foundation

/// One relation to one or several constants, which can be evaluated for values of any kind.
package struct ValueMatcher: Sendable {
  private enum Strategy: Sendable {
    case value(Comparison.Operator, Value)
    case text(TextMatcher, ofNull: Bool)
    case between(Value, Value)
    case set(Set<ValueKey>)
    /// Folded strings, and members of other kinds, to which the options do not apply.
    case folded(Set<[UInt8]>, TextOptions, others: Set<ValueKey>)
    case words(WordSearch)
  }

  private let strategy: Strategy

  /// A relation to one value. `options` apply to strings only.
  package init(_ relation: Comparison.Operator, _ value: Value, options: TextOptions) {
    self.init(relation, .value(value), options: options)
  }

  /// A relation to a constant that is no shape and no collection.
  package init(_ relation: Comparison.Operator, _ constant: ComparedValues.Fitting, options: TextOptions) {
    switch constant {
    case .value(.string(let text)) where relation == .fullText: strategy = .words(WordSearch(text))
    case .value where relation == .fullText: strategy = .set([])
    case .value(.string(let text)):
      strategy = .text(TextMatcher(relation, text, options: options), ofNull: relation == .notEqual)
    case .value(let value): strategy = .value(relation, value)
    case .range(let low, let high):
      assert(!low.isNull && !high.isNull, "A range has two ends.")
      strategy = .between(low, high)
    case .members(let values) where options.isEmpty: strategy = .set(Set(values.lazy.map(ValueKey.init)))
    case .members(let values):
      var (texts, others): (Set<[UInt8]>, Set<ValueKey>) = ([], [])
      for value in values {
        if case .string(let text) = value { texts.insert(options.folded(text)) } else { others.insert(ValueKey(value)) }
      }
      strategy = .folded(texts, options, others: others)
    case .shape, .nested: preconditionFailure("A shape or a collection is no value.")
    }
  }

  /// Whether it splits each string into words, which takes longer than comparing it.
  var searchesWords: Bool { if case .words = strategy { true } else { false } }

  /// Whether the relation holds for a value.
  package func matches(_ value: Value) -> Bool {
    switch strategy {
    case .value(let relation, let constant): return Meaning.holds(value, relation, constant)
    case .text(let matcher, let ofNull):
      if case .string(let text) = value { return matcher.matches(text) }
      // No value of another kind equals a string or is ordered with one, so only `!=` holds.
      return ofNull
    case .between(let low, let high):
      return Meaning.holds(value, .greaterOrEqual, low) && Meaning.holds(value, .lessOrEqual, high)
    case .set(let set): return set.contains(ValueKey(value))
    case .folded(let texts, let options, let others):
      if case .string(let text) = value { return texts.contains(options.folded(text)) }
      return others.contains(ValueKey(value))
    case .words(let search):
      if case .string(let text) = value { return search.matches(text) }
      return false
    }
  }
}

/// The meaning of relations between values of any kinds: the rules of null, and of kinds that do not compare.
package enum Meaning {
  /// Whether `a relation b` holds. Strings are compared byte by byte.
  package static func holds(_ a: Value, _ relation: Comparison.Operator, _ b: Value) -> Bool {
    switch relation {
    case .equal: return StoredOrder.compare(a, b) == 0
    case .notEqual: return StoredOrder.compare(a, b) != 0
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if a.isNull || b.isNull { return a.isNull && b.isNull && relation != .less && relation != .greater }
      guard let kinds = order(a), kinds == order(b) else { return false }
      let order = StoredOrder.compare(a, b)
      switch relation {
      case .less: return order < 0
      case .lessOrEqual: return order <= 0
      case .greater: return order > 0
      default: return order >= 0
      }
    case .beginsWith, .endsWith, .contains, .like:
      switch (a, b) {
      case (.string(let a), .string(let b)): return TextMatcher(relation, b, options: []).matches(a)
      case (.data(let a), .data(let b)):
        guard !b.isEmpty else { return false }
        switch relation {
        case .beginsWith: return a.starts(with: b)
        case .endsWith: return a.count >= b.count && a.suffix(b.count).elementsEqual(b)
        case .contains:
          let search = ByteSearch(Array(b))
          return search.occurs(in: Array(a))
        default: return false
        }
      default: return false
      }
    case .in, .between, .within, .fullText: return false
    }
  }

  /// The class of values that are ordered with each other; nil for values without an order in queries.
  private static func order(_ value: Value) -> Int? {
    switch value {
    case .int, .float, .double, .decimal: 0
    case .string: 1
    case .data: 2
    case .date: 3
    case .bool: 4
    case .objectId: 5
    case .uuid: 6
    case .null, .link: nil
    }
  }
}
