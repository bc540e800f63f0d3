import FiefTestSupport
import Testing

@Suite struct WithEveryTests {
  @Test func nestedLoopsVisitEveryPair() {
    var seen: [String] = []
    withEvery("digit", in: 0..<2) { digit in
      withEvery("letter", in: ["a", "b"]) { letter in seen.append("\(digit)\(letter)") }
    }
    #expect(seen == ["0a", "0b", "1a", "1b"])
  }

  @Test func aFailureNamesTheValuesOfAllLoopsAndTheWalkGoesOn() throws {
    var rounds = 0
    let reported = issues {
      withEvery("count", in: 0..<3) { count in
        withEvery("isShared", in: [false, true]) { isShared in
          rounds += 1
          #expect(!(count == 1 && isShared))
        }
      }
    }
    #expect(rounds == 6)
    #expect(reported.count == 2)
    let report = try #require(reported.last)
    #expect(report.contains("count = 1, isShared = true"))
    #expect(!report.contains("isShared = false"))
  }

  @Test func anErrorIsNamedOnceByItsInnermostLoop() throws {
    let reported = issues {
      try withEvery("outer", in: [1, 2]) { _ in
        try withEvery("inner", in: [3, 4]) { inner in
          if inner == 4 { throw Planted() }
        }
      }
    }
    let reports = reported.filter { $0.contains("circumstances") }
    #expect(reports.count == 1)
    #expect(reports.first?.contains("outer = 1, inner = 4") == true)
    #expect(reported.contains { $0.contains("Planted") })
  }

  @Test func anErrorThatWasExpectedIsNoFailure() {
    let reported = issues {
      withEvery("outer", in: [1, 2]) { _ in
        #expect(throws: Planted.self) {
          try withEvery("inner", in: [3]) { _ in throw Planted() }
        }
      }
    }
    #expect(reported == [])
  }

  @Test func aLoopInsideASeedNamesBoth() {
    let reported = issues {
      Seeds.run(count: 1) { _, _ in
        withEvery("size", in: [8]) { size in #expect(size == 9) }
      }
    }
    #expect(reported.last?.contains("seed \(Seeds.first(1)[0]) (replay") == true)
    #expect(reported.last?.contains(", size = 8") == true)
  }

  @Test func manyFailuresAreReportedInAFewLines() {
    let reported = issues {
      withEvery("outer", in: [0]) { _ in
        withEvery("number", in: 0..<25) { number in #expect(number < 0) }
      }
    }
    #expect(reported.count == 26)
    #expect(reported.last?.contains("and 15 more") == true)
  }

  @Test func asynchronousLoopsNameTheirValuesToo() async {
    let reported = await issues(ofAsync: {
      await withEvery("outer", in: [1, 2]) { outer in
        await withEvery("inner", in: [3]) { _ in
          await Task.yield()
          #expect(outer == 1)
        }
      }
    })
    #expect(reported.count == 2)
    #expect(reported.last?.contains("outer = 2, inner = 3") == true)
  }
}
