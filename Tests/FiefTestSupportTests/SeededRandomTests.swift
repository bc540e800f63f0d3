import FiefTestSupport
import Testing

@Suite struct SeededRandomTests {
  /// The first outputs for seed 1234567 are a test vector that implementations of SplitMix64 publish.
  @Test func itIsSplitMix64() {
    var random = SeededRandom(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect(random.next() == 9_817_491_932_198_370_423)
    #expect(random.next() == 4_593_380_528_125_082_431)
    #expect(random.next() == 16_408_922_859_458_223_821)
  }

  @Test func equalSeedsGiveEqualHistoriesOfEverything() {
    func history(_ seed: UInt64) -> String {
      var random = SeededRandom(seed: seed)
      var lines: [String] = []
      for _ in 0..<50 {
        lines.append("\(random.int()) \(random.double()) \(random.string()) \(random.date().timeIntervalSince1970)")
        lines.append("\(Array(random.data())) \(random.dateComponents()) \(random.shuffled(0..<9)) \(random.unit())")
      }
      return lines.joined(separator: "\n")
    }
    #expect(history(7) == history(7))
    #expect(history(7) != history(8))
  }

  @Test func everyOutcomeBelowABoundOccursAboutEquallyOften() {
    var random = SeededRandom(seed: 3)
    withEvery("bound", in: [1, 2, 3, 7, 10]) { bound in
      var counts = Array(repeating: 0, count: bound)
      for _ in 0..<(1000 * bound) { counts[random.below(bound)] += 1 }
      for count in counts { #expect((800...1200).contains(count)) }
    }
  }

  @Test func aHugeBoundIsNotExceeded() {
    var random = SeededRandom(seed: 4)
    let bound = Int.max / 3 * 2
    for _ in 0..<1000 { #expect((0..<bound).contains(random.below(bound))) }
  }

  @Test func certaintyAndImpossibilityAreKept() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<1000 {
      let (always, never, unit) = (random.bool(1), random.bool(0), random.unit())
      #expect(always && !never)
      #expect((0..<1).contains(unit))
    }
  }

  @Test func aPartOfATestCanHaveItsOwnNumbers() {
    var random = SeededRandom(seed: 6)
    var part = random.split()
    #expect(part.next() != random.next())
  }

  @Test func noNumberIsBelowZero() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      _ = random.below(0)
    }
    expectSentence("A random number below 0 does not exist", of: result)
  }
}
