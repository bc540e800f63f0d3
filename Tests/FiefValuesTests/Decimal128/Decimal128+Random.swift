import FiefValues

extension Decimal128 {
  /// Any finite number in canonical bits: lengths, exponents and signs all vary, and zeros occur.
  static func random(using random: inout some RandomNumberGenerator) -> Decimal128 {
    let exponent: UInt64 =
      Bool.random(using: &random) ? .random(in: 6136...6216, using: &random) : .random(in: 0...12_287, using: &random)
    return Decimal128.random(biasedExponent: exponent, using: &random)
  }

  /// A number with an exponent of -6...6, so that many have equal exponents.
  static func randomNearby(using random: inout some RandomNumberGenerator) -> Decimal128 {
    Decimal128.random(biasedExponent: .random(in: 6170...6182, using: &random), using: &random)
  }

  private static func random(biasedExponent: UInt64, using random: inout some RandomNumberGenerator) -> Decimal128 {
    let limit: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
    var coefficient = UInt128.random(in: 0...limit, using: &random) >> UInt128.random(in: 0...113, using: &random)
    // Trailing zeros, so that one number occurs in several forms.
    for _ in 0..<Int.random(in: 0...8, using: &random) where coefficient <= limit / 10 && coefficient & 1 == 0 {
      coefficient *= 10
    }
    let sign: UInt64 = Bool.random(using: &random) ? 1 << 63 : 0
    return Decimal128(
      bitPatternHigh: sign | biasedExponent << 49 | UInt64(truncatingIfNeeded: coefficient >> 64),
      low: UInt64(truncatingIfNeeded: coefficient))
  }
}
