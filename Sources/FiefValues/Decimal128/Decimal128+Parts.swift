/// The parts of a finite number: ±coefficient × 10^exponent.
@frozen
@usableFromInline
struct DecimalParts {
  @usableFromInline var isNegative: Bool
  @usableFromInline var exponent: Int
  @usableFromInline var coefficient: UInt128

  @inlinable
  init(isNegative: Bool, exponent: Int, coefficient: UInt128) {
    self.isNegative = isNegative
    self.exponent = exponent
    self.coefficient = coefficient
  }
}

extension Decimal128 {
  @inlinable static var signBit: UInt64 { 0x8000_0000_0000_0000 }
  /// Two bits that are both set in every special form and in every non-canonical exponent form.
  @inlinable static var specialBits: UInt64 { 0x6000_0000_0000_0000 }
  /// The bits of the coefficient in `high`.
  @inlinable static var coefficientMask: UInt64 { 0x1_FFFF_FFFF_FFFF }
  /// The upper word of 10^34: a coefficient with a lesser upper word is canonical, whatever its lower word.
  @inlinable static var coefficientLimitHigh: UInt64 { 0x1_ED09_BEAD_87C0 }

  /// The maximal number of digits of a coefficient.
  @inlinable static var precision: Int { 34 }
  @inlinable static var maxCoefficient: UInt128 { 9_999_999_999_999_999_999_999_999_999_999_999 }
  @inlinable static var minExponent: Int { -6176 }
  @inlinable static var maxExponent: Int { 6111 }

  /// Whether the number is finite and its coefficient certainly canonical, by two comparisons. The few numbers that are
  /// canonical but not plain (coefficients within 10^18 of 10^34) take the slow paths, which decide exactly.
  @inlinable var isPlain: Bool {
    high & Decimal128.specialBits != Decimal128.specialBits
      && high & Decimal128.coefficientMask < Decimal128.coefficientLimitHigh
  }

  /// The coefficient of a plain number.
  @inlinable var plainCoefficient: UInt128 { UInt128(high & Decimal128.coefficientMask) << 64 | UInt128(low) }

  /// The biased exponent field of a plain number.
  @inlinable var plainExponent: UInt64 { high >> 49 & 0x3FFF }

  /// Sign, exponent and coefficient of a finite number; a coefficient that is not canonical is zero.
  @inlinable var parts: DecimalParts {
    let isNegative = high >> 63 != 0
    guard high & Decimal128.specialBits != Decimal128.specialBits else {
      // The longer exponent form encodes coefficients from 2^113 on, all above 10^34.
      return DecimalParts(isNegative: isNegative, exponent: Int(high >> 47 & 0x3FFF) - 6176, coefficient: 0)
    }
    let coefficient = plainCoefficient
    return DecimalParts(
      isNegative: isNegative, exponent: Int(plainExponent) - 6176,
      coefficient: coefficient <= Decimal128.maxCoefficient ? coefficient : 0)
  }

  /// Makes a number of parts that are in range.
  @inlinable
  init(negative: Bool, exponent: Int, coefficient: UInt128) {
    assert(coefficient <= Decimal128.maxCoefficient, "A coefficient has at most 34 digits.")
    assert((Decimal128.minExponent...Decimal128.maxExponent).contains(exponent), "An exponent is in -6176...6111.")
    let biased = UInt64(truncatingIfNeeded: exponent + 6176)
    self.init(
      bitPatternHigh: (negative ? Decimal128.signBit : 0) | biased << 49
        | UInt64(truncatingIfNeeded: coefficient >> 64),
      low: UInt64(truncatingIfNeeded: coefficient))
  }

  @inlinable
  static func infinity(negative: Bool) -> Decimal128 {
    Decimal128(bitPatternHigh: infinity.high | (negative ? signBit : 0), low: 0)
  }
}
