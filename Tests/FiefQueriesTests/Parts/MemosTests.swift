#if DEBUG
  import FiefGraph
  import Testing

  @testable import FiefQueries

  /// What an evaluation keeps: answers behind links and of subqueries, merged rows.
  @Suite struct MemosTests {
    @Test func aLinkMemoKnowsWhatItLearned() {
      var memo = LinkMemo()
      #expect(!memo.isOpen && memo.knows(ObjectKey(3)) == nil)
      memo.open(clusters: 3)
      var rows = Bitmap256()
      rows[7] = true
      memo.keep(1, rows)
      #expect(memo.knows(ObjectKey(chunk: 1, bit: 7)) == true && memo.knows(ObjectKey(chunk: 1, bit: 8)) == false)
      #expect(memo.knows(ObjectKey(chunk: 0, bit: 7)) == nil && memo.knows(ObjectKey(chunk: 9, bit: 7)) == nil)
    }

    @Test func aSubqueryMemoKeepsAnswersForOuterElements() {
      var memo = SubqueryMemo()
      let outer = [ObjectKey(5)]
      memo.keep(true, of: ObjectKey(1), beside: [])
      #expect(memo.answer(of: ObjectKey(1), beside: outer) == nil)
      memo.keep(false, of: ObjectKey(1), beside: outer)
      #expect(memo.answer(of: ObjectKey(1), beside: []) == true)
      #expect(memo.answer(of: ObjectKey(1), beside: outer) == false)
      #expect(memo.answer(of: ObjectKey(2), beside: outer) == nil)
    }

    @Test func aSubqueryMemoForgetsBeforeItGrowsWithoutEnd() {
      var memo = SubqueryMemo()
      for number in 0..<(SubqueryMemo.limit * 2) {
        let outer = [ObjectKey(Int64(number))]
        memo.keep(number % 2 == 0, of: ObjectKey(0), beside: outer)
        #expect(memo.answer(of: ObjectKey(0), beside: outer) == (number % 2 == 0))
      }
      #expect(memo.answer(of: ObjectKey(0), beside: [ObjectKey(0)]) == nil, "The first answers were forgotten.")
    }

    @Test func rowsThatSeveralWaysLeadToAreMerged() {
      var rows = ReachedRows(of: 3)
      for number in 0..<1000 { rows.append(number % 4 == 3 ? nil : ObjectKey(Int64(number % 4)), 1) }
      rows.finish()
      var ways: [ObjectKey?: Int64] = [:]
      for (key, number) in rows.entries { ways[key, default: 0] += number }
      #expect(ways == [ObjectKey(0): 250, ObjectKey(1): 250, ObjectKey(2): 250, nil: 250])
    }

    @Test func rowsOfACollectionKeepOneEntryForEachElement() {
      var rows = ReachedRows(of: nil)
      for number in 0..<1000 { rows.append(number % 2 == 0 ? nil : ObjectKey(7), 1) }
      rows.finish()
      #expect(rows.entries.map(\.key) == (0..<1000).map { $0 % 2 == 0 ? nil : ObjectKey(7) })
      #expect(rows.entries.allSatisfy { $0.ways == 1 })
    }

    @Test func waysAreCountedToTheMaximumAlone() {
      var rows = ReachedRows(of: 1)
      rows.append(ObjectKey(1), .max)
      for _ in 0..<100 { rows.append(ObjectKey(1), 5) }
      rows.finish()
      #expect(rows.entries.first?.ways == .max)
      #expect(Int64(3).addingSaturating(4) == 7 && Int64.max.addingSaturating(1) == .max)
    }

    @Test func oneRowIsReachedOneWay() {
      let entries = ReachedRows(ObjectKey(4)).entries
      #expect(entries.map(\.key) == [ObjectKey(4)] && entries.map(\.ways) == [1])
    }
  }
#endif
