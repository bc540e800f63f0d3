import FiefValues
import Foundation
import Testing

@Suite struct TimestampTextTests {
  private static let known: [(Int64, Int64, String)] = [
    (0, 0, "1970-01-01T00:00:00Z"), (0, 1, "1970-01-01T00:00:00.000000001Z"),
    (-1, 500_000_000, "1969-12-31T23:59:59.5Z"), (951_782_400, 0, "2000-02-29T00:00:00Z"),
    (978_307_200, 0, "2001-01-01T00:00:00Z"), (1_709_210_096, 789_000_000, "2024-02-29T12:34:56.789Z"),
    (-2_208_988_800, 0, "1900-01-01T00:00:00Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    (-62_167_219_200, 0, "0000-01-01T00:00:00Z"), (-62_167_219_201, 0, "-0001-12-31T23:59:59Z"),
    (253_402_300_799, 0, "9999-12-31T23:59:59Z"), (253_402_300_800, 0, "+10000-01-01T00:00:00Z"),
    (Int64.max, 999_999_999, "+292277026596-12-04T15:30:07.999999999Z"),
    (Int64.min, 0, "-292277022657-01-27T08:29:52Z"),
  ]

  @Test(arguments: known)
  func aMomentIsWrittenAndReadBack(seconds: Int64, nanoseconds: Int64, text: String) {
    let moment = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    #expect(moment.description == text)
    #expect(Timestamp(text) == moment)
  }

  @Test func everyMomentComesBackFromItsText() {
    var random = SplitMix64(seed: runSeed)
    for _ in 0..<5_000 {
      let seconds = Int64(bitPattern: random.next()) >> Int64.random(in: 0...62, using: &random)
      let moment = Timestamp(seconds: seconds, nanoseconds: .random(in: 0..<1_000_000_000, using: &random))
      #expect(Timestamp(moment.description) == moment, "\(moment), seed \(runSeed)")
    }
  }

  @Test func everyDayOfEightCenturiesFollowsTheDayBefore() throws {
    var days = 0
    var (year, month, day) = (1600, 1, 1)
    let start = try #require(Timestamp("1600-01-01T00:00:00Z")).seconds
    while year < 2400 {
      let text = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, day)
      #expect(Timestamp(seconds: start + Int64(days) * 86_400).description == text)
      let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let last = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      (day, days) = (day + 1, days + 1)
      if day > last { (day, month) = (1, month + 1) }
      if month > 12 { (month, year) = (1, year + 1) }
    }
    #expect(days == 2 * 146_097)
  }

  @Test func offsetsAreSubtracted() {
    let noon = Timestamp("2024-02-29T12:00:00Z")
    #expect(noon != nil)
    #expect(Timestamp("2024-02-29T17:30:00+05:30") == noon)
    #expect(Timestamp("2024-02-28T23:00:00.0-13:00") == noon)
    #expect(Timestamp("2024-02-29T12:00:00.000000000-00:00") == noon)
  }

  @Test(arguments: [
    "", "2024", "2024-02-29", "2024-02-29T12:34:56", "2024-02-29 12:34:56Z", "2024-02-29T12:34:56z",
    "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-13-01T00:00:00Z",
    "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
    "2016-12-31T23:59:60Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567890Z", "24-01-01T00:00:00Z",
    "20240-01-01T00:00:00Z", "2024-01-01T00:00:00Zx", "2024-01-01T00:00:00+5:30", "2024-01-01T00:00:00+05:60",
    "+292277026596-12-04T15:30:08Z", "-292277022657-01-27T08:29:51Z", "+1000000000000-01-01T00:00:00Z",
    "+999999999999-01-01T00:00:00Z", "２０２４-01-01T00:00:00Z", "+-2024-01-01T00:00:00Z",
  ])
  func anythingElseIsRefused(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func itIsCodedAsItsText() throws {
    let moment = Timestamp(seconds: -1, nanoseconds: 1)
    let data = try JSONEncoder().encode([moment])
    #expect(String(decoding: data, as: UTF8.self) == "[\"1969-12-31T23:59:59.000000001Z\"]")
    #expect(try JSONDecoder().decode([Timestamp].self, from: data) == [moment])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Timestamp].self, from: Data("[\"soon\"]".utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Timestamp].self, from: Data("[5]".utf8)) }
  }
}
