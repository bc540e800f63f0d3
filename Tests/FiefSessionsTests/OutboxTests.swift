#if DEBUG  // @testable needs a debug build.
  import Testing

  @testable import FiefSessions

  @Suite struct OutboxTests {
    @Test func pausesGrowUpToAMinute() {
      let first = (1...4).map { Outbox.pause(after: $0) }
      #expect(first == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
      #expect(Outbox.pause(after: 11) == .seconds(60) && Outbox.pause(after: .max) == .seconds(60))
      #expect((1..<100).allSatisfy { Outbox.pause(after: $0) <= Outbox.pause(after: $0 + 1) })
    }
  }
#endif
