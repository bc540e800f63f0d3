extension Decimal128 {
  /// The sum, correctly rounded, without trailing zeros in a fraction. Infinities of different signs give NaN.
  ///
  ///     let sum: Decimal128 = 0.1 + 0.2          // 0.3
  @inlinable public static func + (left: Decimal128, right: Decimal128) -> Decimal128 { added(left, right).reduced }

  @inlinable
  static func added(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    if left.isPlain, right.isPlain, left.plainExponent == right.plainExponent {
      let (a, b) = (left.plainCoefficient, right.plainCoefficient)
      let exponent = Int(left.plainExponent) - 6176
      let negative = left.high >> 63 != 0
      if (left.high ^ right.high) >> 63 == 0 {
        return rounded(negative: negative, coefficient: a &+ b, exponent: exponent)
      }
      if a == b { return Decimal128(negative: false, exponent: exponent, coefficient: 0) }
      return a > b
        ? Decimal128(negative: negative, exponent: exponent, coefficient: a &- b)
        : Decimal128(negative: !negative, exponent: exponent, coefficient: b &- a)
    }
    return sum(left, right)
  }

  /// The difference, correctly rounded, without trailing zeros in a fraction.
  ///
  ///     let rest = Decimal128("20.00") - 19.99          // 0.01
  @inlinable public static func - (left: Decimal128, right: Decimal128) -> Decimal128 { left + -right }

  /// Adds in place.
  ///
  ///     var total: Decimal128 = "19.99"
  ///     total += 5          // 24.99
  @inlinable public static func += (left: inout Decimal128, right: Decimal128) { left = left + right }

  /// Subtracts in place.
  @inlinable public static func -= (left: inout Decimal128, right: Decimal128) { left = left - right }

  /// The sum of any two numbers. Its exponent is the lesser of both where 34 digits allow it.
  ///
  /// 37 digits of the number with the greater exponent are enough. If the other one reaches further down, its lowest
  /// digits become one sticky bit. A 37-digit number minus one of 34 still has 36 digits, so the lost digits lie below
  /// the one that decides the rounding.
  @usableFromInline
  static func sum(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    guard left.isFinite, right.isFinite else {
      if left.isNaN || right.isNaN { return nan }
      if left.isFinite { return infinity(negative: right.sign == .minus) }
      if right.isInfinite, left.sign != right.sign { return nan }
      return infinity(negative: left.sign == .minus)
    }
    var (upper, lower) = (left.parts, right.parts)
    if upper.exponent < lower.exponent { swap(&upper, &lower) }
    if upper.coefficient == 0 {
      // The sum is the other number. The sum of two zeros is negative only if both are.
      let negative = lower.isNegative && (lower.coefficient != 0 || upper.isNegative)
      return Decimal128(negative: negative, exponent: lower.exponent, coefficient: lower.coefficient)
    }
    let gap = upper.exponent - lower.exponent
    let shift = Swift.min(gap, 37 - PowersOfTen.digits(upper.coefficient))
    let a = upper.coefficient &* PowersOfTen[shift]
    var b = lower.coefficient
    var sticky = false
    let cut = gap - shift
    if cut > precision {
      (b, sticky) = (0, b != 0)
    } else if cut > 0 {
      let (quotient, remainder) = PowersOfTen.divide(b, exponent: cut)
      (b, sticky) = (quotient, remainder != 0)
    }
    let exponent = lower.exponent + cut
    if upper.isNegative == lower.isNegative {
      return rounded(negative: upper.isNegative, coefficient: a + b, exponent: exponent, sticky: sticky)
    }
    if a > b {
      // Subtracting the sticky part: one less, with a new sticky part that completes the one.
      let difference = a - b - (sticky ? 1 : 0)
      return rounded(negative: upper.isNegative, coefficient: difference, exponent: exponent, sticky: sticky)
    }
    return rounded(negative: a < b && lower.isNegative, coefficient: b - a, exponent: exponent)
  }
}

extension Decimal128: SignedNumeric {
  /// The number with the opposite sign. Zeros and NaNs also change their sign.
  ///
  ///     let credit = -Decimal128("19.99")
  @inlinable
  public static prefix func - (number: Decimal128) -> Decimal128 {
    Decimal128(bitPatternHigh: number.high ^ signBit, low: number.low)
  }

  /// Changes the sign in place.
  ///
  ///     var balance: Decimal128 = "19.99"
  ///     balance.negate()          // -19.99
  @inlinable public mutating func negate() { self = -self }
}
