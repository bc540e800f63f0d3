#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SeededRandom {
  /// The instants at which date code breaks: both epochs and a moment before each, the end of 32-bit time, leap days,
  /// the ends of what calendars name.
  public static let dateEdges: [Date] = [
    Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: -0.001),
    Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.5),
    Date(timeIntervalSince1970: 2_147_483_647), Date(timeIntervalSince1970: 2_147_483_648),
    Date(timeIntervalSince1970: -2_147_483_649), Date(timeIntervalSince1970: 951_782_400),
    Date(timeIntervalSince1970: 1_709_164_800), Date.distantPast, Date.distantFuture,
  ]

  /// A date that is worth trying: an edge, or any second of some centuries around today, with a fraction or without.
  public mutating func date() -> Date {
    if below(4) == 0 { return element(of: Self.dateEdges) }
    let seconds = Double(int(in: -10_000_000_000...10_000_000_000))
    return Date(timeIntervalSince1970: bool() ? seconds : seconds + unit())
  }

  /// The parts of a moment of the proleptic Gregorian calendar, as text has them: always a day that exists, often the
  /// first or the last of its month or year, with nanoseconds half the time.
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
