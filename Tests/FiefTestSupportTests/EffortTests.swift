import FiefTestSupport
import Testing

@Suite struct EffortTests {
  @Test func aDebugBuildTriesLess() {
    #expect(Effort.effort(isDebug: true, environment: [:]) == .short)
    #expect(Effort.effort(isDebug: false, environment: [:]) == .full)
  }

  @Test func theEnvironmentDecides() {
    #expect(Effort.effort(isDebug: false, environment: ["FIEF_EFFORT": "short"]) == .short)
    #expect(Effort.effort(isDebug: true, environment: ["FIEF_NIGHT": "1"]) == .night)
    #expect(Effort.effort(isDebug: false, environment: ["FIEF_NIGHT": "1", "FIEF_EFFORT": "short"]) == .night)
    #expect(Effort.effort(isDebug: false, environment: ["FIEF_NIGHT": "0"]) == .full)
  }

  @Test func anUnknownEffortTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Effort.effort(isDebug: true, environment: ["FIEF_EFFORT": "long"])
    }
    expectSentence("FIEF_EFFORT must be \"short\" or not be set, not \"long\"", of: result)
  }

  @Test func aShortRunHasAThirdOfTheSeedsAndAtLeastEight() {
    for (count, expected) in [(0, 0), (1, 1), (8, 8), (20, 8), (60, 20), (300, 100)] {
      #expect(Seeds.seeds(count: count, environment: [:], effort: .short).count == expected, "\(count)")
      #expect(Seeds.seeds(count: count, environment: [:], effort: .full).count == count)
    }
    #expect(Seeds.seeds(count: 20, environment: ["FIEF_SEEDS": "50"], effort: .short).count == 50)
  }
}
