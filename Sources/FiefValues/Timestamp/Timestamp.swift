/// A moment: whole seconds since 1970-01-01T00:00:00Z and the nanoseconds after them.
///
///     ┌──────────────────┬──────────────────────┐
///     │ seconds: Int64   │ nanoseconds: Int32   │   12 bytes, stride 16
///     └──────────────────┴──────────────────────┘
///          floor of t        0 ..< 1_000_000_000
///
/// The nanoseconds always count forwards, also before 1970: half a second before 1970 is (-1, 500_000_000). So each
/// moment has one form, and order and equality are those of the pair. All of `Int64` is in range, and leap seconds do
/// not exist (as in POSIX). Nothing here traps: a value out of range becomes the nearest end of the range.
@frozen
public struct Timestamp: Sendable, Hashable {
  /// Whole seconds since 1970, rounded down.
  public let seconds: Int64
  /// Nanoseconds after `seconds`, in `0 ..< 1_000_000_000`; -1 in `notAMoment`.
  public let nanoseconds: Int32

  @inlinable
  init(uncheckedSeconds seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment `seconds` and `nanoseconds` after 1970.
  ///
  /// - Parameters:
  ///   - seconds: Any number of seconds.
  ///   - nanoseconds: Any number of nanoseconds, also negative or above a second; the excess is carried into the
  ///     seconds. A sum outside the range becomes `min` or `max`.
  @inlinable
  public init(seconds: Int64, nanoseconds: Int64 = 0) {
    if UInt64(bitPattern: nanoseconds) < 1_000_000_000 {
      self.init(uncheckedSeconds: seconds, nanoseconds: Int32(truncatingIfNeeded: nanoseconds))
      return
    }
    var (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 {
      carry -= 1
      rest += 1_000_000_000
    }
    let (sum, overflow) = seconds.addingReportingOverflow(carry)
    if overflow {
      self = carry < 0 ? .min : .max
    } else {
      self.init(uncheckedSeconds: sum, nanoseconds: Int32(truncatingIfNeeded: rest))
    }
  }

  /// The earliest moment, some 292 thousand million years ago.
  @inlinable public static var min: Timestamp { Timestamp(uncheckedSeconds: .min, nanoseconds: 0) }

  /// The last moment, some 292 thousand million years ahead.
  @inlinable public static var max: Timestamp { Timestamp(uncheckedSeconds: .max, nanoseconds: 999_999_999) }
}

extension Timestamp {
  /// A placeholder for a date that is not a number. It is not a moment and comes before all moments. Stores refuse it.
  @inlinable public static var notAMoment: Timestamp { Timestamp(uncheckedSeconds: .min, nanoseconds: -1) }

  /// Whether this is a moment: true for all values except `notAMoment`.
  @inlinable public var isMoment: Bool { nanoseconds >= 0 }
}

extension Timestamp: Comparable {
  /// Whether `left` is the earlier moment.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
  }
}
