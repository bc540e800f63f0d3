/// How a comparison compares strings. Without flags, they are compared byte by byte.
///
/// Inlined into the rooms above: an empty literal of a type whose layout they do not know costs 700 instructions.
@frozen
@usableFromInline
package struct TextOptions: OptionSet, Hashable, Sendable {
  /// The flags.
  @usableFromInline package let rawValue: UInt8
  /// Options with these flags.
  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: compares with full case folding.
  package static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: ignores nonspacing marks.
  package static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// One comparison of a predicate: a left side, an operator and a right side.
public struct Comparison: Sendable {
  /// One side of a comparison.
  package enum Operand: Equatable, Sendable {
    case path(PropertyPath)
    case constant(QueryConstant)
  }

  /// The relations between two sides.
  public enum Operator: UInt8, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, endsWith, contains, like
    /// The left side equals one of the constants on the right.
    case `in`
    /// The left side is between two constants, both included.
    case between
    /// The point on the left is within the shape on the right.
    case within
    /// The string on the left matches the words on the right. It contains all of them except those after `-`, and a
    /// word before `*` matches as a prefix.
    case fullText
  }

  /// How many of the values of a path over collections must satisfy the relation.
  package enum Quantifier: UInt8, Hashable, Sendable, CaseIterable {
    /// No quantifier is written: the value, or at least one of several, satisfies the relation.
    case unquantified
    /// At least one value.
    case any
    /// Every value; true when there are no values.
    case all
    /// No value; true when there are no values.
    case none
  }

  /// How many of the values must satisfy the relation.
  package var quantifier: Quantifier
  package var left: Operand
  package var relation: Operator
  /// How strings are compared.
  package var options: TextOptions
  package var right: Operand
  /// The position of the comparison in the parsed format, in bytes of UTF-8. It does not affect equality.
  package var position: Int?
  /// The stores to which the rows among the constants belong, as numbers that the caller assigns. A row is a table and
  /// a key, which mean nothing in another store. The kernel ignores the numbers. They do not affect equality.
  package var origins: [UInt64]

  /// A comparison of two sides.
  package init(
    _ left: Operand, _ relation: Operator, _ right: Operand, options: TextOptions = [],
    quantifier: Quantifier = .unquantified, position: Int? = nil, origins: [UInt64] = []
  ) {
    assert(position ?? 0 >= 0, "A position is one of a format.")
    self.origins = origins
    self.quantifier = quantifier
    self.left = left
    self.relation = relation
    self.options = options
    self.right = right
    self.position = position
  }
}

extension Comparison: Equatable {
  /// Whether the two comparisons are equal, regardless of positions and origins.
  public static func == (a: Comparison, b: Comparison) -> Bool {
    a.quantifier == b.quantifier && a.left == b.left && a.relation == b.relation && a.options == b.options
      && a.right == b.right
  }
}

extension Comparison.Operator {
  /// The relation for exchanged sides; nil for relations that have none.
  package var flipped: Comparison.Operator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }

  /// Whether the relation compares by order.
  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Whether the relation reads the contents of strings or data.
  var usesElements: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .fullText: true
    default: false
    }
  }

  /// The spelling of the operator in formats.
  var spelling: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains: "CONTAINS"
    case .like: "LIKE"
    case .in: "IN"
    case .between: "BETWEEN"
    case .within: "geoWithin"
    case .fullText: "TEXT"
    }
  }
}
