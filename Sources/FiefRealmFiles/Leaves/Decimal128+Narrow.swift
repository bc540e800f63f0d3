import FiefValues

extension Decimal128 {
  /// The number of a decimal32 (IEEE 754-2008, binary integer form).
  init(decimal32 bits: UInt32) {
    let isSpecial = bits & 0x7800_0000 == 0x7800_0000
    let isLong = bits & 0x6000_0000 == 0x6000_0000
    self.init(
      narrow: bits >> 31 != 0, isNaN: bits & 0x7C00_0000 == 0x7C00_0000, isInfinite: isSpecial,
      exponent: Int(isLong ? bits >> 21 & 0xFF : bits >> 23 & 0xFF) - 101,
      coefficient: UInt64(isLong ? 0x80_0000 | bits & 0x1F_FFFF : bits & 0x7F_FFFF), limit: 9_999_999)
  }

  /// The number of a decimal64 (IEEE 754-2008, binary integer form).
  init(decimal64 bits: UInt64) {
    let isSpecial = bits & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000
    let isLong = bits & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000
    self.init(
      narrow: bits >> 63 != 0, isNaN: bits & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000, isInfinite: isSpecial,
      exponent: Int(isLong ? bits >> 51 & 0x3FF : bits >> 53 & 0x3FF) - 398,
      coefficient: isLong ? 0x20_0000_0000_0000 | bits & 0x7_FFFF_FFFF_FFFF : bits & 0x1F_FFFF_FFFF_FFFF,
      limit: 9_999_999_999_999_999)
  }

  /// A coefficient above the limit is not canonical, and stands for zero.
  private init(
    narrow isNegative: Bool, isNaN: Bool, isInfinite: Bool, exponent: Int, coefficient: UInt64, limit: UInt64
  ) {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    if isNaN {
      self = .nan
    } else if isInfinite {
      self.init(bitPatternHigh: Decimal128.infinity.high | sign, low: 0)
    } else {
      self.init(bitPatternHigh: sign | UInt64(exponent + 6176) << 49, low: coefficient <= limit ? coefficient : 0)
    }
  }
}
