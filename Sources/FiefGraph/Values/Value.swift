import FiefValues
import Foundation

/// Any value of a cell, or of an element of a collection.
///
/// Code that does not know types statically uses it: deltas, dynamic access, tests. Hot paths use the typed reads and
/// writes instead.
///
/// A value is flat. A list or a dictionary inside an any-value is a separate row, in the table `TableKey.nestedLists`
/// or `.nestedDictionaries`, which the value owns by a link. So nesting has no depth limit, and nested collections
/// follow the rules of embedded objects for lifetime and comparison.
public enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Timestamp)
  case objectId(ObjectId)
  case uuid(UUID)
  case decimal(Decimal128)
  case link(ObjectLink)

  /// The kind of the value; nil for null.
  public var kind: ValueKind? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .decimal: .decimal
    case .link: .link
    }
  }

  /// Whether the value is null.
  @inlinable
  public var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The target row, if the value is a link.
  @inlinable
  public var linked: ObjectLink? {
    if case .link(let link) = self { return link }
    return nil
  }
}

extension Value: Equatable {
  /// Whether both are the same stored value: same kind, same bits or bytes. `-0.0` and `0.0` differ, a NaN equals
  /// itself, and strings are equal if their UTF-8 is. `StoredOrder` compares by meaning.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): Float.isIdentical(a, b)
    case (.double(let a), .double(let b)): Double.isIdentical(a, b)
    case (.string(let a), .string(let b)): String.isIdentical(a, b)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.objectId(let a), .objectId(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.decimal(let a), .decimal(let b)): Decimal128.isIdentical(a, b)
    case (.link(let a), .link(let b)): a == b
    default: false
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value as a string, for messages and dumps. Long strings are truncated, and data is shown by its length.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "'\(value.count > 64 ? value.prefix(64) + "..." : value[...])'"
    case .data(let value): "\(value.count) bytes"
    case .date(let value): "\(value)"
    case .objectId(let value): "\(value)"
    case .uuid(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .link(let value): "\(value)"
    }
  }
}
