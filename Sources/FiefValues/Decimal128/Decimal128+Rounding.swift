extension Decimal128 {
  /// The number without trailing zeros in its fraction. Arithmetic returns it, because the exponents of the operands do
  /// not determine the precision of the result.
  @inlinable
  var reduced: Decimal128 {
    guard high & Decimal128.specialBits != Decimal128.specialBits, plainExponent < 6176, low & 1 == 0 else {
      return self
    }
    return withoutZeros
  }

  @usableFromInline
  var withoutZeros: Decimal128 {
    let parts = parts
    if parts.coefficient == 0 { return Decimal128(negative: parts.isNegative, exponent: 0, coefficient: 0) }
    let (coefficient, removed) = PowersOfTen.strip(parts.coefficient, limit: -parts.exponent)
    if removed == 0 { return self }
    return Decimal128(negative: parts.isNegative, exponent: parts.exponent + removed, coefficient: coefficient)
  }

  /// The number nearest to ±(coefficient + a fraction) × 10^exponent: half to even, with subnormals and overflow.
  ///
  /// - Parameters:
  ///   - coefficient: Any coefficient.
  ///   - exponent: Any exponent, as long as adding some dozens does not overflow.
  ///   - sticky: Whether the fraction is greater than zero; it is always less than one. If so, the coefficient must
  ///     have at least 35 digits, so that the fraction lies below the half that decides the rounding.
  @inlinable
  static func rounded(negative: Bool, coefficient: UInt128, exponent: Int, sticky: Bool = false) -> Decimal128 {
    if !sticky, coefficient <= maxCoefficient, exponent >= minExponent, exponent <= maxExponent {
      return Decimal128(negative: negative, exponent: exponent, coefficient: coefficient)
    }
    return reallyRounded(negative: negative, coefficient: coefficient, exponent: exponent, sticky: sticky)
  }

  @usableFromInline
  static func reallyRounded(negative: Bool, coefficient: UInt128, exponent: Int, sticky: Bool) -> Decimal128 {
    if coefficient == 0 {
      let nearest = Swift.min(Swift.max(exponent, minExponent), maxExponent)
      return Decimal128(negative: negative, exponent: nearest, coefficient: 0)
    }
    var (coefficient, exponent) = (coefficient, exponent)
    let digits = PowersOfTen.digits(coefficient)
    // There is one rounding for both reasons to drop digits, too many digits and too small a number. Two would round
    // twice.
    let drop = Swift.max(digits - precision, minExponent - exponent, 0)
    if drop > Swift.min(digits, 38) {
      // Less than half of the least subnormal: 2^128 is less than half of 10^39.
      return Decimal128(negative: negative, exponent: minExponent, coefficient: 0)
    }
    if drop > 0 {
      let unit = PowersOfTen[drop]
      let (quotient, rest) = PowersOfTen.divide(coefficient, exponent: drop)
      let half = unit >> 1
      let up = rest > half || rest == half && (sticky || quotient & 1 == 1)
      coefficient = quotient + (up ? 1 : 0)
      exponent += drop
      if coefficient > maxCoefficient {
        coefficient = PowersOfTen[precision - 1]
        exponent += 1
      }
    }
    if exponent > maxExponent {
      // A short coefficient can absorb the surplus of the exponent ("clamping"); otherwise the number overflows.
      let surplus = exponent - maxExponent
      guard PowersOfTen.digits(coefficient) + surplus <= precision else {
        return infinity(negative: negative)
      }
      coefficient &*= PowersOfTen[surplus]
      exponent = maxExponent
    }
    return Decimal128(negative: negative, exponent: exponent, coefficient: coefficient)
  }
}
