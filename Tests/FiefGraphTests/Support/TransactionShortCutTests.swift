#if DEBUG
  import FiefGraph
  import FiefRuntime
  import FiefTestSupport
  import Testing

  /// What a transaction demands of a short cut that it tries.
  @Suite struct TransactionShortCutTests {
    @Test(.enabled(if: ShortCut.rowCopies.isOn)) func aChangeBeforeTheAnswerThatAShortCutDoesNotApplyTraps() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (transaction, table) = try Self.transaction()
        _ = transaction.attempt(.rowCopies) { () -> Int? in
          _ = try? transaction.create(in: table)
          return nil
        }
      }
      expectSentence("The short cut 'rowCopies' changed the graph before it did not apply", of: result)
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

    private static func transaction() throws -> (Transaction, TableKey) {
      let transaction = Transaction(Graph.empty)
      return (transaction, try transaction.addTable("Dog"))
    }
  }
#endif
