/// The kinds of value of a column, or of an element of a collection.
public enum ValueKind: UInt8, Hashable, Sendable, CaseIterable {
  case bool
  /// A 64-bit integer, whatever width the column declares.
  case int
  case float
  case double
  case string
  case data
  case date
  case objectId
  case uuid
  case decimal
  /// A link to a row of the column's target table: shared if that table is ordinary, owned if it is embedded.
  case link
  /// Any of the others, null, a link to any table, or a nested list or dictionary of such values.
  case any
}

extension ValueKind {
  /// The kind with its article, for messages: "an int", "a uuid".
  package var phrase: String { ColumnType(self).phrase }
}

/// Whether a column holds one value or a collection of them.
public enum ColumnShape: UInt8, Hashable, Sendable, CaseIterable {
  case single
  /// Ordered, repetitions allowed.
  case list
  /// Each value once, in `StoredOrder`.
  case set
  /// Values with string keys, in the keys' byte order.
  case dictionary
}

/// The declared width of an integer column. Storage does not depend on it; a value outside it is refused.
public enum IntegerWidth: UInt8, Hashable, Sendable, CaseIterable {
  case bits8 = 1
  case bits16 = 2
  case bits32 = 4
  case bits64 = 8

  /// The numbers that the width can hold.
  @inlinable
  public var range: ClosedRange<Int64> {
    switch self {
    case .bits8: Int64(Int8.min)...Int64(Int8.max)
    case .bits16: Int64(Int16.min)...Int64(Int16.max)
    case .bits32: Int64(Int32.min)...Int64(Int32.max)
    case .bits64: .min ... .max
    }
  }
}

/// The effect of deleting a linking row on the targets of a link column.
///
/// The rule applies when the *linking* row is deleted, for any reason: a delete, the clearing of its table, or, for an
/// embedded row, its replacement or removal by its owner. Removing a target from a list deletes nothing. Embedded
/// targets have no rule: they are always deleted with their owner.
public enum DeleteRule: UInt8, Hashable, Sendable, CaseIterable {
  /// Targets are kept.
  case nullify
  /// Targets are deleted, too.
  case cascade
  /// The delete is refused while the row has a target that the same operation does not delete.
  case deny
}

/// The type of a column.
public struct ColumnType: Hashable, Sendable {
  /// The kind of the value or of the elements.
  public var kind: ValueKind
  /// One value or a collection.
  public var shape: ColumnShape
  /// Whether the value, or an element, may be null. Single links and any-values may always be null, as may the links in
  /// a dictionary. Links in lists and sets are never null.
  public var isOptional: Bool
  /// The declared width of integers.
  public var width: IntegerWidth
  /// The table that links point into; nil for other kinds.
  public var target: TableKey?

  /// Makes a type of its parts. Only integers use `width`, and only links use `target`.
  public init(
    _ kind: ValueKind, shape: ColumnShape = .single, isOptional: Bool = false, width: IntegerWidth = .bits64,
    target: TableKey? = nil
  ) {
    self.kind = kind
    self.shape = shape
    self.isOptional = isOptional
    self.width = width
    self.target = target
  }

  /// A link to a row of `target`, or a collection of such links.
  public static func link(to target: TableKey, shape: ColumnShape = .single) -> ColumnType {
    ColumnType(.link, shape: shape, target: target)
  }

  /// Whether a value, or an element of the collection, may be null.
  @inlinable
  public var allowsNull: Bool {
    switch kind {
    case .any: true
    case .link: shape == .single || shape == .dictionary
    default: isOptional
    }
  }

  /// Whether values of this type can link to rows.
  @inlinable public var canLink: Bool { kind == .link || kind == .any }

  /// Whether the column holds a collection.
  @inlinable public var isCollection: Bool { shape != .single }

  /// Whether the cells are stored with a null bitmap.
  @inlinable var hasNullBitmap: Bool { shape == .single && allowsNull && kind != .any }

  /// The kind under which the elements of a list or a set are stored: `any` if they may be null, `int` for booleans and
  /// links.
  public var elementKind: ValueKind {
    kind == .link ? .int : allowsNull ? .any : kind == .bool ? .int : kind
  }

  /// The type of one element of the collection, or the type itself.
  public var element: ColumnType {
    var type = self
    type.shape = .single
    type.isOptional = allowsNull
    return type
  }

  /// The type with its article, for messages: "an int16", "a list of link".
  var phrase: String { "\("aeio".contains(declaration.first ?? "x") ? "an" : "a") \(declaration)" }

  /// The type as text, for messages: `int8?`, `list of int8?`, `dictionary of link`.
  public var declaration: String {
    var name = "\(kind)"
    if kind == .int && width != .bits64 { name = "int\(width.rawValue * 8)" }
    if isOptional { name += "?" }
    switch shape {
    case .single: return name
    case .list: return "list of \(name)"
    case .set: return "set of \(name)"
    case .dictionary: return "dictionary of \(name)"
    }
  }
}
