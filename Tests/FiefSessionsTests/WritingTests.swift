import Dispatch
import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// The writer's turn: who holds the lock, and every way in which a write ends.
@Suite struct WritingTests {
  private struct Refusal: Error {}

  private let store: Store
  private let session: Session

  init() throws {
    store = try Store.ofNumbers()
    session = Session(store, .currentThread, options: PlainOptions())
  }

  @Test func theLockIsHeldFromTheBeginningToTheEnd() throws {
    #expect(!store.lock.isHeld)
    try session.write { session in
      #expect(store.lock.isHeld)
      try session.add(1)
    }
    #expect(!store.lock.isHeld)
    try session.beginWrite()
    session.cancelWrite()
    #expect(!store.lock.isHeld)
  }

  @Test func aBlockThatThrowsRollsBack() throws {
    #expect(throws: Refusal.self) {
      try session.write { session in
        try session.add(1)
        throw Refusal()
      }
    }
    #expect(!store.lock.isHeld && session.transaction == nil && session.numbers == [])
  }

  @Test func aBlockMayEndItsWrite() throws {
    try session.write { session in
      try session.add(1)
      try session.commitWrite()
    }
    #expect(throws: Refusal.self) {
      try session.write { session in
        try session.add(2)
        session.cancelWrite()
        throw Refusal()
      }
    }
    #expect(session.numbers == [1] && !store.lock.isHeld)
  }

  @Test func committingWithoutAWriteIsRefused() {
    #expect { try session.commitWrite() } throws: { "\($0)".contains("no write transaction is under way") }
  }

  @Test func cancellingWithoutAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Session(try Store.ofNumbers(), .currentThread, options: PlainOptions()).cancelWrite()
    }
    expectSentence("Cannot cancel a write transaction: none is under way", of: result)
  }

  @Test func changingOutsideAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Session(try Store.ofNumbers(), .currentThread, options: PlainOptions()).add(1)
    }
    expectSentence("outside of a write transaction: call it inside realm.write", of: result)
  }

  @Test func writingInAFrozenSessionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Session(try Store.ofNumbers(), .currentThread, options: PlainOptions()).frozen().beginWrite()
    }
    expectSentence("Cannot begin a write transaction while frozen", of: result)
  }

  @Test func aSessionThatIsReleasedGivesTheLockBack() throws {
    let store = store
    try {
      let queue = DispatchQueue(label: "releasing")
      try queue.sync {
        let session = Session(store, .of(queue), options: PlainOptions())
        try session.beginWrite()
        try session.add(1)
      }
    }()
    #expect(!store.lock.isHeld && session.numbers == [])
  }

  @Test func aThreadThatEndsGivesTheLockBack() throws {
    let store = store
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let session = Session(store, .currentThread, options: PlainOptions())
      try? session.beginWrite()
      session.retainWhileWriting()
      done.signal()
    }
    done.wait()
    // Waits for its turn until the thread has ended.
    try session.write { try $0.add(1) }
    #expect(session.numbers == [1])
  }

  @Test func invalidatingRollsBack() throws {
    try session.beginWrite()
    try session.add(1)
    session.invalidate()
    #expect(session.transaction == nil && !store.lock.isHeld && session.numbers == [])
  }

  @Test func writersOfSeveralThreadsLoseNothing() throws {
    let (store, threads, writes) = (store, 4, 25)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let session = Session(store, .currentThread, options: PlainOptions())
      for number in 0..<writes { try? session.write { try $0.add(thread * writes + number) } }
    }
    _ = session.refresh()
    #expect(session.numbers.sorted() == (0..<Int64(threads * writes)).map { $0 })
    #expect(session.graph.version == UInt64(1 + threads * writes))
  }

  @Test func aSavepointThatEndsItsWriteRestoresNothing() throws {
    try session.beginWrite()
    try session.add(1)
    #expect(throws: Refusal.self) {
      try session.savepoint {
        try session.commitWrite()
        throw Refusal()
      }
    }
    #expect(session.numbers == [1])
  }

  @Test func aStoreThatTakesNoMoreWritesSaysSoAtTheBeginningOrAtTheEnd() throws {
    try TemporaryFolder.with { folder in
      let file = folder.appendingPathComponent("numbers.realm")
      var options = StoreOptions()
      options.patience = 60_000
      let store = try Store.ofNumbers(.file(file.path), options)
      let session = Session(store, .currentThread, options: PlainOptions())
      try session.write { try $0.add(1) }
      try FileManager.default.removeItem(atPath: file.path + ".journal")
      #expect(throws: PlainClient.Explained.self) { try session.write { try $0.add(2) } }
      var hasRun = false
      #expect(throws: PlainClient.Explained.self) { try session.write { _ in hasRun = true } }
      #expect(!hasRun && !store.lock.isHeld)
      for _ in 0..<2 {
        try session.beginWrite(reportsAtEnd: true)
        try session.add(3)
        #expect(session.numbers == [1, 3])
        #expect(throws: PlainClient.Explained.self) { try session.commitWrite() }
        #expect(session.numbers == [1] && session.transaction == nil && !store.lock.isHeld)
      }
      try session.beginWrite(reportsAtEnd: true)
      session.cancelWrite()
      #expect(!store.lock.isHeld)
    }
  }

  @Test func savepointsMayBeNested() throws {
    try session.write { session in
      try session.add(1)
      try session.savepoint {
        try session.add(2)
        try? session.savepoint {
          try session.add(3)
          throw Refusal()
        }
        try session.add(4)
      }
    }
    #expect(session.numbers == [1, 2, 4])
  }

  @Test func thePhaseOfAWriteShowsInTheValidity() throws {
    let before = session.validity.stamp
    try session.beginWrite()
    #expect(session.validity.phase == .writing && session.validity.stamp > before && session.writing != nil)
    try session.commitWrite()
    #expect(session.validity.phase == .reading && session.writing == nil)
  }

  // MARK: Later

  private func later(_ body: @escaping @Sendable (Session) -> Void) -> Held<Session> {
    let (queue, store) = (DispatchQueue(label: "later"), store)
    return queue.sync {
      let held = Held(store.session(.of(queue), PlainOptions()))
      body(held.value)
      return held
    }
  }

  @Test func aQueuedWriteIsCommittedAndReported() throws {
    let outcome = Mutex<[String]>([])
    let held = later { session in
      let write = AsyncWrite(
        block: { _ = try? session.add(7) },
        end: .commit { failure in outcome.withLock { $0.append("\(String(describing: failure))") } })
      _ = session.queue(write)
      #expect(session.transaction == nil)
    }
    #expect(waits { outcome.withLock { $0 } == ["nil"] })
    _ = session.refresh()
    #expect(session.numbers == [7])
    withExtendedLifetime(held) {}
  }

  @Test func aQueuedWriteIsRolledBackWhenItsBlockDoesNotEndIt() throws {
    let ran = Mutex(false)
    let held = later { session in
      _ = session.queue(
        AsyncWrite(
          block: {
            _ = try? session.add(7)
            ran.withLock { $0 = true }
          }, end: .rollBack))
    }
    #expect(waits { ran.withLock { $0 } && !store.lock.isHeld })
    _ = session.refresh()
    #expect(session.numbers == [])
    withExtendedLifetime(held) {}
  }

  @Test func aQueuedWriteThatIsCancelledBeforeItsTurnDoesNotRun() throws {
    try session.beginWrite()
    let ran = Mutex(false)
    let held = later { session in
      let number = session.queue(
        AsyncWrite(block: { ran.withLock { $0 = true } }, end: .rollBack))
      session.cancelOperation(number)
      #expect(session.operations.isEmpty)
    }
    session.cancelWrite()
    try session.write { try $0.add(1) }
    #expect(!ran.withLock { $0 })
    withExtendedLifetime(held) {}
  }

  @Test func aSessionIsReleasedAfterItsCompletionWhateverElseIsReported() throws {
    try TemporaryFolder.with { folder in
      let store = try Store.ofNumbers(.file(folder.appendingPathComponent("numbers.realm").path))
      let queue = DispatchQueue(label: "completing")
      let (isComplete, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      try queue.sync {
        let session = store.session(.of(queue), PlainOptions())
        try session.beginWrite()
        try session.add(1)
        session.commitWriteLater(.timer) { _ in isComplete.signal() }
        // Follows in the same round of reports.
        store.files?.whenDurable(session.graph.version, urgency: .now) { _ in isOver.wait() }
      }
      isComplete.wait()
      queue.sync {}
      #expect(store.signals.isEmpty)
      isOver.signal()
    }
  }

  @Test func theQueuedWriteOfAThreadThatEndsHoldsUpNobody() throws {
    try session.beginWrite()
    let (store, queued, isOver) = (store, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        let session = store.session(.currentThread, PlainOptions())
        session.checkCanSchedule("A write")
        _ = session.queue(AsyncWrite(block: { _ = session.numbers }, end: .rollBack))
      }
      RunLoop.current.add(timer, forMode: .default)
      // Returns when the timer has fired, and does not run again.
      _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      queued.signal()
      isOver.wait()
    }
    queued.wait()
    // The lock is offered to the thread, which never takes it.
    session.cancelWrite()
    isOver.signal()
    let outcome = Mutex<[String]>([])
    let held = later { session in
      let write = AsyncWrite(
        block: { _ = try? session.add(7) },
        end: .commit { failure in outcome.withLock { $0.append("\(String(describing: failure))") } })
      _ = session.queue(write)
    }
    #expect(waits { outcome.withLock { $0 } == ["nil"] })
    withExtendedLifetime(held) {}
  }

  /// A session of a queue whose write is open, so that all others wait.
  private struct OpenWriter {
    private let queue = DispatchQueue(label: "holding")
    private let session: Held<Session>

    init(of store: Store) throws {
      let queue = queue
      session = try queue.sync {
        let session = Session(store, .of(queue), options: PlainOptions())
        try session.beginWrite()
        return Held(session)
      }
    }

    func run(_ body: (Session) throws -> Void) rethrows {
      try queue.sync { try body(session.value) }
    }
  }

  private actor Visitor {
    /// Queues a write whose block refers to the session.
    func queueWrite(to store: Store) {
      let session = store.session(.of(self), PlainOptions())
      _ = session.queue(AsyncWrite(block: { _ = try? session.add(1) }, end: .commit { _ in _ = session.numbers }))
    }
  }

  @Test func theQueuedWritesOfAnActorThatIsGoneKeepNoSession() async throws {
    let store = try Store.ofNumbers()
    let writer = try OpenWriter(of: store)
    for _ in 0..<3 {
      let visitor = Visitor()
      for _ in 0..<3 { await visitor.queueWrite(to: store) }
    }
    #expect(store.signals.count == 3)
    writer.run { $0.cancelWrite() }
    #expect(await eventually { store.signals.isEmpty && !store.lock.isHeld })
    try writer.run { session in
      try session.write { try $0.add(2) }
      #expect(session.numbers == [2])
    }
  }

  private actor Writer {
    private var session: Session?

    func write(_ number: Int, to store: Store) async throws -> [Int64] {
      let session = store.session(.of(self), PlainOptions())
      try await session.writeSuspending(isolation: self) { _ = try session.add(number) }
      return session.numbers
    }
  }

  @Test func anActorSuspendsUntilItsTurn() async throws {
    let store = try Store.ofNumbers()
    let writer = try OpenWriter(of: store)
    async let numbers = Writer().write(2, to: store)
    try writer.run { session in
      try session.add(1)
      try session.commitWrite()
    }
    let found = try await numbers
    #expect(found == [1, 2])
  }

  @Test func aCancelledTaskDoesNotWrite() async throws {
    let store = try Store.ofNumbers()
    let writer = try OpenWriter(of: store)
    let task = Task { try await Writer().write(2, to: store) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    writer.run { $0.cancelWrite() }
    #expect(!store.lock.isHeld)
  }
}
