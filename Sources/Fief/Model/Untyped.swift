import FiefValues
import Foundation

/// Reads numbers out of `Any`, by the conversions that realms allow: nothing is rounded, and nothing overflows silently.
///
/// What comes from `JSONSerialization` off Apple's platforms is `NSNumber` for every number and for booleans; which of the two it was
/// says its type encoding.
enum Untyped {
  /// An integer: integers of any width and booleans; never a fractional type, even when its value is whole. (A number of
  /// `JSONSerialization` that was written without fraction is an integer.)
  static func integer(_ value: Any) -> Int64? {
    if isObject(value) {
      guard let number = value as? NSNumber else { return nil }
      switch encoding(number) {
      case "f", "d": return nil
      case "Q": return Int64(exactly: number.uint64Value)
      default: return number.int64Value
      }
    }
    switch value {
    case let value as Int: return Int64(value)
    case let value as Bool: return value ? 1 : 0
    case let value as any BinaryInteger: return Int64(exactly: value)
    default: return nil
    }
  }

  private static func isObject(_ value: Any) -> Bool { type(of: value) is AnyClass }

  /// A boolean: booleans and the integers 0 and 1.
  static func bool(_ value: Any) -> Bool? {
    guard let number = integer(value), number == 0 || number == 1 else { return nil }
    return number == 1
  }

  /// A number of double precision: floating types and integers.
  static func double(_ value: Any) -> Double? {
    if isObject(value) { return (value as? NSNumber)?.doubleValue }
    switch value {
    case let value as Double: return value
    case let value as Float: return Double(value)
    case let value as any BinaryInteger: return Double(value)
    default: return nil
    }
  }

  /// A number of single precision: as `double`, and in range or not a number.
  static func float(_ value: Any) -> Float? {
    guard let wide = double(value) else { return nil }
    if wide.isFinite && abs(wide) > Double(Float.greatestFiniteMagnitude) { return nil }
    return Float(wide)
  }

  /// A decimal: decimals, numbers of any kind, numeric texts.
  static func decimal(_ value: Any) -> Decimal128? {
    if isObject(value) {
      guard let number = value as? NSNumber else { return (value as? String).flatMap(text) }
      return integer(number).map { Decimal128($0) } ?? Decimal128(number: number)
    }
    switch value {
    case let value as Decimal128: return value
    case let value as String: return text(value)
    case let value as Double: return Decimal128(value: value)
    case let value as Float: return Decimal128(value: value)
    case let value as any BinaryInteger: return Decimal128(exactly: value)
    default: return nil
    }
  }

  private static func text(_ text: String) -> Decimal128? { try? Decimal128(validating: text) }

  private static func encoding(_ number: NSNumber) -> String { String(cString: number.objCType) }
}

extension Untyped {
  /// Whether it stands for null, as in what was parsed from JSON.
  static func isNull(_ value: Any) -> Bool { value is NSNull }
}
