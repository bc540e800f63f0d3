import FiefGraph
import FiefSessions
import FiefTestSupport
import Synchronization
import Testing

/// A number for several threads.
final class Counter: Sendable {
  let value = Mutex(0)
  var number: Int { value.withLock { $0 } }
}

/// An observation that notes what it receives.
final class Noting: SessionObservation {
  let progress: ObservationProgress
  /// The number of deliveries, for other threads.
  let count = Counter()
  private(set) var received: [ClosedRange<UInt64>] = []
  private(set) var hasEnded = false
  private let block: (Noting, Session) -> Void

  init(_ session: Session, _ block: @escaping (Noting, Session) -> Void = { _, _ in }) {
    self.block = block
    progress = ObservationProgress(delivered: session.graph)
  }

  func deliver(_ session: Session, _ delivery: Delivery) {
    let difference = delivery.difference(from: delivered, to: session.graph)
    received.append(difference.old.version...difference.new.version)
    delivered = session.graph
    count.value.withLock { $0 += 1 }
    block(self, session)
  }

  func ended() { hasEnded = true }
}

/// What observations of a session receive, and when.
@Suite struct ObservationTests {
  private let session: Session
  private let other: Session
  private let first: UInt64

  init() throws {
    session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
    other = Session(session.store, .currentThread, options: PlainOptions())
    first = session.graph.version
  }

  private func commitElsewhere() throws { try other.write { try $0.add(1) } }

