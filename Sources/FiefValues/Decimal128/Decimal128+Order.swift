extension Decimal128: Comparable {
  /// Whether both are the same number, independent of their exponents: 1.0 == 1.00, -0 == 0, and NaN == NaN.
  ///
  ///     print(Decimal128("1.0") == "1.00", Decimal128.nan == .nan)          // true true
  @inlinable
  public static func == (left: Decimal128, right: Decimal128) -> Bool {
    if left.isIdentical(to: right) { return true }
    // Two canonical numbers of one sign and exponent differ if their bits differ.
    if (left.high ^ right.high) >> 49 == 0, left.isPlain, right.isPlain { return false }
    return compare(left, right) == 0
  }

  /// Whether `left` is less. NaN is less than every number, -infinity included.
  ///
  ///     print(Decimal128.nan < Decimal128.min)          // true
  @inlinable
  public static func < (left: Decimal128, right: Decimal128) -> Bool {
    if (left.high ^ right.high) >> 49 == 0, left.isPlain, right.isPlain {
      // Sign and exponent have equal bits, so the words compare as the coefficients do.
      let (less, greater) = left.high >> 63 == 0 ? (left, right) : (right, left)
      return less.high == greater.high ? less.low < greater.low : less.high < greater.high
    }
    return compare(left, right) < 0
  }

  // The default implementations of these three would negate `<`, at the cost of one more step.

  /// Whether `left` is greater. Every number is greater than NaN.
  @inlinable public static func > (left: Decimal128, right: Decimal128) -> Bool { right < left }

  /// Whether `left` is less or equal.
  @inlinable public static func <= (left: Decimal128, right: Decimal128) -> Bool { !(right < left) }

  /// Whether `left` is greater or equal.
  @inlinable public static func >= (left: Decimal128, right: Decimal128) -> Bool { !(left < right) }

  /// Negative, zero or positive as `left` is less than, equal to or greater than `right`.
  @usableFromInline
  static func compare(_ left: Decimal128, _ right: Decimal128) -> Int {
    guard left.isFinite, right.isFinite else { return left.rank - right.rank }
    let (left, right) = (left.parts, right.parts)
    if left.coefficient == 0 || right.coefficient == 0 { return left.signum - right.signum }
    if left.isNegative != right.isNegative { return left.isNegative ? -1 : 1 }
    let magnitudes = compareMagnitudes(left, right)
    return left.isNegative ? -magnitudes : magnitudes
  }

  /// The rank of NaN, -infinity, finite numbers and infinity: -2, -1, 0, 1.
  private var rank: Int { isNaN ? -2 : isFinite ? 0 : high >> 63 == 0 ? 1 : -1 }

  /// Compares two finite numbers other than zero without their signs.
  private static func compareMagnitudes(_ left: DecimalParts, _ right: DecimalParts) -> Int {
    var (a, b) = (left.coefficient, right.coefficient)
    let gap = left.exponent - right.exponent
    if gap != 0 {
      let order = gap + PowersOfTen.digits(a) - PowersOfTen.digits(b)
      if order != 0 { return order }
      // Both have the same order of magnitude: with as many zeros as the gap, the shorter one is as long as the longer.
      if gap > 0 { a &*= PowersOfTen[gap] } else { b &*= PowersOfTen[-gap] }
    }
    return a < b ? -1 : a > b ? 1 : 0
  }
}

extension DecimalParts {
  /// -1, 0 or 1 as the number is negative, zero or positive.
  fileprivate var signum: Int { coefficient == 0 ? 0 : isNegative ? -1 : 1 }
}

extension Decimal128: Hashable {
  /// Hashes consistently with `==`: the number without the trailing zeros of the coefficient, one zero, and one NaN.
  public func hash(into hasher: inout Hasher) {
    guard isFinite else {
      hasher.combine(UInt8(truncatingIfNeeded: rank))
      return
    }
    let parts = parts
    let (coefficient, removed) = PowersOfTen.strip(parts.coefficient, limit: Decimal128.precision)
    if coefficient == 0 {
      hasher.combine(0)
      return
    }
    hasher.combine(UInt64(truncatingIfNeeded: coefficient))
    hasher.combine(UInt64(truncatingIfNeeded: coefficient >> 64))
    hasher.combine((parts.exponent + removed) << 1 | (parts.isNegative ? 1 : 0))
  }
}
