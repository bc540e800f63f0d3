#if DEBUG
  import FiefRuntime
  import FiefTestSupport
  import Testing

  @Suite struct ShortCutTests {
    @Test func aShortCutIsCountedWhereItApplies() {
      let watch = ShortCut.Watch()
      watch.run {
        #expect(ShortCut.lookUps.attempt { 7 } == 7)
        #expect(ShortCut.lookUps.attempt { Int?.none } == nil)
        #expect(ShortCut.rowCopies.attempt { Int?.none } == nil)
        ShortCut.objectReuse.taken()
      }
      #expect(watch.taken(.lookUps) == 1 && watch.taken(.rowCopies) == 0 && watch.taken(.objectReuse) == 1)
    }

    @Test func aShortCutThatIsOffIsNotTried() {
      let watch = ShortCut.Watch(off: [.lookUps])
      watch.run {
        #expect(!ShortCut.lookUps.isOn && ShortCut.rowCopies.isOn)
        let answer: Int? = ShortCut.lookUps.attempt {
          Issue.record("A short cut was tried that is off.")
          return 7
        }
        #expect(answer == nil)
      }
      #expect(watch.taken(.lookUps) == 0)
    }

    @Test func twoTasksHaveSwitchesAndCountsOfTheirOwn() async {
      let (one, other) = (ShortCut.Watch(off: [.lookUps]), ShortCut.Watch(off: [.rowCopies]))
      await withTaskGroup(of: Void.self) { group in
        for (watch, off) in [(one, ShortCut.lookUps), (other, .rowCopies)] {
          group.addTask {
            watch.run {
              #expect(!off.isOn)
              for _ in 0..<100 { _ = ShortCut.linkMemos.attempt { 1 } }
            }
          }
        }
      }
      #expect(one.taken(.linkMemos) == 100 && other.taken(.linkMemos) == 100)
    }

    @Test func anErrorIsPassedOnAndNotCounted() {
      struct Refused: Error {}
      let watch = ShortCut.Watch()
      watch.run {
        #expect(throws: Refused.self) { _ = try ShortCut.lookUps.attempt { () throws -> Int? in throw Refused() } }
        // The thread has left the short cut.
        ShortCut.applicationRuns()
      }
      #expect(watch.taken(.lookUps) == 0)
    }

    @Test func aSettingTurnsOffTheShortCutsThatItNames() {
      #expect(ShortCut.switchedOff(by: "") == 0)
      #expect(ShortCut.switchedOff(by: "lookUps,nothing") == 1 << ShortCut.lookUps.rawValue)
      let all = ShortCut.allCases.reduce(UInt32(0)) { $0 | 1 << $1.rawValue }
      #expect(ShortCut.switchedOff(by: "plain") == all)
    }

    @Test func codeOfTheApplicationInsideAShortCutTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        ShortCut.Watch().run {
          _ = ShortCut.lookUps.attempt { () -> Int? in
            _ = ShortCut.wholeTables.attempt { 1 }
            ShortCut.applicationRuns()
            return nil
          }
        }
      }
      expectSentence("Code of the application ran inside the short cut 'lookUps'", of: result)
    }
  }
#endif
