import FiefValues
import Foundation
import Testing

@Suite struct ObjectIdSourceTests {
  @Test func generatedOnesIncreaseAndCarryTheTime() {
    let before = Date().timeIntervalSince1970.rounded(.down)
    let ids = (0..<10_000).map { _ in ObjectId.generate() }
    let after = Date().timeIntervalSince1970
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    // A wrap of the count may have put the timestamps one second ahead.
    #expect(ids.allSatisfy { (before...(after + 1)).contains($0.timestamp.timeIntervalSince1970) })
    #expect(Set(ids.map { Array($0.bytes[4..<9]) }).count == 1)
  }

  @Test func theCountGoesOnFromSecondToSecond() {
    let source = ObjectIdSource(process: 7, count: 41)
    #expect(source.next(second: 100) == (100, 42))
    #expect(source.next(second: 100) == (100, 43))
    #expect(source.next(second: 105) == (105, 44))
  }

  @Test func aWrapWithinASecondCarriesIntoTheSecond() {
    let source = ObjectIdSource(process: 7, count: 0xFF_FFFD)
    #expect(source.next(second: 100) == (100, 0xFF_FFFE))
    #expect(source.next(second: 100) == (100, 0xFF_FFFF))
    #expect(source.next(second: 100) == (101, 0))
    #expect(source.next(second: 100) == (101, 1))
    #expect(source.next(second: 101) == (101, 2))
    #expect(source.next(second: 102) == (102, 3))
  }

  @Test func aWrapBetweenSecondsNeedsNoCarry() {
    let source = ObjectIdSource(process: 7, count: 0xFF_FFFE)
    #expect(source.next(second: 100) == (100, 0xFF_FFFF))
    #expect(source.next(second: 101) == (101, 0))
    #expect(source.next(second: 102) == (102, 1))
  }

  @Test func aClockSetBackChangesNeitherOrderNorUniqueness() {
    let source = ObjectIdSource(process: 7, count: 9)
    #expect(source.next(second: 100) == (100, 10))
    #expect(source.next(second: 50) == (100, 11))
    #expect(source.next(second: 0) == (100, 12))
    #expect(source.next(second: 101) == (101, 13))
  }

  @Test func moreThanAllCountsOfASecondAreStillDifferent() {
    // 2^24 + 1000 in one second of the clock: strictly ascending identifiers prove that none repeats.
    let source = ObjectIdSource(process: 7, count: 12_345)
    var last: UInt64 = 0
    var increasing = true
    for _ in 0..<(1 << 24) + 1000 {
      let (second, count) = source.next(second: 100)
      let number = second << 24 | UInt64(count)
      increasing = increasing && number > last
      last = number
    }
    #expect(increasing)
    #expect(last >> 24 == 101)
  }

  @Test func sourcesStartAtRandom() {
    let sources = (0..<8).map { _ in ObjectIdSource() }
    #expect(Set(sources.map(\.process)).count == 8)
    #expect(sources.allSatisfy { $0.process < 1 << 40 })
    // Eight equal first counts have a probability of 2^-168.
    #expect(Set(sources.map { $0.next(second: 1).count }).count > 1)
  }

  @Test func threadsNeverGetTheSameOne() async {
    let all = await withTaskGroup(of: [ObjectId].self) { group in
      for _ in 0..<8 { group.addTask { (0..<5_000).map { _ in ObjectId.generate() } } }
      var all: [ObjectId] = []
      for await ids in group {
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        all += ids
      }
      return all
    }
    #expect(Set(all).count == 40_000)
  }
}
