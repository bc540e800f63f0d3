/// The kinds of value that a column, or an element of a collection, can be.
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

/// Whether a column holds one value or a collection of them.
public enum ColumnShape: UInt8, Hashable, Sendable, CaseIterable {
  case single
  /// Ordered, repetitions allowed.
  case list
  /// Each value once, kept in the order of `StoredOrder`.
  case set
  /// Values under string keys, kept in the keys' byte order.
  case dictionary
}

/// The width that a column of integers declares. Storage does not depend on it; a value outside is refused.
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

/// What happens to the targets of a link column when the row that links to them is deleted.
///
/// The rule speaks when the *linking* row goes, by whatever path (a delete, the clearing of its table, or, for an
/// embedded row, being replaced or removed by its owner). Taking a target out of a list deletes nothing. Embedded
/// targets have no rule: they always go with their owner.
public enum DeleteRule: UInt8, Hashable, Sendable, CaseIterable {
  /// Targets stay, without this link.
  case nullify
  /// Targets are deleted too.
  case cascade
  /// The delete is refused while there is a target that it does not delete anyway.
  case deny
}

/// What a column holds.
public struct ColumnType: Hashable, Sendable {
  /// The kind of the value or of the elements.
  public var kind: ValueKind
  /// One value or a collection.
  public var shape: ColumnShape
  /// Whether the value, or an element, may be null. Single links and any-values may be null regardless, as may the
  /// links in a dictionary; links in lists and sets never are.
  public var isOptional: Bool
  /// The declared width of integers.
  public var width: IntegerWidth
  /// The table that links point into; nil for other kinds.
  public var target: TableKey?

  /// A type from its parts; `width` and `target` matter for integers and links alone.
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

  /// Whether values of this type can point at rows.
  @inlinable
  public var canLink: Bool { kind == .link || kind == .any }

  /// Whether the column holds a collection.
  @inlinable
  public var isCollection: Bool { shape != .single }

  /// Whether the cells are stored with a bitmap of nulls beside them.
  @inlinable
  var hasNullBitmap: Bool { shape == .single && allowsNull && kind != .any }

  /// The type of one element of the collection, or the type itself.
  public var element: ColumnType {
    var type = self
    type.shape = .single
    type.isOptional = allowsNull
    return type
  }

  /// The type with its article, for messages: "an int16", "a list of links".
  var phrase: String { "\("aeio".contains(declaration.first ?? "x") ? "an" : "a") \(declaration)" }

  /// The type in the words of a declaration: `[Int8?]`, `{String: link}`.
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
