import FiefTestSupport
import Testing

@Suite struct SeedsTests {
  @Test func ordinaryRunsCountFromOne() {
    #expect(Seeds.seeds(count: 3, environment: [:]).map(\.value) == [1, 2, 3])
    #expect(Seeds.seeds(count: 0, environment: [:]).isEmpty)
  }

  @Test func oneVariableReplaysOneSeed() {
    let environment = ["FIEF_SEED": "18446744073709551615", "FIEF_SEEDS": "100"]
    #expect(Seeds.seeds(count: 3, environment: environment).map(\.value) == [.max])
  }

  @Test func nightRunsTakeMoreAndOtherSeeds() {
    #expect(Seeds.seeds(count: 3, environment: ["FIEF_SEEDS": "100"]).count == 100)
    let other = Seeds.seeds(count: 2, environment: ["FIEF_SEED_BASE": "18446744073709551615"])
    #expect(other.map(\.value) == [.max, 0])
  }

  @Test func aSeedThatIsNoNumberIsNotIgnored() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Seeds.seeds(count: 3, environment: ["FIEF_SEED": "seven"])
    }
    expectSentence("FIEF_SEED must be a number, not \"seven\"", of: result)
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Seeds.seeds(count: 3, environment: ["FIEF_SEEDS": "-1"])
    }
    expectSentence("FIEF_SEEDS must be a number, not \"-1\"", of: negative)
  }

  @Test(arguments: Seeds.all) func aSeedPrintsTheCommandThatReplaysIt(seed: Seed) {
    let command = "FIEF_SEED=\(seed.value) swift test --filter aSeedPrintsTheCommandThatReplaysIt"
    #expect(seed.replayCommand == command)
    #expect(seed.testDescription == "\(seed.value) (replay: \(command))")
    #expect("\(seed)" == "\(seed.value)")
  }

  @Test func theBodySeesEachSeedWithItsOwnNumbers() {
    var seen: [Seed: UInt64] = [:]
    Seeds.run(count: 5) { seed, random in seen[seed] = random.next() }
    for (seed, number) in seen {
      var random = seed.random
      #expect(random.next() == number)
    }
    #expect(Set(seen.keys) == Set(Seeds.first(5)))
  }

  @Test func aFailedExpectationIsReportedWithItsSeedAndEndsTheRun() throws {
    let seeds = Seeds.first(5)
    let culprit = seeds[seeds.count / 2]
    var runs = 0
    let reported = issues {
      Seeds.run(count: 5) { seed, _ in
        runs += 1
        #expect(seed != culprit)
      }
    }
    #expect(runs == seeds.count / 2 + 1)
    #expect(reported.count == 2)
    let report = try #require(reported.last)
    #expect(report.contains("seed \(culprit) (replay: FIEF_SEED=\(culprit) swift test --filter aFailedExpectation"))
  }

  @Test func aThrownErrorIsReportedWithItsSeed() {
    let reported = issues {
      try Seeds.run(count: 5) { _, _ in throw Planted() }
    }
    #expect(reported.contains { $0.contains("Planted") })
    #expect(reported.contains { $0.contains("seed \(Seeds.first(5)[0]) (replay") })
  }

  @Test func anAsynchronousFailureIsReportedWithItsSeed() async {
    let culprit = Seeds.first(5)[0]
    let reported = await issues(ofAsync: {
      await Seeds.run(count: 5) { seed, _ in
        await Task.yield()
        #expect(seed != culprit)
      }
    })
    #expect(reported.count == 2)
    #expect(reported.last?.contains("seed \(culprit) (replay") == true)
  }

  @Test func successIsSilent() {
    #expect(issues { Seeds.run(count: 5) { _, _ in } } == [])
  }
}