  @Test func severalCommitsAreOneDelivery() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    for _ in 0..<3 { try commitElsewhere() }
    #expect(observation.received.isEmpty)
    #expect(session.refresh() && observation.received == [first...first + 3])
    #expect(!session.refresh() && observation.received.count == 1)
  }

  @Test func theBeginningOfAWriteDelivers() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    try commitElsewhere()
    try session.write { _ in #expect(observation.received == [first...first + 1]) }
  }

  @Test func theOwnCommitIsDeliveredLater() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    try session.write { try $0.add(1) }
    #expect(observation.received.isEmpty && observation.isBehind(session))
    _ = session.refresh()
    #expect(observation.received == [first...first + 1] && !observation.isBehind(session))
  }

  @Test func aSkippedCommitIsNotDelivered() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    try session.beginWrite()
    try session.add(1)
    try session.commitWrite { [observation] }
    _ = session.refresh()
    #expect(observation.received.isEmpty && observation.delivered.version == first + 1)
  }

  @Test func aSkippedCommitAfterOneThatWaitsIsDeliveredWithIt() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    try session.write { try $0.add(1) }
    // The block that begins the next write receives the first commit.
    let before = session.graph
    observation.skip(from: session.store.published.current, to: before)
    #expect(observation.delivered.version == first)
    _ = session.refresh()
    #expect(observation.received == [first...first + 1])
  }

  @Test func blocksRunInTheOrderOfTheirRegistration() throws {
    var order: [Int] = []
    let observations = (0..<100).map { number in Noting(session) { _, _ in order.append(number) } }
    for observation in observations { session.observers.add(observation) }
    for number in 0..<100 where number % 10 != 3 { session.observers.remove(observations[number]) }
    session.observers.add(observations[0])
    try commitElsewhere()
    _ = session.refresh()
    #expect(order == [3, 13, 23, 33, 43, 53, 63, 73, 83, 93, 0])
  }

  @Test func anEndedObservationReceivesNothing() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    #expect(observation.end())
    try commitElsewhere()
    _ = session.refresh()
    #expect(observation.received.isEmpty && !observation.hasEnded)
  }

  @Test func anObservationThatHasEndedIsNotAdded() {
    let observation = Noting(session)
    observation.end()
    session.observers.add(observation)
    #expect(session.observers.isEmpty)
  }

  @Test func anObservationMayEndAnotherBeforeItsTurn() throws {
    let second = Noting(session)
    let first = Noting(session) { _, _ in second.end() }
    for observation in [first, second] { session.observers.add(observation) }
    try commitElsewhere()
    _ = session.refresh()
    #expect(first.received.count == 1 && second.received.isEmpty)
  }

  @Test func anObservationThatEndsInItsBlockIsRemoved() throws {
    let observation = Noting(session) { observation, _ in observation.end() }
    session.observers.add(observation)
    try commitElsewhere()
    _ = session.refresh()
    #expect(session.observers.isEmpty)
  }

  @Test func aBlockDoesNotRefresh() throws {
    var results: [Bool] = []
    let observation = Noting(session) { _, session in
      try? self.commitElsewhere()
      results.append(session.refresh())
    }
    session.observers.add(observation)
    try commitElsewhere()
    _ = session.refresh()
    #expect(results == [false] && observation.received == [first...first + 1])
    #expect(session.refresh() && results == [false, false])
  }

  @Test func aBlockDoesNotInvalidate() throws {
    let observation = Noting(session) { _, session in session.invalidate() }
    session.observers.add(observation)
    try commitElsewhere()
    _ = session.refresh()
    #expect(session.isPinned && observation.isLive)
  }

  @Test func aBlockMayWrite() throws {
    let observation = Noting(session) { observation, session in
      if observation.received.count == 1 { try? session.write { try $0.add(2) } }
    }
    session.observers.add(observation)
    try commitElsewhere()
    _ = session.refresh()
    #expect(session.numbers == [1, 2])
    _ = session.refresh()
    #expect(observation.received == [first...first + 1, first + 1...first + 2])
  }

  @Test func invalidatingEndsAllButThoseOfCommits() {
    let observation = Noting(session)
    let commits = CommitObservation(from: session.graph) { _, _ in }
    session.observers.add(observation)
    session.observers.add(commits)
    session.invalidate()
    #expect(observation.hasEnded && !observation.isLive && commits.isLive && !session.observers.isEmpty)
  }

  @Test func aBlockOfCommitsIsNotNotifiedOfItsOwnWrites() throws {
    var calls = 0
    let observation = CommitObservation(from: session.graph) { _, session in
      calls += 1
      try? session.write { try $0.add(2) }
    }
    session.observers.add(observation)
    try session.write { try $0.add(1) }
    #expect(calls == 1 && session.numbers == [1, 2])
  }

  /// An observation of commits that counts its calls.
  private func counting(_ count: Counter, of session: Session) -> CommitObservation {
    CommitObservation(from: session.graph) { event, _ in
      if event == .didChange { count.value.withLock { $0 += 1 } }
    }
  }

  @Test func aBlockOfCommitsIsNotifiedOfAVersionThatAWriteInAnotherBlockHasReached() throws {
    let calls = Counter()
    session.observers.add(counting(calls, of: session))
    let observation = Noting(session) { observation, session in
      if observation.received.count > 1 { return }
      #expect(throws: Never.self) {
        try self.commitElsewhere()
        try session.beginWrite()
      }
      session.cancelWrite()
    }
    session.observers.add(observation)
    try commitElsewhere()
    _ = session.refresh()
    #expect(calls.number == 1 && session.graph.version == first + 2)
    _ = session.refresh()
    #expect(calls.number == 2 && session.numbers == [1, 1])
    #expect(!session.refresh() && calls.number == 2)
  }

  @Test func aBlockOfCommitsIsNotifiedOfAVersionThatAWriteOfItsOwnHasReached() throws {
    var versions: [UInt64] = []
    let observation = CommitObservation(from: session.graph) { _, session in
      versions.append(session.graph.version)
      if versions.count > 1 { return }
      #expect(throws: Never.self) {
        try self.commitElsewhere()
        try session.beginWrite()
      }
      session.cancelWrite()
    }
    session.observers.add(observation)
    try session.write { try $0.add(2) }
    #expect(versions == [first + 1] && session.graph.version == first + 2)
    for _ in 0..<2 { _ = session.refresh() }
    #expect(versions == [first + 1, first + 2])
  }

  @Test func aBlockOfCommitsIsNotifiedOfTheVersionAfterAnInvalidation() throws {
    let calls = Counter()
    session.observers.add(counting(calls, of: session))
    session.invalidate()
    try commitElsewhere()
    #expect(session.numbers == [1] && calls.number == 0)
    for _ in 0..<2 { _ = session.refresh() }
    #expect(calls.number == 1)
  }

  @Test func aBlockOfCommitsIsNotNotifiedOfAWriteThatItsTokenSkips() throws {
    let calls = Counter()
    let observation = counting(calls, of: session)
    session.observers.add(observation)
    try session.beginWrite()
    try session.add(1)
    try session.commitWrite { [observation] }
    _ = session.refresh()
    #expect(calls.number == 0 && observation.delivered.version == first + 1)
    try session.write { try $0.add(2) }
    _ = session.refresh()
    #expect(calls.number == 1)
  }

  @Test func blocksOfCommitsRunBeforeTheOthers() throws {
    var order: [String] = []
    session.observers.add(Noting(session) { _, _ in order.append("rows") })
    session.observers.add(CommitObservation(from: session.graph) { _, _ in order.append("commit") })
    try commitElsewhere()
    _ = session.refresh()
    #expect(order == ["commit", "rows"])
  }

  @Test func observersShareTheDifferenceAndWhatTheyCompute() throws {
    let old = session.graph
    try session.write { try $0.add(1) }
    let delivery = Delivery()
    let difference = delivery.difference(from: old, to: session.graph)
    #expect(difference === delivery.difference(from: old, to: session.graph))
    #expect(difference !== delivery.difference(from: session.graph, to: session.graph))
    var computed = 0
    func compute() -> Int {
      computed += 1
      return 7
    }
    func once(for owner: Session, at graph: Graph) -> Int { delivery.once(for: owner, at: graph, compute) }
    #expect(once(for: session, at: old) == 7 && once(for: session, at: old) == 7 && computed == 1)
    #expect(once(for: other, at: old) == 7 && computed == 2)
    #expect(once(for: session, at: session.graph) == 7 && computed == 3)
  }
}
