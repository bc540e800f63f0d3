public import FiefRuntime
import FiefValues
import Foundation

/// The order of all stored values, for sets, indexes, sorts and queries.
///
/// - Null comes first, then `false < true`, then all numbers by value whatever their type, then strings, data, dates,
///   object ids, UUIDs, links to objects, lists and dictionaries.
/// - A NaN equals a NaN and comes before every other number; `-0.0` equals `0.0`.
/// - Numbers of different types compare by exact value. A `Double` is the binary fraction of its bits (rounded to the
///   34 digits of `Decimal128` in comparisons with one), so `0.1` as a double and `0.1` as a decimal differ.
/// - Strings and data compare byte by byte (strings in UTF-8), as in the original. Canonically equivalent strings with
///   different bytes are different values.
/// - Links compare by table, then by age of the row.
///
/// Two values can be equal here and not identical (`-0.0` and `0.0`, `1` and `1.0`): `Value.==` compares stored values,
/// this order compares their meaning.
public enum StoredOrder {
  /// Compares two values: -1, 0 or 1 as `a` comes before, with or after `b`. Linear in the length of strings and data.
  public static func compare(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.int(let a), .int(let b)): return compare(a, b)
    case (.string(let a), .string(let b)): return compare(a, b)
    case (.link(let a), .link(let b)) where a.table.isNested == b.table.isNested: return a < b ? -1 : a == b ? 0 : 1
    case (.null, .null): return 0
    case (.bool(let a), .bool(let b)): return compare(Int64(a ? 1 : 0), Int64(b ? 1 : 0))
    case (.double(let a), .double(let b)): return compare(a, b)
    case (.float(let a), .float(let b)): return compare(Double(a), Double(b))
    case (.date(let a), .date(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.objectId(let a), .objectId(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.uuid(let a), .uuid(let b)): return compare(a, b)
    case (.data(let a), .data(let b)): return compare(a, b)
    case (.decimal(let a), .decimal(let b)): return a < b ? -1 : a == b ? 0 : 1
    default: break
    }
    let ranks = (rank(a), rank(b))
    guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 ? -1 : 1 }
    return compareNumbers(a, b)
  }

  /// The rank of a value's kind among the kinds.
  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectId: 6
    case .uuid: 7
    case .link(let link): link.table.isNested ? 9 : 8
    }
  }

  /// Compares numbers of different types by value.
  private static func compareNumbers(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.int(let a), .double(let b)): return compare(a, b)
    case (.int(let a), .float(let b)): return compare(a, Double(b))
    case (.double(let a), .int(let b)): return -compare(b, a)
    case (.float(let a), .int(let b)): return -compare(b, Double(a))
    case (.float(let a), .double(let b)): return compare(Double(a), b)
    case (.double(let a), .float(let b)): return compare(a, Double(b))
    default:
      assert(rank(a) == 2 && rank(b) == 2, "Numbers are compared by their values.")
      let (a, b) = (decimal(a), decimal(b))
      return a < b ? -1 : a == b ? 0 : 1
    }
  }

  private static func decimal(_ value: Value) -> Decimal128 {
    switch value {
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128.exactValue(of: Double(value))
    case .double(let value): Decimal128.exactValue(of: value)
    case .decimal(let value): value
    default: Decimal128()
    }
  }

  /// Compares integers.
  @inlinable public static func compare(_ a: Int64, _ b: Int64) -> Int { a < b ? -1 : a == b ? 0 : 1 }

  /// Compares doubles: a NaN comes first and equals itself.
  @inlinable
  public static func compare(_ a: Double, _ b: Double) -> Int {
    if a < b { return -1 }
    if a > b { return 1 }
    if a == b { return 0 }
    return a.isNaN ? (b.isNaN ? 0 : -1) : 1
  }

  /// Compares an integer and a double, without rounding either.
  @inlinable
  public static func compare(_ a: Int64, _ b: Double) -> Int {
    if b.isNaN || b < -0x1p63 { return 1 }
    if b >= 0x1p63 { return -1 }
    let whole = b.rounded(.towardZero)
    let order = compare(a, Int64(whole))
    return order != 0 ? order : compare(whole, b)
  }

  /// Compares strings by their UTF-8 bytes.
  @inlinable public static func compare(_ a: String, _ b: String) -> Int { ByteOrder.compare(a, b) }

  /// Compares data byte by byte.
  public static func compare(_ a: Data, _ b: Data) -> Int {
    unsafe a.withUnsafeBytes { a in unsafe b.withUnsafeBytes { b in unsafe ByteOrder.compare(a, b) } }
  }

  /// Compares UUIDs byte by byte.
  public static func compare(_ a: UUID, _ b: UUID) -> Int {
    unsafe withUnsafeBytes(of: a.uuid) { a in
      unsafe withUnsafeBytes(of: b.uuid) { b in unsafe ByteOrder.compare(a, b) }
    }
  }
}
