import FiefGraph
import FiefValues
import Foundation

/// The oracle's rules for values: identity of stored values, and order by meaning.
///
/// It is written from the documentation of `StoredOrder` and `Value`, without their code. Bytes are compared as arrays,
/// and numbers of different types as decimals of 34 digits, which distinguish any two numbers of the pools.
enum ModelOrder {
  /// Same kind, same bits or bytes.
  static func isIdentical(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.data(let a), .data(let b)): a.elementsEqual(b)
    case (.date(let a), .date(let b)): a.seconds == b.seconds && a.nanoseconds == b.nanoseconds
    case (.objectId(let a), .objectId(let b)): a.stringValue == b.stringValue
    case (.uuid(let a), .uuid(let b)): a.uuidString == b.uuidString
    case (.decimal(let a), .decimal(let b)): a.high == b.high && a.low == b.low
    case (.link(let a), .link(let b)): a.table.rawValue == b.table.rawValue && a.key.rawValue == b.key.rawValue
    default: false
    }
  }

  /// Negative, zero or positive as `a` comes before, with or after `b`.
  static func compare(_ a: Value, _ b: Value) -> Int {
    if rank(a) != rank(b) { return rank(a) - rank(b) }
    switch (a, b) {
    case (.bool(let a), .bool(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
    case (.int(let a), .int(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)) where !a.isNaN && !b.isNaN: return a < b ? -1 : a > b ? 1 : 0
    case (.string(let a), .string(let b)): return compare(Array(a.utf8), Array(b.utf8))
    case (.data(let a), .data(let b)): return compare(Array(a), Array(b))
    case (.date(let a), .date(let b)):
      return compare([a.seconds, Int64(a.nanoseconds)], [b.seconds, Int64(b.nanoseconds)])
    case (.objectId(let a), .objectId(let b)): return compare(Array(a.stringValue.utf8), Array(b.stringValue.utf8))
    case (.uuid(let a), .uuid(let b)): return compare(Array(a.uuidString.utf8), Array(b.uuidString.utf8))
    case (.link(let a), .link(let b)):
      return compare([Int64(a.table.rawValue), a.key.rawValue], [Int64(b.table.rawValue), b.key.rawValue])
    default: return compareNumbers(a, b)
    }
  }

  static func compare<Element: Comparable>(_ a: [Element], _ b: [Element]) -> Int {
    for (a, b) in zip(a, b) where a != b { return a < b ? -1 : 1 }
    return a.count - b.count
  }

  static func isBefore(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

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
    case .link(let link): link.table.rawValue < 2 ? 9 : 8
    }
  }

  private static func compareNumbers(_ a: Value, _ b: Value) -> Int {
    let (a, b) = (decimal(a), decimal(b))
    if a.isNaN || b.isNaN { return (a.isNaN ? 0 : 1) - (b.isNaN ? 0 : 1) }
    return a < b ? -1 : a > b ? 1 : 0
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
}
