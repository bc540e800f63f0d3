extension Decimal128 {
  /// The same number without zeros at the end of its fraction: what arithmetic gives, as the exponents of its operands
  /// say nothing about what it comes to.
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

  /// The number nearest to ±(coefficient + a little) × 10^exponent: half to even, with subnormals and overflow.
  ///
  /// - Parameters:
  ///   - coefficient: any.
  ///   - exponent: any, as long as sums with some dozens do not overflow.
  ///   - sticky: whether "a little" is more than nothing (and less than one). Then the coefficient has at least 35
  ///     digits, so that the little lies below the half that decides.
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
    // One rounding for both reasons to drop digits, too many and too small, or it would be rounded twice.
    let drop = Swift.max(digits - precision, minExponent - exponent, 0)
    if drop > Swift.min(digits, 38) {
      // Less than half of the least: 2^128 is less than half of 10^39.
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
      // A short coefficient can take over what the exponent cannot hold ("clamping"); else it is too great.
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
