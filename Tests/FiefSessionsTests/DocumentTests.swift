import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// The documents of committed writes, and their delivery.
@Suite struct DocumentTests {
  /// A handler that notes what it receives, and fails at first.
  private final class Receiver: Sendable {
    private let calls = Mutex<[[String]]>([])
    private let failures: Mutex<Int>

    struct Failure: Error {}

    init(failures: Int = 0) { self.failures = Mutex(failures) }

    var received: [[String]] { calls.withLock { $0 } }

    var handler: OutboxHandler {
      OutboxHandler { [self] messages in
        if failures.withLock({ left in
          left -= 1
          return left >= 0
        }) {
          throw Failure()
        }
        calls.withLock { $0.append(messages.map { String(decoding: $0.payload, as: UTF8.self) }) }
      }
    }
  }

  private func send(_ words: [String], _ options: PlainOptions, to store: Store) throws {
    try Session(store, .currentThread, options: options).write { session in for word in words { session.send(word) } }
  }

  private func waiting(_ store: Store) -> Int {
    store.published.current.table(named: TableSchema.outboxName)?.count ?? 0
  }

  @Test func documentsWaitForTheirHandler() async throws {
    let (store, receiver) = (try Store.ofNumbers(), Receiver())
    try send(["one", "two"], PlainOptions(), to: store)
    #expect(waiting(store) == 2)
    try store.attach(PlainOptions(handler: receiver.handler).outbox)
    #expect(await eventually { receiver.received == [["one", "two"]] && waiting(store) == 0 })
  }

  @Test func theOrderOfCommitsIsThatOfTheDocuments() async throws {
    let (store, receiver) = (try Store.ofNumbers(), Receiver())
    let options = PlainOptions(handler: receiver.handler)
    try store.attach(options.outbox)
    for number in 0..<20 { try send(["\(number)"], options, to: store) }
    #expect(await eventually { receiver.received.joined().count == 20 })
    #expect(Array(receiver.received.joined()) == (0..<20).map { "\($0)" })
    #expect(await eventually { waiting(store) == 0 })
  }

  @Test func aHandlerThatThrowsIsCalledAgain() async throws {
    let (store, receiver) = (try Store.ofNumbers(), Receiver(failures: 2))
    let options = PlainOptions(handler: receiver.handler)
    try store.attach(options.outbox)
    try send(["one"], options, to: store)
    #expect(await eventually { receiver.received == [["one"]] && waiting(store) == 0 })
  }

  @Test func linesAreDeliveredIndependently() async throws {
    let (store, failing, receiver) = (try Store.ofNumbers(), Receiver(failures: 1_000), Receiver())
    let (a, b) = (
      PlainOptions(line: "a", handler: failing.handler), PlainOptions(line: "b", handler: receiver.handler)
    )
    for options in [a, b] { try store.attach(options.outbox) }
    for options in [a, b, a] { try send([options.outbox.name], options, to: store) }
    #expect(await eventually { receiver.received == [["b"]] && waiting(store) == 2 })
    #expect(failing.received.isEmpty)
  }

  @Test func aLineHasOneHandler() throws {
    let (store, receiver) = (try Store.ofNumbers(), Receiver())
    let options = PlainOptions(handler: receiver.handler)
    try store.attach(options.outbox)
    try store.attach(options.outbox)
    #expect {
      try store.attach(PlainOptions(handler: receiver.handler).outbox)
    } throws: { "\($0)".contains("already opened with another ingestHandler") }
    try store.attach(PlainOptions(line: "other", handler: receiver.handler).outbox)
  }

  @Test func documentsBeyondTheLimitAreRefusedAndFailTheWrite() throws {
    let store = try Store.ofNumbers()
    let options = PlainOptions(limit: 2)
    try send(["one", "two"], options, to: store)
    #expect {
      try send(["three"], options, to: store)
    } throws: { "\($0)".contains("2 documents wait, and outboxLimit allows 2") }
    #expect(waiting(store) == 2)
  }

  @Test func aStoreWithoutTheTableSendsNothing() throws {
    let store = try Store(.memory(UUID().uuidString), StoreOptions()) { _ in
      PreparedStore(PlainClient(TableKey(rawValue: 0), ColumnKey(rawValue: 0)), changed: nil)
    }
    #expect { try send(["one"], PlainOptions(), to: store) } throws: { "\($0)".contains("has no outbox") }
  }

  @Test func aSecondFileHasNoDocuments() throws {
    let store = try Store.ofNumbers()
    try send(["one"], PlainOptions(), to: store)
    let copy = store.published.current.withoutDocuments
    #expect(copy.table(named: TableSchema.outboxName)?.count == 0 && waiting(store) == 1)
    #expect(copy.withoutDocuments.version == copy.version)
  }

  @Test func aStoreBeginsWithoutTheDocumentsOfItsSeed() throws {
    try TemporaryFolder.with { folder in
      let file = folder.appendingPathComponent("seed.realm")
      func open(_ identity: Store.Identity, seed: URL? = nil) throws -> Store {
        var options = StoreOptions()
        options.seed = seed
        return try StoreRegistry.open(identity) { try Store.ofNumbers(identity, options) }.store
      }
      let identity = Store.Identity.file(file.path)
      try {
        let store = try open(identity)
        try send(["one"], PlainOptions(), to: store)
        try Session(store, .currentThread, options: PlainOptions()).write { try $0.add(7) }
      }()
      // Closed, so that the seed is read with its journal.
      #expect(try !StoreRegistry.isOpen(identity))
      let copies: [Store.Identity] = [
        .memory(UUID().uuidString), .file(folder.appendingPathComponent("copy.realm").path),
      ]
      for copy in copies {
        let store = try open(copy, seed: file)
        #expect(waiting(store) == 0)
        let session = Session(store, .currentThread, options: PlainOptions())
        #expect(session.numbers == [7])
        // No document of the copy has the number of one of the seed.
        #expect(store.published.current.table(named: TableSchema.outboxName)?.nextKey == 1)
      }
      #expect(waiting(try open(identity)) == 1)
    }
  }

  @Test func documentsOfAFileAreDeliveredByTheNextOpening() async throws {
    try await TemporaryFolder.with { folder in
      let identity = Store.Identity.file(folder.appendingPathComponent("numbers.realm").path)
      // The registry waits until the files are closed: who waits for the commit retains the store for a moment.
      func open() throws -> Store { try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.store }
      try send(["one"], PlainOptions(), to: try open())
      let (store, receiver) = (try open(), Receiver())
      try store.attach(PlainOptions(handler: receiver.handler).outbox)
      #expect(await eventually { receiver.received == [["one"]] && waiting(store) == 0 })
    }
  }

  @Test func aStoreStaysOpenForTheFirstAttempt() async throws {
    let receiver = Receiver()
    try {
      let store = try Store.ofNumbers()
      let options = PlainOptions(handler: receiver.handler)
      try store.attach(options.outbox)
      try send(["one"], options, to: store)
    }()
    #expect(await eventually { receiver.received == [["one"]] })
  }
}
