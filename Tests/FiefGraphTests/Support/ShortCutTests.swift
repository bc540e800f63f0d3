#if DEBUG
  import FiefGraph
  import FiefTestSupport
  import FiefValues
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

    @Test(.enabled(if: ShortCut.rowCopies.isOn)) func aChangeBeforeTheAnswerThatAShortCutDoesNotApplyTraps() async {
      await #expect(processExitsWith: .failure) {
        let (transaction, table) = try Self.transaction()
        _ = transaction.attempt(.rowCopies) { () -> Int? in
          _ = try? transaction.create(in: table)
          return nil
        }
      }
      await #expect(processExitsWith: .success) {
        let (transaction, table) = try Self.transaction()
        let watch = ShortCut.Watch()
        watch.run { _ = transaction.attempt(.rowCopies) { try? transaction.create(in: table) } }
        guard watch.taken(.rowCopies) == 1 else { fatalError("The short cut was not counted.") }
      }
    }

    @Test func aRowThatWasRefusedIsNoChange() throws {
      struct Refused: Error {}
      let (transaction, table) = try Self.transaction()
      ShortCut.Watch().run {
        let answer: ObjectKey? = transaction.attempt(.rowCopies) {
          try? transaction.create(in: table) { _ in throw Refused() }
        }
        #expect(answer == nil)
      }
    }

    @Test func codeOfTheApplicationInsideAShortCutTraps() async {
      await #expect(processExitsWith: .failure) {
        ShortCut.Watch().run {
          _ = ShortCut.lookUps.attempt { () -> Int? in
            _ = ShortCut.wholeTables.attempt { 1 }
            ShortCut.applicationRuns()
            return nil
          }
        }
      }
    }

    private static func transaction() throws -> (Transaction, TableKey) {
      let transaction = Transaction(Graph.empty)
      return (transaction, try transaction.addTable("Dog"))
    }
  }
#endif
