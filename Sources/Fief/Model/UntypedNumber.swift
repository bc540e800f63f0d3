import FiefValues
import Foundation

/// A number or a boolean of whatever type, as exact as it was given.
///
/// What `JSONSerialization` makes off Apple's platforms: a boolean has a class of its own; an integer is an `NSNumber`,
/// or an
/// `NSDecimalNumber` when it is negative and has 19 digits or more; a fraction of more than 17 digits is an
/// `NSDecimalNumber` too.
enum UntypedNumber {
  case bool(Bool)
  case int(Int64)
  /// An integer beyond 64 bits.
  case wide(any BinaryInteger)
  case float(Float)
  case double(Double)
  case decimal(Decimal128)
  /// A decimal that a program wrote.
  case foundation(Decimal)
  /// A decimal that may have been an integer in a document.
  case decimalNumber(Decimal)

  /// - Parameter value: not an optional.
  init?(_ value: Any) {
    if Untyped.isObject(value) {
      guard let number = value as? NSNumber else { return nil }
      self.init(number)
      return
    }
    switch value {
    case let value as Int: self = .int(Int64(value))
    case let value as Bool: self = .bool(value)
    case let value as Double: self = .double(value)
    case let value as Float: self = .float(value)
    case let value as any BinaryInteger: self = Int64(exactly: value).map(UntypedNumber.int) ?? .wide(value)
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
      switch UInt8(truncatingIfNeeded: number.objCType.pointee) {
      case UInt8(ascii: "f"): self = .float(number.floatValue)
      case UInt8(ascii: "d"): self = .double(number.doubleValue)
      case UInt8(ascii: "Q"):
        let value = number.uint64Value
        self = Int64(exactly: value).map(UntypedNumber.int) ?? .wide(value)
      default: self = .int(number.int64Value)
      }
    }
  }

  /// The class of the two numbers that are booleans.
  private static let booleans: AnyClass = type(of: NSNumber(value: true))

  private static func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }

  /// Integers, booleans as 1 and 0, and decimals of documents that are whole; never a fractional type, even when its
  /// value is whole.
  var integer: Int64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .foundation(let value), .decimalNumber(let value): Int64(value.description)
    case .wide, .float, .double, .decimal: nil
    }
  }

  /// The nearest number of double precision, rounded once; nil for booleans and what is out of range.
  var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .wide(let value): Self.finite(Double(value))
    case .float(let value): Double(value)
    case .double(let value): value
    case .foundation(let value), .decimalNumber(let value): Double(value.isNaN ? "nan" : value.description)
    case .bool, .decimal: nil
    }
  }

  /// The nearest number of single precision, rounded once; nil for booleans and what is out of range.
  var float: Float? {
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

  /// The nearest decimal of 34 digits, rounded once; floating numbers by their shortest digits. Nil for booleans.
  var decimal: Decimal128? {
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

  /// What an any-value keeps: integers of 64 bits and booleans as they are, what is longer as a decimal.
  var any: StoredValue {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .wide(let value): .decimal(Decimal128(value))
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    case .foundation(let value): .decimal(Decimal128(value))
    case .decimalNumber(let value): integer.map(StoredValue.int) ?? .decimal(Decimal128(value))
    }
  }
}
