#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// A `Date` is one `Double`: seconds since 2001. Converting by way of seconds since 1970 would round once more and lose
// bits. So both directions work relative to 2001 and shift the whole seconds as integers.
//
// These dates survive a round trip bit for bit (proved in README.md, "Dates"):
// 1. each date at least 2^23 seconds (97 days) from 2001, where doubles lie further apart than nanoseconds;
// 2. each date that is the double nearest to some whole number of nanoseconds.

extension Timestamp {
  /// Seconds from 1970 to 2001, the origin of `Date`.
  @usableFromInline static let secondsTo2001: Int64 = 978_307_200

  /// The moment of `date`, to the nearest nanosecond (ties to even). Dates out of range, including the infinities,
  /// become `min` or `max`.
  ///
  /// - Parameter date: Any date. NaN gives nil.
  @inlinable
  public init?(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.magnitude < 0x1p62 else {
      self.init(extremeInterval: interval)
      return
    }
    // Both parts are exact: the bits of the fraction are a part of the interval's bits.
    let whole = interval.rounded(.towardZero)
    let fraction = interval - whole
    self.init(seconds: Int64(whole) + Timestamp.secondsTo2001, nanoseconds: Timestamp.nearestNanoseconds(fraction))
  }

  /// The moment of an interval beyond 2^62, which has no fraction. It is exact in 128 bits, after it is clamped to
  /// ±2^64.
  @usableFromInline
  init?(extremeInterval interval: Double) {
    guard !interval.isNaN else { return nil }
    let bounded = Swift.min(Swift.max(interval, -0x1p64), 0x1p64)
    let seconds = Int128(bounded) + Int128(Timestamp.secondsTo2001)
    if let fitting = Int64(exactly: seconds) {
      self.init(seconds: fitting)
    } else {
      self = seconds < 0 ? .min : .max
    }
  }

  /// `fraction` (exact, between -1 and 1) in nanoseconds, to nearest, ties to even.
  ///
  /// The product is rounded, and rounding is monotonic. Half-integers below 2^30 are doubles, so the rounded product
  /// lies on the same side of each as the exact one, unless it *is* one. Only in that case does the exact product
  /// decide.
  @inlinable
  static func nearestNanoseconds(_ fraction: Double) -> Int64 {
    let product = fraction * 1e9
    let nearest = product.rounded(.toNearestOrEven)
    guard (product - nearest).magnitude == 0.5 else { return Int64(nearest) }
    let error = (-product).addingProduct(fraction, 1e9)
    if error > 0 { return Int64(product.rounded(.up)) }
    if error < 0 { return Int64(product.rounded(.down)) }
    return Int64(nearest)
  }

  /// The date nearest to this moment (correctly rounded, ties to even).
  @inlinable
  public var date: Date {
    guard seconds.magnitude < 1 << 52 else { return Date(timeIntervalSinceReferenceDate: exactInterval) }
    // Whole part and fraction get one sign, so that nothing cancels.
    var whole = seconds - Timestamp.secondsTo2001
    var rest = Int64(nanoseconds)
    if whole < 0, rest > 0 {
      whole += 1
      rest -= 1_000_000_000
    }
    let base = Double(whole)
    let fraction = Double(rest) / 1e9
    let sum = base + fraction
    // The fraction was rounded before the sum was. That can matter only if the sum fell on the middle between two
    // doubles (a quarter of an ulp if the sum is a power of two, because doubles below it lie closer).
    let error = (fraction - (sum - base)).magnitude
    if error > 0, error == sum.ulp / 2 || error == sum.ulp / 4 {
      return Date(timeIntervalSinceReferenceDate: exactInterval)
    }
    return Date(timeIntervalSinceReferenceDate: sum)
  }

  /// Seconds since 2001, correctly rounded by integer division: N / 10^9 to 64 bits and a sticky bit, then to 53 bits.
  @usableFromInline
  var exactInterval: Double {
    let total = (Int128(seconds) - Int128(Timestamp.secondsTo2001)) * 1_000_000_000 + Int128(nanoseconds)
    if total == 0 { return 0 }
    let shift = total.magnitude.leadingZeroBitCount
    let (quotient, remainder) = (total.magnitude << UInt128(shift)).quotientAndRemainder(dividingBy: 1_000_000_000)
    let surplus = 64 - quotient.leadingZeroBitCount
    let top = UInt64(truncatingIfNeeded: quotient >> UInt128(surplus))
    let lost = remainder != 0 || quotient.trailingZeroBitCount < surplus
    let magnitude = Double(sign: .plus, exponent: surplus - shift, significand: Double(top | (lost ? 1 : 0)))
    return total < 0 ? -magnitude : magnitude
  }
}
