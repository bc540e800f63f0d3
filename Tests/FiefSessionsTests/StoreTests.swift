import Dispatch
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct StoreTests {
  private func write(_ numbers: [Int], to store: Store) throws {
    let session = Session(store, .currentThread, options: PlainOptions())
    try session.beginWrite()
    for number in numbers { try session.add(number) }
    try session.commitWrite()
  }

  @Test func aFileIsFoundAgainWithoutACommitOfItsOwn() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("numbers.realm").path
      try write([3, 4], to: try Store.ofNumbers(.file(path)))
      let again = try Store.ofNumbers(.file(path))
      let session = Session(again, .currentThread, options: PlainOptions())
      #expect(session.numbers == [3, 4])
      // Declaring the table was version 1, the numbers were version 2.
      #expect(session.graph.version == 2)
    }
  }

  @Test func aReadOnlyStoreShowsTheFileAndAppendsNothing() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("numbers.realm").path
      try write([5], to: try Store.ofNumbers(.file(path)))
      var options = StoreOptions()
      options.isReadOnly = true
      let store = try Store.ofNumbers(.file(path), options)
      #expect(Session(store, .currentThread, options: PlainOptions(isReadOnly: true)).numbers == [5])
      #expect(store.files == nil)
    }
  }

  @Test func aClientThatRefusesLeavesAFileThatOpens() throws {
    struct Refusal: Error {}
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("numbers.realm").path
      try write([6], to: try Store.ofNumbers(.file(path)))
      #expect(throws: Refusal.self) { try Store(.file(path), StoreOptions()) { _ in throw Refusal() } }
      #expect(Session(try Store.ofNumbers(.file(path)), .currentThread, options: PlainOptions()).numbers == [6])
    }
  }

  @Test func aCommitWithoutChangesKeepsTheVersion() throws {
    let store = try Store.ofNumbers()
    let before = store.published.current.version
    try write([], to: store)
    #expect(store.published.current.version == before)
  }

  @Test func aRowOfADroppedWriteIsGoneAndOneThatWasNeverMadeIsNot() throws {
    let store = try Store.ofNumbers()
    let session = Session(store, .currentThread, options: PlainOptions())
    try session.beginWrite()
    let key = try session.add(1)
    let link = ObjectLink(store.numbers.table, key)
    #expect(!store.isGone(link))
    session.cancelWrite()
    #expect(store.isGone(link))
    #expect(!store.isGone(ObjectLink(store.numbers.table, ObjectKey(rawValue: key.rawValue + 1))))
  }

  /// The count of nodes is that of a process.
  @Test(.enabled(if: LiveNodes.areCounted)) func aStoreThatDoesNotWaitForTheDiskKeepsNoOldVersion() async {
    await #expect(processExitsWith: .success) {
      try TemporaryFolder.with { folder in
        let file = Store.Identity.file(folder.appendingPathComponent("numbers.realm").path)
        var options = StoreOptions()
        options.waitsForDisk = false
        func open() throws -> Session {
          Session(try Store.ofNumbers(file, options), .currentThread, options: PlainOptions())
        }
        try open().write { session in for number in 0..<10_000 { try session.add(number) } }
        let session = try open()
        #expect(session.numbers.count == 10_000)
        let before = LiveNodes.count
        try session.write { session in session.perform { try $0.clear([session.store.numbers.table]) } }
        #expect(session.numbers.isEmpty && LiveNodes.count < before / 2)
      }
    }
  }

  // MARK: Sessions

  @Test func aStoreListsTheSessionOfAnExecutorWhileItLives() throws {
    let store = try Store.ofNumbers()
    do {
      let session = store.session(.currentThread, PlainOptions())
      #expect(store.session(.currentThread, PlainOptions()) === session)
      #expect(store.signals.count == 1 && store.signals.first === session.signal)
      _ = session.graph
    }
    #expect(store.signals.isEmpty)
  }

  @Test func aFrozenSessionIsNotListed() throws {
    let store = try Store.ofNumbers()
    let session = store.session(.currentThread, PlainOptions())
    let frozen = session.frozen()
    #expect(store.signals.count == 1 && frozen.thawed() === session)
    #expect(store.frozenPins.versions == [frozen.graph.version: 1])
  }

  @Test func aSignalOutlivesItsSessionAndWakesNobody() throws {
    let store = try Store.ofNumbers()
    let queue = DispatchQueue(label: "signals")
    let signal = queue.sync {
      let session = store.session(.of(queue), PlainOptions())
      _ = session.graph
      return session.signal
    }
    signal.raise()
    queue.sync {}
    #expect(store.signals.isEmpty && signal.pinnedVersion == store.published.current.version)
  }

  @Test func aRowIsFoundByItsPrimaryKeyAsTheSessionSeesIt() throws {
    let store = try Store(.memory(UUID().uuidString), StoreOptions()) { stored in
      let transaction = Transaction(stored.graph)
      let table = try transaction.addTable("Word")
      let column = try transaction.addColumn(to: table, "text", ColumnType(.string))
      try transaction.setPrimaryKey(column, of: table)
      return PreparedStore(PlainClient(table, column), changed: transaction.successor)
    }
    let session = Session(store, .currentThread, options: PlainOptions())
    let table = store.numbers.table
    var key: ObjectKey?
    try session.beginWrite()
    session.perform { key = try $0.create(in: table, primaryKey: .string("a")) }
    #expect(key != nil && session.borrowedRow(primaryKey: .string("a"), in: table)?.key == key)
    try session.commitWrite()
    #expect(session.borrowedRow(primaryKey: .string("a"), in: table)?.key == key)
    for other in [Value.string("b"), .int(1), .null] {
      #expect(session.borrowedRow(primaryKey: other, in: table) == nil)
    }
  }

  // MARK: Registry

  @Test func aStoreIsOpenedOnceAndClosedWithItsLastReference() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    try {
      let opened = try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }
      let again = try StoreRegistry.open(identity) { throw CancellationError() }
      #expect(!opened.wasOpen && again.wasOpen && again.store === opened.store)
      #expect(StoreRegistry.present(identity) === opened.store)
    }()
    #expect(StoreRegistry.present(identity) == nil)
  }

  @Test func anOpenStoreIsNotKeptClosed() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    let store = try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.store
    #expect {
      try StoreRegistry.whileClosed(identity) { Issue.record("The store is open.") }
    } throws: { ($0 as? SessionError)?.code == .alreadyOpen }
    withExtendedLifetime(store) {}
  }

  @Test func openingAStoreWhileThisThreadOpensItIsRefused() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    #expect {
      _ = try StoreRegistry.open(identity) {
        try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.store
      }
    } throws: { ($0 as? SessionError)?.code == .fail }
    // The refusal has released the identity.
    #expect(try !StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.wasOpen)
  }

  // MARK: Visits

  /// An hour: the threads of other tests may keep a visit from its end for longer than an opening waits.
  private let patience: TimeInterval = 3_600

  /// A visit that another thread has begun, and that ends when it is told to.
  private final class Visit: Sendable {
    private let (begun, mayEnd, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )

    init(_ identity: Store.Identity, _ store: Store) {
      let reference = WeakReference(store)
      Thread.detachNewThread { [self] in
        StoreRegistry.visit(reference, identity) { _ in
          begun.signal()
          mayEnd.wait()
        }
        hasEnded.signal()
      }
      begun.wait()
    }

    func end() {
      mayEnd.signal()
      hasEnded.wait()
    }
  }

  /// Opens a store, and releases it while a visit retains it.
  private func visitOfReleasedStore(_ identity: Store.Identity) throws -> Visit {
    Visit(identity, try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.store)
  }

  @Test func anOpeningTakesNoStoreThatOnlyVisitsRetain() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    let visits = [try visitOfReleasedStore(identity), Visit(identity, try #require(StoreRegistry.present(identity)))]
    let opened = Mutex<[Bool]>([])
    let ends = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      Thread.detachNewThread { [patience] in
        let result = Result {
          try StoreRegistry.open(identity, waitingForVisits: patience) { try Store.ofNumbers(identity) }
        }
        opened.withLock { $0.append((try? result.get().wasOpen) ?? true) }
        ends.signal()
      }
    }
    #expect(ends.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    visits[0].end()
    #expect(ends.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    visits[1].end()
    for _ in 0..<2 { ends.wait() }
    // The second one may take what the first has opened, and may say so before it.
    #expect(opened.withLock { $0.contains(false) })
  }

  @Test func aStoreWithASessionIsTakenDuringAVisit() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    let store = try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.store
    let visit = Visit(identity, store)
    do {
      let session = store.session(.currentThread, PlainOptions())
      let again = try StoreRegistry.open(identity) { throw CancellationError() }
      #expect(again.wasOpen && again.store === store)
      withExtendedLifetime(session) {}
    }
    do {
      let frozen = Session(store, .frozen, options: PlainOptions(), frozenAt: store.published.current)
      #expect(try StoreRegistry.open(identity) { throw CancellationError() }.store === store)
      withExtendedLifetime(frozen) {}
    }
    visit.end()
  }

  @Test func aVisitThatDoesNotEndDelaysAnOpeningForALimitedTime() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    let visit = try visitOfReleasedStore(identity)
    #expect(try StoreRegistry.open(identity, waitingForVisits: 0.02) { throw CancellationError() }.wasOpen)
    visit.end()
    #expect(StoreRegistry.present(identity) == nil)
  }

  @Test func aStoreThatOnlyAVisitRetainsIsNotOpen() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    let visit = try visitOfReleasedStore(identity)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.02)
      visit.end()
    }
    #expect(try !StoreRegistry.isOpen(identity, waitingForVisits: patience))
    let store = try StoreRegistry.open(identity) { try Store.ofNumbers(identity) }.store
    #expect(try StoreRegistry.isOpen(identity))
    withExtendedLifetime(store) {}
  }

  @Test func aStoreIsKeptClosedAfterAVisitHasReleasedIt() throws {
    let identity = Store.Identity.memory(UUID().uuidString)
    let visit = try visitOfReleasedStore(identity)
    Thread.detachNewThread { visit.end() }
    let isPresent = try StoreRegistry.whileClosed(identity, waitingForVisits: patience) {
      StoreRegistry.present(identity) != nil
    }
    #expect(!isPresent)
  }

  // MARK: Parts

  @Test func versionsAreCountedBySessions() {
    let pins = VersionPins(limit: 2)
    for version: UInt64 in [1, 1, 2] { pins.add(version) }
    #expect(pins.versions == [1: 2, 2: 1])
    #expect(!pins.isExceeded)
    pins.add(3)
    #expect(pins.isExceeded)
    pins.remove(1)
    #expect(pins.isExceeded)
    pins.remove(1)
    #expect(pins.versions == [2: 1, 3: 1])
    #expect(!pins.isExceeded)
  }

  @Test(arguments: Seeds.all) func versionsAreCountedInAnyOrder(seed: Seed) {
    var random = seed.random
    let pins = VersionPins(limit: 20)
    var expected: [UInt64: Int] = [:]
    for _ in 0..<2_000 {
      let version = UInt64(random.below(60)) + 1
      if random.below(2) == 0, let count = expected[version] {
        expected[version] = count == 1 ? nil : count - 1
        pins.remove(version)
      } else if random.below(3) == 0 {
        expected[version, default: 0] += 1
        pins.add(version)
      }
      #expect(pins.versions == expected && pins.isEmpty == expected.isEmpty)
      #expect(pins.isExceeded == (expected.count > 20))
    }
  }

  /// If each release looked at all versions, this would not end in the patience of anybody.
  @Test func manyVersionsAreReleasedFromTheOldestOn() {
    let pins = VersionPins()
    for version: UInt64 in 1...200_000 { pins.add(version) }
    for version: UInt64 in 1...200_000 { pins.remove(version) }
    #expect(pins.isEmpty)
  }

  @Test func aReleaseOfAVersionThatNobodyUsesTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pins = VersionPins()
      for version: UInt64 in 1...3 { pins.add(version) }
      pins.remove(2)
      pins.remove(2)
    }
    expectSentence("A version was released that no session uses", of: result)
  }

  @Test func aTicketMovesASessionForwardAndNeverBack() throws {
    let store = try Store.ofNumbers()
    let writer = Session(store, .currentThread, options: PlainOptions())
    let reader = Session(store, .currentThread, options: PlainOptions())
    let first = VersionTicket(writer)
    try write([1], to: store)
    _ = writer.refresh()
    let second = VersionTicket(writer)
    // A session without a version begins with that of the ticket.
    first.advance(reader, from: .recorded)
    #expect(reader.numbers == [])
    second.advance(reader, from: .recorded)
    #expect(reader.numbers == [1])
    first.advance(reader, from: .recorded)
    #expect(reader.numbers == [1])
    guard case .same = second.next(after: reader) else {
      Issue.record("A session of the recorded version makes no other ticket.")
      return
    }
    guard case .moved(let moved) = first.next(after: reader) else {
      Issue.record("A session of a later version moves the ticket.")
      return
    }
    #expect(moved.isLevel(with: second))
  }
}
