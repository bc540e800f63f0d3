import FiefTestSupport
import Testing

@Suite struct ExhaustiveTests {
  @Test func everyCombinationComesOnceAndInOrder() {
    var seen: [[Int]] = []
    let rounds = Exhaustive.walk { choices in seen.append([choices.below(2), choices.below(3)]) }
    #expect(seen == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
    #expect(rounds == 6)
  }

  @Test func laterQuestionsMayDependOnEarlierAnswers() {
    var seen: Set<[Bool]> = []
    let rounds = Exhaustive.walk { choices in
      let length = choices.below(4)
      seen.insert((0..<length).map { _ in choices.bool() })
    }
    // All bit strings of 0, 1, 2 and 3 bits.
    #expect(rounds == 1 + 2 + 4 + 8)
    #expect(seen.count == rounds)
  }

  @Test func aBodyThatAsksNothingRunsOnce() {
    #expect(Exhaustive.walk { _ in } == 1)
  }

  @Test func aFailureNamesTheRound() {
    let reported = issues {
      Exhaustive.walk { choices in
        let number = choices.below(5)
        #expect(number != 3)
      }
    }
    #expect(reported.count == 2)
    #expect(reported.last?.contains("round 4") == true)
  }

  @Test func anErrorEndsTheWalk() {
    var rounds = 0
    let reported = issues {
      try Exhaustive.walk { choices in
        rounds += 1
        if choices.below(5) == 2 { throw Planted() }
      }
    }
    #expect(rounds == 3)
    #expect(reported.contains { $0.contains("Planted") })
  }

  @Test func aSpaceThatGrewByAccidentIsNoticed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Exhaustive.walk(limit: 10) { choices in _ = choices.below(11) }
    }
    expectSentence("An exhaustive walk has more than 10 rounds", of: result)
    await #expect(processExitsWith: .success) {
      Exhaustive.walk(limit: 11) { choices in _ = choices.below(11) }
    }
  }

  @Test func aBodyThatIsNoFunctionOfItsAnswersIsNoticed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var bound = 2
      Exhaustive.walk { choices in
        _ = choices.below(bound)
        bound += 1
      }
    }
    expectSentence("An exhaustive walk asked for 3 outcomes where it had asked for 2 before", of: result)
  }
}
