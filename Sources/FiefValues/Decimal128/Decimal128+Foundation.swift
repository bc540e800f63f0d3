import Foundation

extension Decimal128 {
  /// Makes the number that `value` is or represents as a string.
  ///
  ///     let number = Decimal128(value: "2.50")
  ///
  /// - Parameter value: an integer or binary floating-point number of any type, a `Bool` (1 or 0), `Decimal128`,
  ///   `Decimal`, `NSNumber`, or a string as in `init(string:)`, also in an optional. Anything else gives NaN. Doubles
  ///   and floats become the number with their shortest digits.
  public init(value: Any) {
    // Only objects are cast to a class. Outside Apple's platforms, casting any other value would first make an object
    // of it with all its contents.
    if type(of: value) is AnyClass {
      switch value as AnyObject {
      case let number as NSNumber: self.init(number: number)
      case let text as NSString: self = Decimal128.parse(text as String) ?? .nan
      default: self = .nan
      }
      return
    }
    if let optional = value as? any Wrapping {
      self = optional.wrapped.map { Decimal128(value: $0) } ?? .nan
      return
    }
    switch value {
    case let decimal as Decimal128: self = decimal
    case let text as String: self = Decimal128.parse(text) ?? .nan
    case let integer as any BinaryInteger: self.init(integer)
    case let double as Double: self.init(double)
    case let float as Float: self.init(float)
    case let other as any BinaryFloatingPoint: self.init(Decimal128.double(other))
    case let decimal as Decimal: self.init(decimal)
    case let bool as Bool: self.init(bool ? 1 : 0 as Int64)
    default: self = .nan
    }
  }

  private static func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }

  /// Makes the number of `number`: an integer exactly, a double or float with its shortest digits, a `NSDecimalNumber`
  /// rounded to 34 digits.
  ///
  ///     let number = Decimal128(number: 2.5)
  public init(number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self.init(decimal.decimalValue)
      return
    }
    // The type of a number is one letter.
    switch UInt8(bitPattern: unsafe number.objCType.pointee) {
    case UInt8(ascii: "d"): self.init(number.doubleValue)
    case UInt8(ascii: "f"): self.init(number.floatValue)
    case UInt8(ascii: "Q"): self.init(number.uint64Value)
    default: self.init(number.int64Value)
    }
  }

  /// Makes the number equal to `decimal`, rounded to 34 digits if it has more (a `Decimal` has up to 38).
  ///
  ///     let number = Decimal128(Decimal(string: "19.99") ?? 0)
  public init(_ decimal: Decimal) { self = Decimal128.parse(decimal.description) ?? .nan }

  /// The `Decimal` nearest to the number. A number that is too small for `Decimal` is rounded, in the end to zero. A
  /// number that is too great (a multiple of 10^128, as in `Decimal(string:)`), an infinity and NaN become
  /// `Decimal.nan`, because `Decimal` has no other special value.
  ///
  ///     let price = Decimal128("19.99").decimalValue.formatted()
  public var decimalValue: Decimal {
    guard isFinite else { return .nan }
    let parts = parts
    let (stripped, removed) = PowersOfTen.strip(parts.coefficient, limit: Decimal128.precision)
    if stripped == 0 { return 0 }
    var (coefficient, exponent) = (stripped, parts.exponent + removed)
    if exponent > 127 {
      // Moving zeros into the coefficient would not help: Foundation moves them back and fails, too.
      return .nan
    } else if exponent < -128 {
      let cut = -128 - exponent
      guard cut <= Decimal128.precision else { return 0 }
      let (quotient, rest) = PowersOfTen.divide(coefficient, exponent: cut)
      let half = PowersOfTen[cut] >> 1
      coefficient = quotient + (rest > half || rest == half && quotient & 1 == 1 ? 1 : 0)
      exponent = -128
    }
    // Exact: 38 digits in two parts of 19, and `Decimal` multiplies and adds 38 digits without rounding.
    let portion: UInt64 = 10_000_000_000_000_000_000
    let (upper, lower) = PowersOfTen.divide(coefficient, by: portion)
    let significand = Decimal(UInt64(truncatingIfNeeded: upper)) * Decimal(portion) + Decimal(lower)
    return Decimal(sign: parts.isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}

/// A protocol that every optional conforms to, independent of its wrapped type.
private protocol Wrapping {
  var wrapped: Any? { get }
}

extension Optional: Wrapping {
  fileprivate var wrapped: Any? { map { $0 } }
}
