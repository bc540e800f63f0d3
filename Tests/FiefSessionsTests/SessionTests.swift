import Dispatch
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Testing

/// A store without classes: what sessions do for rows, versions and files alone.
@Suite struct SessionTests {
  private struct Refusal: Error {}

  private func session(_ store: Store, _ options: PlainOptions = PlainOptions()) -> Session {
    Session(store, .currentThread, options: options)
  }

  @Test func aCommitIsSeenAtOnceByItsSessionAndLaterByAnother() throws {
    let store = try Store.ofNumbers()
    let (writer, reader) = (session(store), session(store))
    #expect(reader.numbers == [])
    try writer.beginWrite()
    try writer.add(7)
    try writer.commitWrite()
    #expect(writer.numbers == [7])
    #expect(reader.numbers == [])
    #expect(reader.refresh())
    #expect(reader.numbers == [7])
    #expect(!reader.refresh())
  }

  @Test func aCancelledWriteLeavesTheVersionAndKeepsItsKeys() throws {
    let writer = session(try Store.ofNumbers())
    let before = writer.graph.version
    try writer.beginWrite()
    let lost = try writer.add(1)
    writer.cancelWrite()
    #expect(writer.graph.version == before)
    try writer.beginWrite()
    let next = try writer.add(2)
    try writer.commitWrite()
    #expect(next > lost)
    #expect(writer.numbers == [2])
  }

  @Test func aFailedOperationFailsTheCommitWithTheClientsWords() throws {
    let writer = session(try Store.ofNumbers())
    try writer.beginWrite()
    try writer.add(1)
    writer.perform { _ in throw Refusal() }
    writer.perform { _ in throw GraphErrorLike() }
    // The first failure counts.
    #expect(throws: PlainClient.Explained(words: "Refusal()")) { try writer.commitWrite() }
    #expect(writer.numbers == [])
    #expect(writer.transaction == nil)
  }

  private struct GraphErrorLike: Error {}

  @Test func aSavepointThatThrowsUndoesItsRowsMessagesAndFailures() throws {
    let writer = session(try Store.ofNumbers())
    try writer.beginWrite()
    try writer.add(1)
    writer.send("kept")
    #expect(throws: Refusal.self) {
      try writer.savepoint {
        try writer.add(2)
        writer.send("dropped")
        writer.perform { _ in throw Refusal() }
        throw Refusal()
      }
    }
    #expect(writer.waiting == ["kept"])
    try writer.commitWrite()
    #expect(writer.numbers == [1])
  }

  @Test func messagesAreSentByTheCommitAloneAndInItsOrder() async throws {
    let (sent, sender) = AsyncStream<[String]>.makeStream()
    let handler = OutboxHandler { messages in
      sender.yield(messages.map { String(decoding: $0.payload, as: UTF8.self) })
    }
    func write() throws {
      let options = PlainOptions(handler: handler)
      let store = try Store.ofNumbers()
      try store.attach(options.outbox)
      let writer = session(store, options)
      try writer.beginWrite()
      writer.send("never")
      writer.cancelWrite()
      try writer.beginWrite()
      #expect(writer.waiting.isEmpty)
      try writer.add(1)
      writer.send("first")
      writer.send("second")
      try writer.commitWrite()
    }
    try write()
    var received = sent.makeAsyncIterator()
    #expect(await received.next() == ["first", "second"])
  }

  @Test func oneVersionIsFrozenOnce() throws {
    let writer = session(try Store.ofNumbers())
    let frozen = writer.frozen()
    #expect(frozen === writer.frozen())
    #expect(frozen.frozen() === frozen)
    try writer.beginWrite()
    try writer.add(1)
    // A write shows in frozen state only when that is asked for.
    #expect(writer.frozen().numbers == [])
    #expect(writer.frozenWithChanges().numbers == [1])
    try writer.commitWrite()
    #expect(writer.frozen() !== frozen)
    #expect(frozen.numbers == [])
    #expect(writer.frozen().numbers == [1])
  }

  @Test func aWriteBeyondTheLimitOfVersionsIsRefused() throws {
    var options = StoreOptions()
    options.versionLimit = 2
    let writer = session(try Store.ofNumbers(.memory(UUID().uuidString), options))
    var held: [Session] = []
    for number in 0..<2 {
      held.append(writer.frozen())
      try writer.beginWrite()
      try writer.add(number)
      try writer.commitWrite()
    }
    #expect { try writer.beginWrite() } throws: { "\($0)".contains("exceeds the limit of 2") }
    held.removeAll()
    try writer.beginWrite()
    writer.cancelWrite()
  }

  @Test func theVersionThatARefusedWriteHasReachedIsNotifiedOf() throws {
    var options = StoreOptions()
    options.versionLimit = 2
    let store = try Store.ofNumbers(.memory(UUID().uuidString), options)
    let (refused, other) = (session(store), session(store))
    var held = [refused.frozen()]
    var calls = 0
    refused.observers.add(CommitObservation(from: refused.graph) { _, _ in calls += 1 })
    for number in 1...2 {
      try other.write { try $0.add(number) }
      held.append(other.frozen())
    }
    #expect { try refused.beginWrite() } throws: { "\($0)".contains("exceeds the limit of 2") }
    #expect(refused.numbers == [1, 2] && calls == 0)
    for _ in 0..<2 { _ = refused.refresh() }
    #expect(calls == 1)
    withExtendedLifetime(held) {}
  }

  @Test func observationsOfCommitsAreCalledUnlessTheyAreQuietOrEnded() throws {
    let writer = session(try Store.ofNumbers())
    var events: [String] = []
    let loud = CommitObservation(from: writer.graph) { event, _ in events.append("loud \(event)") }
    let quiet = CommitObservation(from: writer.graph) { event, _ in events.append("quiet \(event)") }
    let ended = CommitObservation(from: writer.graph) { event, _ in events.append("ended \(event)") }
    for observation in [loud, quiet, ended] { writer.observers.add(observation) }
    #expect(ended.end())
    #expect(!ended.end())
    try writer.beginWrite()
    try writer.add(1)
    try writer.commitWrite { [quiet] }
    #expect(events == ["loud didChange"])
  }

  @Test func aReadOnlySessionTrapsWhenItWrites() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store.ofNumbers()
      try Session(store, .currentThread, options: PlainOptions(isReadOnly: true)).beginWrite()
    }
    expectSentence("Cannot begin a write transaction: the realm was opened read-only", of: result)
  }

  @Test func aWriteInsideAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
      try session.beginWrite()
      try session.beginWrite()
    }
    expectSentence("The realm is already in a write transaction, and writes do not nest", of: result)
  }
}
