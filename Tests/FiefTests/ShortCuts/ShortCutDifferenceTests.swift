#if DEBUG
  import Fief
  import FiefGraph
  import FiefRuntime
  import FiefTestSupport
  import RealmSwift
  import Testing

  /// Each short cut has the results of the ordinary way. Both sides make the same calls; one of them has short cuts
  /// switched off.
  @Suite struct ShortCutDifferenceTests {
    @Test(arguments: Seeds.all) func aHistoryWithoutShortCutsEqualsOneWithAllOfThem(seed: Seed) throws {
      var random = seed.random
      try compare(Story(&random, writes: 40), off: Set(ShortCut.allCases))
    }

    @Test(arguments: ShortCut.allCases) func aHistoryWithoutOneShortCutEqualsOneWithAllOfThem(cut: ShortCut) throws {
      try Seeds.run(count: 3) { _, random throws in try compare(Story(&random, writes: 25), off: [cut]) }
    }

    /// In a process of its own: other tests fill the table of key paths, and look-ups need a place in it.
    @Test func everyShortCutIsTaken() async {
      await #expect(processExitsWith: .success) {
        let watch = ShortCut.Watch()
        try Seeds.run(count: 72) { _, random throws in
          var side = try Side(watch)
          for (steps, questions) in Story(&random, writes: 40).writes {
            _ = side.write(steps)
            for question in questions { _ = side.answer(question) }
          }
        }
        for cut in ShortCut.allCases where ShortCutDifferenceTests.isPossible(cut) && cut.isOn {
          try #require(watch.taken(cut) >= 20, "\(cut) was taken \(watch.taken(cut)) times")
        }
      }
    }

    @Test func anObjectThatAUniqueIndexRefusesIsMadeAsOftenEitherWay() throws {
      let ledgers = ["a", "b"].map { name in
        Given.entries([("name", .plain(name)), ("email", .plain("1@x")), ("mass", .plain(1))])
      }
      let counts = try [Set<ShortCut>(), [.directRows]].map { off in
        var side = try Side(ShortCut.Watch(off: off))
        _ = side.write([.createAtOnce(.ledger, ledgers[0], .error)])
        let outcomes = side.write([.createAtOnce(.ledger, ledgers[1], .error)])
        guard case .refused(.uniqueConstraint, _) = outcomes[0] else {
          Issue.record("The second ledger was not refused: \(outcomes)")
          return 0
        }
        return side.calls.calls
      }
      #expect(counts[0] == counts[1] && counts[0] > 0)
    }

    /// Whether this process knows the layouts that a short cut needs.
    fileprivate static func isPossible(_ cut: ShortCut) -> Bool {
      let needed: [RuntimeFeature] =
        switch cut {
        case .directRows: [.existentials]
        case .shortTexts, .indexWords: [.smallStrings]
        case .objectReuse: [.referenceCounts]
        default: []
        }
      return needed.allSatisfy(\.isAvailable)
    }

    private func compare(_ story: Story, off: Set<ShortCut>) throws {
      var (short, plain) = (try Side(ShortCut.Watch()), try Side(ShortCut.Watch(off: off)))
      for (number, write) in story.writes.enumerated() {
        let (a, b) = (short.write(write.steps), plain.write(write.steps))
        var isSame = a == b && short.calls.calls == plain.calls.calls && short.realm.graph == plain.realm.graph
        isSame = isSame && short.held.map(\.isInvalidated) == plain.held.map(\.isInvalidated)
        isSame = isSame && short.held.map { $0.realm == nil } == plain.held.map { $0.realm == nil }
        #expect(a == b, "write \(number): \(write.steps)")
        #expect(short.calls.calls == plain.calls.calls, "write \(number): \(write.steps)")
        #expect(short.realm.graph == plain.realm.graph, "write \(number): \(write.steps)")
        #expect(short.realm.graph.checkInvariants() == [] && plain.realm.graph.checkInvariants() == [])
        for question in write.questions {
          let (a, b) = (short.answer(question), plain.answer(question))
          #expect(a == b, "after write \(number): \(question)")
          isSame = isSame && a == b
        }
        // Later differences follow from the first.
        if !isSame {
          Issue.record("The histories differ at write \(number).")
          return
        }
      }
      for cut in off { #expect(plain.watch.taken(cut) == 0) }
    }
  }
#endif
