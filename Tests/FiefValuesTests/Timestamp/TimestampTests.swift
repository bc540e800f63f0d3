import FiefValues
import Foundation
import Testing

@Suite struct TimestampTests {
  @Test func itTakesTwelveBytes() {
    #expect(MemoryLayout<Timestamp>.size == 12)
    #expect(MemoryLayout<Timestamp>.stride == 16)
  }

  /// The given seconds and nanoseconds, and the normalised ones.
  private static let normalised: [(Int64, Int64, Int64, Int64)] = [
    (0, 0, 0, 0), (0, 999_999_999, 0, 999_999_999), (0, 1_000_000_000, 1, 0), (0, -1, -1, 999_999_999),
    (5, -5_000_000_000, 0, 0), (5, -5_000_000_001, -1, 999_999_999), (-1, 1_500_000_000, 0, 500_000_000),
    (0, Int64.max, 9_223_372_036, 854_775_807), (0, Int64.min, -9_223_372_037, 145_224_192),
    (Int64.max, 1_000_000_000, Int64.max, 999_999_999), (Int64.max, Int64.max, Int64.max, 999_999_999),
    (Int64.max, -1, Int64.max - 1, 999_999_999), (Int64.min, -1, Int64.min, 0), (Int64.min, Int64.min, Int64.min, 0),
    (Int64.min, 1_000_000_001, Int64.min + 1, 1),
  ]

  @Test(arguments: normalised)
  func anyNanosecondsAreNormalised(seconds: Int64, nanoseconds: Int64, toSeconds: Int64, toNanoseconds: Int64) {
    let moment = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    #expect(moment.seconds == toSeconds)
    #expect(Int64(moment.nanoseconds) == toNanoseconds)
  }

  @Test func orderIsThatOfTimeAlsoBefore1970() {
    let inOrder = [
      Timestamp.min, Timestamp(seconds: .min, nanoseconds: 1), Timestamp(seconds: -2, nanoseconds: 999_999_999),
      Timestamp(seconds: -1), Timestamp(seconds: -1, nanoseconds: 1), Timestamp(seconds: 0),
      Timestamp(seconds: 0, nanoseconds: 1), Timestamp(seconds: 1), Timestamp.max,
    ]
    for (i, a) in inOrder.enumerated() {
      for (j, b) in inOrder.enumerated() {
        #expect((a < b) == (i < j))
        #expect((a == b) == (i == j))
        #expect(a != b || a.hashValue == b.hashValue)
      }
    }
  }
}
