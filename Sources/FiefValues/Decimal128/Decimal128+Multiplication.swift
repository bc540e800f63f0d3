extension Decimal128 {
  /// The product, correctly rounded, without trailing zeros in a fraction. Zero times infinity gives NaN.
  ///
  ///     let total = Decimal128("19.99") * 3          // 59.97
  @inlinable
  public static func * (left: Decimal128, right: Decimal128) -> Decimal128 { multiplied(left, right).reduced }

  @inlinable
  static func multiplied(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    // Two coefficients below 2^64, which covers nearly all practical numbers, need one multiplication.
    if left.isPlain, right.isPlain, (left.high | right.high) & coefficientMask == 0 {
      return rounded(
        negative: (left.high ^ right.high) >> 63 != 0, coefficient: UInt128(left.low) &* UInt128(right.low),
        exponent: Int(left.plainExponent + right.plainExponent) - 2 * 6176)
    }
    return product(left, right)
  }

  /// Multiplies in place.
  @inlinable public static func *= (left: inout Decimal128, right: Decimal128) { left = left * right }

  /// The product of any two numbers. A product beyond 128 bits is cut to 35 or 36 digits and a sticky bit before it is
  /// rounded.
  @usableFromInline
  static func product(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    let negative = left.sign != right.sign
    guard left.isFinite, right.isFinite else {
      if left.isNaN || right.isNaN || left.isZero || right.isZero { return nan }
      return infinity(negative: negative)
    }
    let (a, b) = (left.parts, right.parts)
    let exponent = a.exponent + b.exponent
    let wide = a.coefficient.multipliedFullWidth(by: b.coefficient)
    if wide.high == 0, wide.low < PowersOfTen[38] {
      return rounded(negative: negative, coefficient: wide.low, exponent: exponent)
    }
    // The product has as many digits as both factors together, or one less.
    let cut = PowersOfTen.digits(a.coefficient) + PowersOfTen.digits(b.coefficient) - 36
    let (quotient, remainder) = PowersOfTen[cut].dividingFullWidth(wide)
    return rounded(negative: negative, coefficient: quotient, exponent: exponent + cut, sticky: remainder != 0)
  }
}
