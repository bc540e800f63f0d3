#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SeededRandom {
  /// Instants at which date code breaks: both epochs and an instant before each, the limits of 32-bit time, leap days,
  /// and the limits of calendars.
  public static let dateEdges: [Date] = [
    Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: -0.001),
    Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.5),
    Date(timeIntervalSince1970: 2_147_483_647), Date(timeIntervalSince1970: 2_147_483_648),
    Date(timeIntervalSince1970: -2_147_483_649), Date(timeIntervalSince1970: 951_782_400),
    Date(timeIntervalSince1970: 1_709_164_800), Date.distantPast, Date.distantFuture,
  ]

  /// A date with edge cases: an edge, or any second of some centuries around today, with or without a fraction.
  public mutating func date() -> Date {
    if below(4) == 0 { return element(of: Self.dateEdges) }
    let seconds = Double(int(in: -10_000_000_000...10_000_000_000))
    return Date(timeIntervalSince1970: bool() ? seconds : seconds + unit())
  }

  /// The components of an instant in the proleptic Gregorian calendar, as in a date string. The day always exists and
  /// is often the first or the last of its month or year. Half of the time there are nanoseconds.
  public mutating func dateComponents() -> DateComponents {
    let year =
      bool() ? element(of: [1, 1583, 1600, 1900, 1970, 1999, 2000, 2001, 2024, 2038, 2100, 9999]) : below(9999) + 1
    let month = below(12) + 1
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return DateComponents(
      year: year, month: month, day: element(of: [1, length, below(length) + 1]),
      hour: element(of: [0, 23, below(24)]), minute: element(of: [0, 59, below(60)]),
      second: element(of: [0, 59, below(60)]),
      nanosecond: bool() ? 0 : element(of: [1, 999_999_999, 500_000_000, below(1_000_000_000)]))
  }
}
