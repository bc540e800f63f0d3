#if DEBUG
  import FiefGraph
  import Testing

  @testable import FiefQueries

  /// What an evaluation keeps: levels, answers behind links and of subqueries, merged rows.
  @Suite struct MemosTests {
    @Test func levelsAreASet() {
      let levels: Levels = [Levels(level: 0), Levels(level: 2), Levels(level: 5)]
      #expect(levels.deepest == 5 && levels.elementCount == 2 && levels.butDeepest == [0, 2])
      #expect(levels.through(2) == [Levels(level: 0), Levels(level: 2)] && levels.through(63) == levels)
      let none: Levels = []
      #expect(none.deepest == nil && none.butDeepest.isEmpty && none.elementCount == 0)
    }

    @Test func aLinkMemoKnowsWhatItLearned() {
      var memo = LinkMemo()
      #expect(!memo.isOpen && memo.knows(ObjectKey(3)) == nil)
      memo.open(clusters: 3)
      var rows = Bitmap256()
      rows[7] = true
      memo.learn(1, rows)
      #expect(memo.knows(ObjectKey(chunk: 1, bit: 7)) == true && memo.knows(ObjectKey(chunk: 1, bit: 8)) == false)
      #expect(memo.knows(ObjectKey(chunk: 0, bit: 7)) == nil && memo.knows(ObjectKey(chunk: 9, bit: 7)) == nil)
    }

    @Test func aCompleteLinkMemoAnswersForWholeLeaves() {
      var memo = LinkMemo()
      memo.open(clusters: 2)
      var rows = Bitmap256()
      rows[1] = true
      memo.learn(1, rows)
      memo.close()
      let keys: ContiguousArray<Int16> = [0, 257, 256, 257]
      let found = memo.slots(of: keys)
      #expect((0..<4).map { found[$0] } == [false, true, false, true] && memo.isComplete)
    }

    @Test func aSubqueryMemoKeepsAnswersForOuterElements() {
      let memo = SubqueryMemo()
      memo.learn(ObjectKey(1), true)
      memo.enter([ObjectKey(5)])
      #expect(memo.answer(of: ObjectKey(1)) == nil)
      memo.learn(ObjectKey(1), false)
      memo.enter([])
      #expect(memo.answer(of: ObjectKey(1)) == true)
      memo.enter([ObjectKey(5)])
      #expect(memo.answer(of: ObjectKey(1)) == false && memo.answer(of: ObjectKey(2)) == nil)
    }

    @Test func aSubqueryMemoForgetsBeforeItGrowsWithoutEnd() {
      let memo = SubqueryMemo()
      for outer in 0..<(SubqueryMemo.limit * 2) {
        memo.enter([ObjectKey(Int64(outer))])
        memo.learn(ObjectKey(0), outer % 2 == 0)
        #expect(memo.answer(of: ObjectKey(0)) == (outer % 2 == 0))
      }
    }

    @Test func rowsThatSeveralWaysLeadToAreMerged() {
      var rows = ReachedRows(of: 3)
      for number in 0..<1000 { rows.append(number % 4 == 3 ? nil : ObjectKey(Int64(number % 4)), 1) }
      rows.finish()
      var ways: [ObjectKey?: Int64] = [:]
      rows.forEach { key, number in
        ways[key, default: 0] += number
        return true
      }
      #expect(ways == [ObjectKey(0): 250, ObjectKey(1): 250, ObjectKey(2): 250, nil: 250])
    }

    @Test func waysAreCountedToTheMaximumAlone() {
      var rows = ReachedRows(of: 1)
      rows.append(ObjectKey(1), .max)
      for _ in 0..<100 { rows.append(ObjectKey(1), 5) }
      rows.finish()
      rows.forEach { _, ways in
        #expect(ways == .max)
        return false
      }
      #expect(Int64(3).addingSaturating(4) == 7 && Int64.max.addingSaturating(1) == .max)
    }

    @Test func oneRowIsReachedOneWay() {
      var found: [ObjectKey?] = []
      ReachedRows(ObjectKey(4)).forEach { key, ways in
        found.append(key)
        return ways == 1
      }
      #expect(found == [ObjectKey(4)])
    }
  }
#endif
