import FiefTestSupport
import Foundation
import Testing

/// Checks that the generators produce the edge cases that they document.
@Suite struct SeededRandomValuesTests {
  private func sample<Value>(_ count: Int = 5000, _ draw: (inout SeededRandom) -> Value) -> [Value] {
    var random = SeededRandom(seed: 11)
    return (0..<count).map { _ in draw(&random) }
  }

  @Test func everyEdgeOfTheIntegersOccurs() {
    let seen = Set(sample { $0.int64() })
    for edge in SeededRandom.integerEdges { #expect(seen.contains(edge)) }
    for edge: Int64 in [0, 1, -1, 127, -128, 128, -129, 255, 256, 32_767, -32_768, 65_536, 2_147_483_647, .max, .min] {
      #expect(seen.contains(edge))
    }
  }

  @Test func integersOfEveryWidthOccur() {
    let widths = Set(sample { $0.int64() }.map { 64 - ($0 < 0 ? ~$0 : $0).leadingZeroBitCount })
    #expect(widths == Set(0...63))
  }

  @Test func everyEdgeOfTheDoublesOccurs() {
    let seen = Set(sample { $0.double().bitPattern })
    for edge in SeededRandom.doubleEdges { #expect(seen.contains(edge.bitPattern)) }
    #expect(SeededRandom.doubleEdges.contains { $0.isSubnormal })
    #expect(SeededRandom.doubleEdges.contains { $0.isNaN })
    #expect(SeededRandom.doubleEdges.contains { $0 == 0 && $0.sign == .minus })
  }

  @Test func stringsAreEmptyShortLongAndOnBothSidesOfTheSmallForm() {
    let lengths = Set(sample { $0.string() }.map(\.utf8.count))
    for length in [0, 1, 14, 15, 16, 17] { #expect(lengths.contains(length)) }
    #expect(lengths.contains { $0 > 1000 })
  }

  @Test func stringsThatAreEqualButOfOtherBytesOccur() {
    let seen = sample { $0.string() }
    let composed = seen.contains { Array($0.utf8) == Array("caf\u{E9}".utf8) }
    let decomposed = seen.contains { Array($0.utf8) == Array("cafe\u{301}".utf8) }
    #expect(composed && decomposed)
    #expect(seen.contains { $0.unicodeScalars.contains("\u{0}") })
    #expect(seen.contains { $0.unicodeScalars.contains { $0.value > 0xFFFF } })
  }

  @Test func dataIsOfManySizesAndItsIndicesNeedNotBeginAtZero() {
    let seen = sample { $0.data() }
    #expect(seen.contains { $0.isEmpty })
    #expect(seen.contains { $0.count > 1000 })
    #expect(seen.contains { $0.startIndex != 0 && !$0.isEmpty })
    #expect(seen.contains { $0.startIndex == 0 && !$0.isEmpty })
  }

  @Test func datesHaveEdgesAndFractions() {
    let seen = sample { $0.date() }
    for edge in SeededRandom.dateEdges { #expect(seen.contains(edge)) }
    #expect(seen.contains { $0.timeIntervalSince1970 < 0 })
    #expect(seen.contains { $0.timeIntervalSince1970 != $0.timeIntervalSince1970.rounded() })
  }

  @Test func dateComponentsNameDaysThatExist() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let seen = sample(500) { $0.dateComponents() }
    for var parts in seen where parts.year ?? 0 > 1582 {
      // A date is a floating-point number: the last nanosecond of a day in 1600 would round to the next day.
      parts.nanosecond = 0
      let date = try #require(calendar.date(from: parts))
      let back = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      #expect([back.year, back.month, back.day] == [parts.year, parts.month, parts.day])
      #expect([back.hour, back.minute, back.second] == [parts.hour, parts.minute, parts.second])
    }
    #expect(seen.contains { $0.month == 2 && $0.day == 29 })
  }

  @Test func randomTextKeepsToItsAlphabetAndLength() {
    var random = SeededRandom(seed: 12)
    let text = random.text(count: 300, of: "xyz")
    #expect(text.count == 300)
    #expect(Set(text) == ["x", "y", "z"])
    #expect(random.scalars(count: 40).unicodeScalars.count == 40)
    #expect(Set(random.bytes(count: 10_000)).count == 256)
  }
}
