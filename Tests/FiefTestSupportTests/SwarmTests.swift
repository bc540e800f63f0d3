import FiefTestSupport
import Testing

@Suite struct SwarmTests {
  private static let operations = [("insert", 8), ("remove", 4), ("clear", 1)]

  @Test func overManySeedsEverySubsetButTheEmptyOneOccurs() {
    var seen: Set<[String]> = []
    for seed in 0..<500 {
      var random = SeededRandom(seed: UInt64(seed))
      seen.insert(Swarm(Self.operations, using: &random).weights.map(\.value))
    }
    #expect(seen.count == 7)
    #expect(!seen.contains([]))
  }

  @Test func anOperationThatIsOffNeverHappensAndOneThatIsOnDoes() {
    Seeds.run { _, random in
      let swarm = Swarm(Self.operations, using: &random)
      var seen: Set<String> = []
      for _ in 0..<5000 { seen.insert(swarm.next(using: &random)) }
      #expect(seen == Set(swarm.weights.map(\.value)))
    }
  }

  @Test func weightsStayWithinTheirBounds() {
    Seeds.run(count: 200) { _, random in
      for (value, weight) in Swarm(Self.operations, using: &random).weights {
        let usual = Self.operations.first { $0.0 == value }?.1 ?? 0
        #expect((max(1, usual / 4)...(usual * 4)).contains(weight))
      }
    }
  }

  @Test func aSwarmOfNothingTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      _ = Swarm([(Int, Int)](), using: &random)
    }
    expectSentence("A swarm needs an operation", of: result)
  }
}
