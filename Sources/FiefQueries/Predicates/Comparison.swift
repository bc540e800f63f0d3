/// How a comparison compares text. Both flags clear: byte by byte.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The flags.
  public let rawValue: UInt8
  /// Options from their flags.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `[c]`: by full case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: without nonspacing marks.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// One comparison of a predicate: the left side, an operator, the right side.
public struct Comparison: Sendable {
  /// What stands on one side.
  public enum Operand: Equatable, Sendable {
    case path(PropertyPath)
    case constant(QueryConstant)
  }

  /// The relations.
  public enum Operator: UInt8, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, endsWith, contains, like
    /// The left side is one of the constants on the right.
    case `in`
    /// The left side lies between two constants, both included.
    case between
    /// The point on the left lies within the shape on the right.
    case within
    /// The text on the left has the words on the right: all of them, without those behind `-`, and words that begin
    /// like those before `*`.
    case fullText
  }

  /// How many of the values that a path over collections reads must satisfy the relation.
  public enum Quantifier: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing is said: one value, or at least one of several.
    case unspoken
    /// At least one.
    case any
    /// Each of them, which is true of none.
    case all
    /// Not one, which is true of none.
    case none
  }

  /// How many of the values must satisfy the relation.
  public var quantifier: Quantifier
  /// The left side.
  public var left: Operand
  /// The relation.
  public var relation: Operator
  /// How text is compared.
  public var options: TextOptions
  /// The right side.
  public var right: Operand
  /// Where the comparison stood in the text that it was parsed from, in bytes of UTF-8. Not part of equality.
  public var position: Int?
  /// The bodies of data that rows among its constants are of, by numbers of whoever asks: a row is a table and a key,
  /// and means nothing elsewhere. The kernel does not look at them. Not part of equality.
  public var origins: [UInt64]

  /// A comparison from its parts.
  public init(
    _ left: Operand, _ relation: Operator, _ right: Operand, options: TextOptions = [],
    quantifier: Quantifier = .unspoken, position: Int? = nil, origins: [UInt64] = []
  ) {
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
  /// Whether the two say the same, wherever they were written.
  public static func == (a: Comparison, b: Comparison) -> Bool {
    a.quantifier == b.quantifier && a.left == b.left && a.relation == b.relation && a.options == b.options
      && a.right == b.right
  }
}

extension Comparison.Operator {
  /// The relation that holds of the exchanged sides, for those that have one.
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

  /// Whether it asks what comes before what.
  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Whether it looks into text or data.
  var looksInside: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .fullText: true
    default: false
    }
  }

  /// The operator as formats spell it.
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
