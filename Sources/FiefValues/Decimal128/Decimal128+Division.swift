extension Decimal128 {
  /// The quotient, correctly rounded, without trailing zeros in a fraction. A number divided by zero gives infinity.
  /// Zero divided by zero and infinity divided by infinity give NaN.
  ///
  ///     let third = Decimal128(1) / 3          // 0.3333333333333333333333333333333333
  public static func / (left: Decimal128, right: Decimal128) -> Decimal128 { divided(left, right).reduced }

  /// The quotient. An exact one has the difference of both exponents, or the nearest exponent that can represent it.
  private static func divided(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    let negative = left.sign != right.sign
    guard left.isFinite, right.isFinite else {
      if left.isNaN || right.isNaN || left.isInfinite && right.isInfinite { return nan }
      return left.isInfinite
        ? infinity(negative: negative) : Decimal128(negative: negative, exponent: minExponent, coefficient: 0)
    }
    let (a, b) = (left.parts, right.parts)
    if b.coefficient == 0 { return a.coefficient == 0 ? nan : infinity(negative: negative) }
    let exponent = a.exponent - b.exponent
    if a.coefficient == 0 { return rounded(negative: negative, coefficient: 0, exponent: exponent) }
    // This is enough for small coefficients without a remainder.
    if (a.coefficient | b.coefficient) >> 64 == 0 {
      let small = UInt64(truncatingIfNeeded: a.coefficient)
      let (quotient, remainder) = small.quotientAndRemainder(dividingBy: UInt64(truncatingIfNeeded: b.coefficient))
      if remainder == 0 { return rounded(negative: negative, coefficient: UInt128(quotient), exponent: exponent) }
    }
    // Zeros are appended to the dividend until the quotient has 35 or 36 digits. Up to 68 zeros may be needed, in two
    // steps: the first fills 128 bits, the second 256.
    let digits = PowersOfTen.digits(a.coefficient)
    let zeros = 35 + PowersOfTen.digits(b.coefficient) - digits
    let first = Swift.min(zeros, 38 - digits)
    let wide = (a.coefficient &* PowersOfTen[first]).multipliedFullWidth(by: PowersOfTen[zeros - first])
    var (quotient, remainder) = b.coefficient.dividingFullWidth(wide)
    var shift = zeros
    if remainder == 0 {
      let (stripped, removed) = PowersOfTen.strip(quotient, limit: zeros)
      quotient = stripped
      shift -= removed
    }
    return rounded(negative: negative, coefficient: quotient, exponent: exponent - shift, sticky: remainder != 0)
  }

  /// Divides in place.
  @inlinable public static func /= (left: inout Decimal128, right: Decimal128) { left = left / right }
}
