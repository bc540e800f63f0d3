/// The powers of ten that fit in 128 bits, and operations with them.
@usableFromInline
enum PowersOfTen {
  /// 10^exponent, for an exponent in 0...38.
  @inlinable static subscript(exponent: Int) -> UInt128 { wide[exponent] }

  /// How many digits a number has; 0 for zero.
  ///
  /// Derived from the number of bits: 1233 / 4096 approximates log10(2) closely enough for 128 bits, and gives the
  /// number of digits or one less.
  @inlinable
  static func digits(_ value: UInt128) -> Int {
    let bits = 128 - value.leadingZeroBitCount
    let guess = (bits * 1233) >> 12
    return guess + (value >= wide[guess] ? 1 : 0)
  }

  /// Divides by 10^exponent, for an exponent in 0...38.
  @inlinable
  static func divide(_ value: UInt128, exponent: Int) -> (quotient: UInt128, remainder: UInt128) {
    guard exponent <= 19 else { return value.quotientAndRemainder(dividingBy: wide[exponent]) }
    let (quotient, remainder) = divide(value, by: UInt64(truncatingIfNeeded: wide[exponent]))
    return (quotient, UInt128(remainder))
  }

  /// Divides by a number of 64 bits, word by word.
  @inlinable
  static func divide(_ value: UInt128, by divisor: UInt64) -> (quotient: UInt128, remainder: UInt64) {
    let high = UInt64(truncatingIfNeeded: value >> 64)
    let low = UInt64(truncatingIfNeeded: value)
    guard high != 0 else {
      let (quotient, remainder) = low.quotientAndRemainder(dividingBy: divisor)
      return (UInt128(quotient), remainder)
    }
    let (upper, carry) = high.quotientAndRemainder(dividingBy: divisor)
    let (lower, remainder) = divisor.dividingFullWidth((carry, low))
    return (UInt128(upper) << 64 | UInt128(lower), remainder)
  }

  /// Removes trailing zeros, at most `limit` of them.
  ///
  /// A multiple of 10^k ends in k zero bits. Testing them first excludes most numbers before any division.
  @usableFromInline
  static func strip(_ value: UInt128, limit: Int) -> (value: UInt128, removed: Int) {
    var (value, removed) = (value, 0)
    guard value != 0 else { return (0, 0) }
    for step in [16, 16, 8, 4, 2, 1] where removed + step <= limit && value.trailingZeroBitCount >= step {
      let (quotient, remainder) = divide(value, exponent: step)
      if remainder == 0 {
        value = quotient
        removed += step
      }
    }
    return (value, removed)
  }

  @usableFromInline static let wide: [UInt128] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
    1_000_000_000_000,
    10_000_000_000_000,
    100_000_000_000_000,
    1_000_000_000_000_000,
    10_000_000_000_000_000,
    100_000_000_000_000_000,
    1_000_000_000_000_000_000,
    10_000_000_000_000_000_000,
    100_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000,
    100_000_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000_000,
    100_000_000_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000_000_000,
    100_000_000_000_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000_000_000_000,
    100_000_000_000_000_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000_000_000_000_000,
    100_000_000_000_000_000_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000_000_000_000_000_000,
    100_000_000_000_000_000_000_000_000_000_000_000_000,
  ]
}
