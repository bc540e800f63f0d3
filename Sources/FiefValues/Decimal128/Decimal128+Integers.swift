extension Decimal128 {
  /// Makes the number equal to `integer`, with exponent 0.
  @inlinable
  public init(_ integer: Int64) {
    self.init(bitPatternHigh: 0x3040_0000_0000_0000 | (integer < 0 ? Decimal128.signBit : 0), low: integer.magnitude)
  }

  /// Makes the number nearest to an integer of any type; equal to it up to 34 digits.
  ///
  ///     let number = Decimal128(UInt64.max)          // 18446744073709551615
  @inlinable
  public init(_ integer: some BinaryInteger) {
    if let small = Int64(exactly: integer) {
      self.init(small)
    } else {
      self = Decimal128.nearest(to: integer).number
    }
  }

  /// Makes the number equal to `integer`; nil if that has more than 34 digits before its trailing zeros.
  ///
  ///     let number = Decimal128(exactly: UInt64.max)
  @inlinable
  public init?(exactly integer: some BinaryInteger) {
    if let small = Int64(exactly: integer) {
      self.init(small)
      return
    }
    let (number, isExact) = Decimal128.nearest(to: integer)
    guard isExact else { return nil }
    self = number
  }

  @usableFromInline
  static func nearest(to integer: some BinaryInteger) -> (number: Decimal128, isExact: Bool) {
    let text = String(integer)
    // The string has all digits. Those beyond the 34th are lost unless they are zeros.
    let significant = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let lost = significant.dropFirst(precision).contains { $0 != UInt8(ascii: "0") }
    let number = parse(text) ?? .nan
    return (number, !lost && number.isFinite)
  }
}

extension Int64 {
  /// Makes the integer equal to `decimal`; nil if that is not whole, not in range, or not finite.
  ///
  ///     let whole = Int64(exactly: Decimal128("3.00"))        // 3
  public init?(exactly decimal: Decimal128) {
    guard let (whole, isExact) = Int64.whole(of: decimal), isExact else { return nil }
    self = whole
  }

  /// Makes the integer part of `decimal`; nil if that is not in range, or not finite.
  package init?(truncating decimal: Decimal128) {
    guard let (whole, _) = Int64.whole(of: decimal) else { return nil }
    self = whole
  }

  /// The integer part of a number, and whether the number has no other; nil if it is not in range, or not finite.
  private static func whole(of decimal: Decimal128) -> (Int64, isExact: Bool)? {
    guard decimal.isFinite else { return nil }
    let parts = decimal.parts
    var coefficient = parts.coefficient
    var isExact = true
    if coefficient == 0 { return (0, true) }
    if parts.exponent < 0 {
      guard parts.exponent >= -Decimal128.precision else { return (0, false) }
      let (quotient, remainder) = PowersOfTen.divide(coefficient, exponent: -parts.exponent)
      isExact = remainder == 0
      coefficient = quotient
    } else if parts.exponent > 0 {
      guard parts.exponent <= 18, coefficient < 1 << 63 else { return nil }
      coefficient &*= PowersOfTen[parts.exponent]
    }
    guard coefficient <= UInt128(1) << 63 else { return nil }
    let signed = parts.isNegative ? -Int128(coefficient) : Int128(coefficient)
    return Int64(exactly: signed).map { ($0, isExact) }
  }
}
