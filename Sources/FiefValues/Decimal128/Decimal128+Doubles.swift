extension Decimal128 {
  /// Makes the number with the shortest digits that read back as `double`: 1.1 becomes 1.1.
  ///
  ///     let tenth = Decimal128(0.1)          // 0.1
  ///
  /// This is the number as it is written; `exactValue(of:)` is the number of the double's bits. Infinities and NaN stay
  /// such; whole numbers below 2^53 get exponent 0.
  public init(_ double: Double) {
    // -0 takes the slow path, because integers have no negative zero.
    if double.magnitude < 0x1p53, double == double.rounded(.towardZero), double != 0 {
      self.init(Int64(double))
    } else {
      self = Decimal128.shortest(double.description)
    }
  }

  /// Makes the number with the shortest digits that read back as `float`: 1.1 becomes 1.1, not
  /// 1.10000002384185791015625.
  ///
  ///     let tenth = Decimal128(Float(0.1))          // 0.1
  public init(_ float: Float) { self = Decimal128.shortest(float.description) }

  /// The number of a floating-point description. The standard library's description is the shortest string that reads
  /// back as the same value. It appends ".0" to distinguish it from an integer; that zero is not a digit of the number.
  private static func shortest(_ description: String) -> Decimal128 {
    parse(description.hasSuffix(".0") ? String(description.dropLast(2)) : description) ?? .nan
  }

  /// The double nearest to the number (half to even), infinite beyond the greatest.
  ///
  ///     let price = Decimal128("19.99").doubleValue
  public var doubleValue: Double {
    guard isFinite else { return isNaN ? .nan : sign == .minus ? -.infinity : .infinity }
    let parts = parts
    // Both factors are exact, so the one operation rounds correctly (Clinger 1990, the fast case).
    if parts.coefficient < 1 << 53, parts.exponent.magnitude <= 22 {
      let coefficient = Double(UInt64(truncatingIfNeeded: parts.coefficient))
      let power = Decimal128.doublePowers[Int(parts.exponent.magnitude)]
      let magnitude = parts.exponent < 0 ? coefficient / power : coefficient * power
      return parts.isNegative ? -magnitude : magnitude
    }
    return Double(stringValue) ?? .nan
  }

  /// The powers of ten that doubles represent exactly.
  private static let doublePowers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// The exact value of `double`, from all its up to 767 digits, correctly rounded to 34.
  ///
  ///     print(Decimal128.exactValue(of: 0.1))          // 0.1000000000000000055511151231257827
  ///
  /// `exactValue(of: 0.1)` is 0.1000000000000000055511151231257827. It is used to compare numbers of different types by
  /// value. Whole numbers get exponent 0 where possible, others the greatest exponent that represents them.
  public static func exactValue(of double: Double) -> Decimal128 {
    guard double.isFinite, double != 0 else { return Decimal128(double) }
    let negative = double < 0
    // double = significand × 2^exponent, with an odd significand.
    let bits = double.significandBitPattern | (double.isNormal ? 1 << 52 : 0)
    let zeros = bits.trailingZeroBitCount
    let significand = bits >> UInt64(zeros)
    let exponent = Int(Swift.max(double.exponentBitPattern, 1)) - 1075 + zeros
    if exponent >= 0, exponent <= 60 {
      return rounded(negative: negative, coefficient: UInt128(significand) << UInt128(exponent), exponent: 0)
    }
    // s / 2^n is s × 5^n / 10^n: the decimal digits are those of an integer in both cases.
    var integer = DecimalInteger(significand)
    if exponent > 0 {
      integer.multiply(by: 2, times: exponent)
    } else {
      integer.multiply(by: 5, times: -exponent)
    }
    return integer.digits.number(negative: negative, exponent: Int64(Swift.min(exponent, 0)))
  }
}

/// A natural number of any length in words of 18 decimal digits, lowest first. It supports multiplication and reading
/// its digits.
private struct DecimalInteger {
  private static let base: UInt64 = 1_000_000_000_000_000_000
  private var words: [UInt64]

  init(_ value: UInt64) {
    words = [value % DecimalInteger.base]
    if value >= DecimalInteger.base { words.append(value / DecimalInteger.base) }
  }

  /// Multiplies by factor^times, with as many factors at once as fit in a word.
  mutating func multiply(by factor: UInt64, times: Int) {
    var left = times
    while left > 0 {
      var power: UInt64 = 1
      while left > 0, power < DecimalInteger.base / factor {
        power *= factor
        left -= 1
      }
      var carry: UInt64 = 0
      for index in words.indices {
        // base × base plus a carry stays below base × 2^64, so the quotient fits in a word.
        let product = words[index].multipliedFullWidth(by: power)
        let (low, overflow) = product.low.addingReportingOverflow(carry)
        (carry, words[index]) = DecimalInteger.base.dividingFullWidth((product.high + (overflow ? 1 : 0), low))
      }
      if carry > 0 { words.append(carry) }
    }
  }

  /// The digits, most significant first.
  var digits: DecimalDigits {
    var digits = DecimalDigits()
    for word in words.reversed() {
      var unit = DecimalInteger.base / 10
      while unit > 0 {
        digits.append(UInt8(truncatingIfNeeded: word / unit % 10))
        unit /= 10
      }
    }
    return digits
  }
}
