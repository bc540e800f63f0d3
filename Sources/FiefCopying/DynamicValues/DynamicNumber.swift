package import FiefGraph
import FiefRuntime
import FiefValues
import Foundation

/// A number or a boolean of any type, in the precision in which it was given.
///
/// Off Apple's platforms, `JSONSerialization` makes these objects: a boolean has a class of its own. An integer is an
/// `NSNumber`, or an `NSDecimalNumber` when it is negative and has 19 digits or more. A fraction of more than 17 digits
/// is an `NSDecimalNumber` too.
package enum DynamicNumber {
  case bool(Bool)
  case int(Int64)
  /// An integer that does not fit in 64 bits.
  case wide(any BinaryInteger)
  case float(Float)
  case double(Double)
  case decimal(Decimal128)
  /// A `Decimal`, which only a program can have written.
  case foundation(Decimal)
  /// An `NSDecimalNumber`, which may have been an integer in a document.
  case decimalNumber(Decimal)

  /// - Parameter value: a value that is not wrapped in an optional.
  package init?(_ value: Any) {
    if let value = Existential.value(value, as: Int.self) {
      self = .int(Int64(value))
      return
    }
    if DynamicValue.isObject(value) {
      guard let number = value as? NSNumber else { return nil }
      self.init(number)
      return
    }
    switch value {
    case let value as Int: self = .int(Int64(value))
    case let value as Bool: self = .bool(value)
    case let value as Double: self = .double(value)
    case let value as Float: self = .float(value)
    case let value as any BinaryInteger: self = Int64(exactly: value).map(DynamicNumber.int) ?? .wide(value)
    case let value as Decimal128: self = .decimal(value)
    case let value as Decimal: self = .foundation(value)
    case let value as any BinaryFloatingPoint: self = .double(Self.double(value))
    default: return nil
    }
  }

  private init(_ number: NSNumber) {
    if type(of: number) == Self.booleans {
      self = .bool(number.boolValue)
    } else if let number = number as? NSDecimalNumber {
      self = .decimalNumber(number.decimalValue)
    } else {
      switch unsafe UInt8(truncatingIfNeeded: number.objCType.pointee) {
      case UInt8(ascii: "f"): self = .float(number.floatValue)
      case UInt8(ascii: "d"): self = .double(number.doubleValue)
      case UInt8(ascii: "Q"):
        let value = number.uint64Value
        self = Int64(exactly: value).map(DynamicNumber.int) ?? .wide(value)
      default: self = .int(number.int64Value)
      }
    }
  }

  /// The class of the two boolean `NSNumber` instances.
  private static let booleans: AnyClass = type(of: NSNumber(value: true))

  private static func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }

  /// The value of an integer that fits in 64 bits or of a whole Foundation decimal; 1 or 0 for a boolean. Nil for
  /// binary floating-point numbers and `Decimal128`, even when their value is whole.
  package var integer: Int64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .foundation(let value), .decimalNumber(let value): Int64(value.description)
    case .wide, .float, .double, .decimal: nil
    }
  }

  /// The nearest double-precision number, rounded once; nil for booleans, `Decimal128` and numbers out of range.
  package var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .wide(let value): Self.finite(Double(value))
    case .float(let value): Double(value)
    case .double(let value): value
    case .foundation(let value), .decimalNumber(let value): Double(value.isNaN ? "nan" : value.description)
    case .bool, .decimal: nil
    }
  }

  /// The nearest single-precision number, rounded once; nil for booleans, `Decimal128` and numbers out of range.
  package var float: Float? {
    switch self {
    case .int(let value): return Float(value)
    case .wide(let value): return Self.finite(Float(value))
    case .float(let value): return value
    case .double(let value):
      return value.isFinite && abs(value) > Double(Float.greatestFiniteMagnitude) ? nil : Float(value)
    case .foundation(let value), .decimalNumber(let value):
      return value.isNaN ? .nan : Float(value.description).flatMap(Self.finite)
    case .bool, .decimal: return nil
    }
  }

  private static func finite<Number: BinaryFloatingPoint>(_ number: Number) -> Number? {
    number.isFinite ? number : nil
  }

  /// The nearest decimal of 34 digits, rounded once. Floating-point numbers are converted by their shortest digits. Nil
  /// for booleans.
  package var decimal: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value)
    case .wide(let value): Decimal128(value)
    case .float(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): value
    case .foundation(let value), .decimalNumber(let value): Decimal128(value)
    case .bool: nil
    }
  }

  /// The form in which an any-value stores the number: booleans, floating-point numbers and integers of up to 64 bits
  /// unchanged, longer integers and Foundation decimals as decimals. A whole `NSDecimalNumber` of up to 64 bits is
  /// stored as an integer.
  package var any: Value {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .wide(let value): .decimal(Decimal128(value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .foundation(let value): .decimal(Decimal128(value))
    case .decimalNumber(let value): integer.map(Value.int) ?? .decimal(Decimal128(value))
    }
  }
}

extension Decimal128 {
  /// The number as a `Decimal` of Foundation; nil where that cannot represent it exactly.
  package var foundation: Decimal? {
    let decimal = decimalValue
    return Decimal128(decimal) == self ? decimal : nil
  }
}
