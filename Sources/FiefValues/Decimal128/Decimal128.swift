/// A decimal number of up to 34 digits: IEEE 754-2008 decimal128, in the binary integer encoding (BID).
///
///     let price: Decimal128 = "19.99"
///     let total = price * 3 + 5             // 64.97, without binary rounding
///     print(total.stringValue, total.doubleValue, total > 60)
///
/// It consists of two words:
///
///          63   62 ........ 49 48 .............. 0    63 ................ 0
///     ┌────────┬──────────────┬───────────────────┬──────────────────────┐
///     │ sign   │ exponent+6176│ coefficient, high │ coefficient, low     │
///     └────────┴──────────────┴───────────────────┴──────────────────────┘
///      high                                        low
///
/// The value is ±coefficient × 10^exponent with a coefficient below 10^34 and an exponent in -6176...6111. The exponent
/// is a part of the number: 1.0 and 1.00 have other bits, but are equal, have equal hashes, and print alike. Bits 62
/// and 61 both set mark a special form: `11110` is infinity, `11111` is NaN (signalling if bit 57 is set). The other
/// such forms, and coefficients of 10^34 and more, are not canonical. As the standard requires they represent zero, and
/// no operation makes them.
///
/// Arithmetic is correctly rounded, half to even, with the standard's preferred exponents (except trailing zeros in a
/// fraction), gradual underflow, and infinities for overflow and division by zero. Nothing traps. Arithmetic without a
/// numeric result, or with NaN as an operand, returns the quiet NaN `nan`; a NaN's sign and payload are not propagated.
///
/// Order and equality are those of stored values rather than of the standard, so that sorting, sets and indexes are
/// sound. They are total, NaN equals NaN and comes before all numbers, and -0 equals 0.
@frozen
public struct Decimal128: Sendable {
  /// Sign, exponent and the upper 49 bits of the coefficient.
  public let high: UInt64
  /// The lower 64 bits of the coefficient.
  public let low: UInt64

  /// Makes the number with exactly these bits; every pattern is valid.
  ///
  /// - Parameters:
  ///   - high: sign, exponent and the upper 49 bits of the coefficient.
  ///   - low: the lower 64 bits of the coefficient.
  @inlinable
  public init(bitPatternHigh high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes zero, with exponent 0.
  ///
  ///     print(Decimal128())          // 0
  @inlinable public init() { self.init(bitPatternHigh: 0x3040_0000_0000_0000, low: 0) }

  /// Whether both have the same bits. Stricter than `==`: it distinguishes 1.0 from 1.00, and one NaN from another.
  ///
  ///     print(Decimal128("1.0").isIdentical(to: "1.00"))          // false
  @inlinable public func isIdentical(to other: Decimal128) -> Bool { high == other.high && low == other.low }
}

extension Decimal128 {
  /// The most negative finite number, -(10^34 - 1) × 10^6111.
  @inlinable
  public static var min: Decimal128 { Decimal128(negative: true, exponent: maxExponent, coefficient: maxCoefficient) }

  /// The greatest finite number, (10^34 - 1) × 10^6111.
  @inlinable
  public static var max: Decimal128 { Decimal128(negative: false, exponent: maxExponent, coefficient: maxCoefficient) }

  /// Positive infinity.
  @inlinable public static var infinity: Decimal128 { Decimal128(bitPatternHigh: 0x7800_0000_0000_0000, low: 0) }

  /// The quiet NaN that arithmetic returns.
  @inlinable public static var nan: Decimal128 { Decimal128(bitPatternHigh: 0x7C00_0000_0000_0000, low: 0) }

  /// Whether this is a NaN, quiet or signalling.
  ///
  ///     if Decimal128(value: text).isNaN { print("'\(text)' is no number.") }
  @inlinable public var isNaN: Bool { high & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000 }

  /// Whether this is a NaN: as in Realm, every NaN counts as signalling. Nothing ever signals.
  @inlinable public var isSignalingNaN: Bool { isNaN }

  /// Whether this is a NaN; see `isSignalingNaN`.
  @inlinable public var isSignaling: Bool { isNaN }

  /// Whether this is a NaN that the standard calls signalling. Bit patterns and the string `snan` can be one;
  /// arithmetic never returns one.
  var hasSignallingBits: Bool { high & 0x7E00_0000_0000_0000 == 0x7E00_0000_0000_0000 }

  /// Whether this is positive or negative infinity.
  @inlinable public var isInfinite: Bool { high & 0x7C00_0000_0000_0000 == 0x7800_0000_0000_0000 }

  /// Whether this is a number other than the infinities.
  ///
  ///     print((Decimal128(1) / 0).isFinite)          // false
  @inlinable public var isFinite: Bool { high & 0x7800_0000_0000_0000 != 0x7800_0000_0000_0000 }

  /// Whether this is zero, of either sign and any exponent.
  @inlinable public var isZero: Bool { isFinite && parts.coefficient == 0 }

  /// The sign bit. Zeros and NaNs have a sign, too.
  @inlinable public var sign: FloatingPointSign { high >> 63 == 0 ? .plus : .minus }

  /// The number without its sign.
  ///
  ///     print(Decimal128("-2.5").magnitude)          // 2.5
  @inlinable public var magnitude: Decimal128 { Decimal128(bitPatternHigh: high & ~Decimal128.signBit, low: low) }
}
