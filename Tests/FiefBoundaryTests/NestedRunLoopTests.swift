#if os(Linux)
  import FiefTestSupport
  import Testing

  /// Run loops of the main thread that run inside one another.
  @Suite(.waitsForProcesses) struct NestedRunLoopTests {
    @Test func aRunLoopInsideABlockOfTheMainQueueDeliversWritesAndNotifications() throws {
      let lines = try Helper(["nested-run-loop"]).finish()
      #expect(
        lines == [
          "in a block of the main queue: complete 1, complete 2, 3 dogs",
          "in a block of the run loop: complete 1, complete 2, 6 dogs",
        ])
    }
  }
#endif
