import FiefTestSupport
import Testing

@Suite struct ChoicesTests {
  @Test func everyElementIsChosen() {
    var seen: Set<Character> = []
    Exhaustive.walk { choices in seen.insert(choices.element(of: "abc")) }
    #expect(seen == ["a", "b", "c"])
  }

  @Test func aWeightSaysHowOften() {
    var counts: [String: Int] = [:]
    let rounds = Exhaustive.walk { choices in
      counts[choices.weighted([("often", 3), ("never", 0), ("once", 1)]), default: 0] += 1
    }
    #expect(counts == ["often": 3, "once": 1])
    #expect(rounds == 4)
  }

  @Test func aRangeIsCoveredFromEndToEnd() {
    var seen: [Int] = []
    Exhaustive.walk { choices in seen.append(choices.int(in: -2...1)) }
    #expect(seen == [-2, -1, 0, 1])
  }

  @Test func shufflingReachesEveryOrderOnce() {
    var orders: [[Int]] = []
    Exhaustive.walk { choices in orders.append(choices.shuffled(0..<4)) }
    #expect(orders.count == 24)
    #expect(Set(orders).count == 24)
  }

  @Test func anEmptyCollectionHasNoElementToChoose() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      _ = random.element(of: [Int]())
    }
    expectSentence("There is no element to choose in an empty collection", of: result)
  }

  @Test func aRangeOfAllIntegersIsTooWide() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      _ = random.int(in: Int.min...Int.max)
    }
    expectSentence("has more outcomes than below(_:) can tell", of: result)
  }
}
