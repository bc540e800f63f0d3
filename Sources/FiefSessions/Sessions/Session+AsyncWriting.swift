import Dispatch
import FiefDurability
import FiefRuntime
import Synchronization

/// A session on its way to its executor, which takes it out. Whoever schedules its work keeps nothing of it then: the
/// application may release the last reference after its completion, and rely on that.
private final class SentSession: Sendable {
  let confinement: Confinement
  private let session: Mutex<UncheckedBox<Session>?>

  init(_ session: Session) {
    confinement = session.confinement
    self.session = Mutex(UncheckedBox(session))
  }

  /// The session, once.
  func take() -> Session? {
    session.withLock { session in
      defer { session = nil }
      return session
    }?.value
  }
}

extension Session {
  /// Traps unless work can be scheduled on the session's executor.
  package func checkCanSchedule(_ what: String) {
    checkMayEverWrite()
    checkConfinement()
    if !confinement.findRunLoop() {
      fatalError(
        "\(what) needs a realm of the main thread, of a queue, of an actor, or of a thread whose run loop is running, "
          + "where work can be left to be done; this one belongs to \(confinement.label), whose run loop is not.")
    }
  }

  private func add(_ operation: AsyncOperation) -> OperationNumber {
    lastOperation &+= 1
    assert(operations[lastOperation] == nil, "The number of an operation is given out once.")
    operations[lastOperation] = operation
    return lastOperation
  }

  /// Queues a write.
  package func queue(_ write: AsyncWrite) -> OperationNumber {
    let ticket = store.lock.queue(ObjectIdentifier(self))
    let number = add(.write(ticket, write))
    wait(ticket, number)
    return number
  }

  private func wait(_ ticket: WriterLock.Ticket, _ number: OperationNumber) {
    // The closure keeps the session alive until its turn, and uses it only on its executor.
    let held = UncheckedBox(self)
    let store = store
    store.lock.whenTurnComes(ticket) {
      // Cancelled.
      if !store.lock.waits(ticket) { return }
      store.reserveTurn {
        let session = held.value
        if session.confinement.schedule({ held.value.turnCame(ticket, number) }) { return }
        // In a block of its own: the next in line may be of an executor that has ended, too, and so may many more.
        DispatchQueue.global().async { held.value.abandonOperations() }
      }
    }
  }

  /// Drops all operations, because the executor has ended, and they never run. Their places in line would hold up the
  /// writers behind them, and their blocks, which often refer to the realm, would keep it open.
  ///
  /// Any thread may call this when the executor has ended.
  func abandonOperations() {
    let dropped = store.state.withLock { _ in
      let dropped = operations
      (operations, awaited) = ([:], [])
      return UncheckedBox(dropped)
    }
    let tickets = dropped.value.values.compactMap { if case .write(let ticket, _) = $0 { ticket } else { nil } }
    // The last one first: so none of them is offered the lock by the one before.
    for ticket in tickets.sorted(by: >) { store.lock.leaveQueue(ticket) }
  }

  private func turnCame(_ ticket: WriterLock.Ticket, _ number: OperationNumber) {
    guard case .write(_, let write)? = operations[number] else { return store.lock.leaveQueue(ticket) }
    guard store.lock.start(ticket) else { return wait(ticket, number) }
    operations[number] = .running
    defer { operations[number] = nil }
    assert(transaction == nil, "The turn of a write comes when no write is under way.")
    let reportsAtEnd = if case .rollBack = write.end { true } else { false }
    do {
      try startTransaction(reportsAtEnd: reportsAtEnd)
    } catch {
      switch write.end {
      // No caller can receive the error, as in `beginWrite`.
      case .rollBack:
        fatalError(
          "beginAsyncWrite(_:) cannot begin a write, and cannot report the error, as writeAsync(_:onComplete:) does: "
            + "\(error)")
      case .commit(let completion): completeLater(error, completion)
      }
      return
    }
    let begun = transaction
    write.block()
    // A block may end its own write.
    let isOpen = transaction != nil && transaction === begun
    switch write.end {
    case .rollBack: if isOpen { cancelWrite() }
    case .commit(let completion):
      if transaction != nil { commitWriteLater(.now, completion) } else { completeLater(nil, completion) }
    }
  }

  /// Commits and publishes the write. Returns before the disk has it, and reports later whether it is durable.
  ///
  /// A commit whose synchronization fails is rolled back for all sessions. The store accepts no further writes then.
  ///
  /// - Parameters:
  ///   - urgency: how soon the disk has to have it.
  ///   - completion: called on the session's executor, with the errors of `commitWrite(skipping:)`.
  @discardableResult
  package func commitWriteLater(_ urgency: Urgency, _ completion: @escaping ((any Error)?) -> Void) -> OperationNumber {
    do {
      guard let version = try commitWriteEarly(urgency) else { return completeLater(nil, completion) }
      let number = add(.completion(completion))
      assert(awaited.last.map { $0.version <= version } ?? true, "Commits wait in the order of their versions.")
      awaited.append((number, version))
      let sent = awaited.count == 1 ? SentSession(self) : nil
      store.whenDurable(version, urgency: urgency) { _ in sent.map(Self.completeFirstLater) }
      return number
    } catch {
      return completeLater(error, completion)
    }
  }

  /// Schedules the completion of the first commit that waits, when the disk has it. The session is kept alive until
  /// then, and used only on its executor.
  ///
  /// One synchronization serves many commits. If each woke the executor, that would take longer than the commits. So
  /// only the first one does, and its completion schedules the next. Each has a block of its own: one that runs a
  /// nested run loop does not hold up the others.
  private static func completeFirstLater(_ sent: SentSession) {
    if !sent.confinement.schedule({ sent.take()?.completeFirst() }) { sent.take()?.abandonOperations() }
  }

  private func completeFirst() {
    guard let files = store.files, let (number, version) = awaited.popFirst() else { return }
    let durable = files.durableVersion
    let failure = version <= durable ? nil : files.failure(of: version).map(store.client.explain)
    if let next = awaited.first?.version {
      let sent = SentSession(self)
      // Its own urgency was asked for by its commit.
      if next <= durable {
        Self.completeFirstLater(sent)
      } else {
        store.whenDurable(next, urgency: .timer) { _ in Self.completeFirstLater(sent) }
      }
    }
    complete(number, failure)
  }

  private func complete(_ number: OperationNumber, _ failure: (any Error)?) {
    guard case .completion(let completion)? = operations.removeValue(forKey: number) else { return }
    assert(operations[number] == nil, "A completion is called once.")
    // The completion finds the rolled-back contents.
    if failure != nil { _ = refresh() }
    completion(failure)
  }

  /// Suspends the task until a version is durable.
  private func waitSuspending(_ version: UInt64, isolation: isolated any Actor) async throws {
    let store = store
    let failure = await AwaitedValue<(any Error)?>.receive(isolation: isolation) { handOver in
      store.whenDurable(version, urgency: .now, handOver)
    }
    guard let failure else { return }
    _ = refresh()
    throw failure
  }

  /// Schedules a completion on the session's executor.
  @discardableResult
  package func completeLater(_ failure: (any Error)?, _ completion: @escaping ((any Error)?) -> Void) -> OperationNumber
  {
    let number = add(.completion(completion))
    let held = UncheckedBox(self)
    let isScheduled = confinement.schedule { held.value.complete(number, failure) }
    if !isScheduled { operations[number] = nil }
    return number
  }

  /// Cancels an operation that has not begun.
  package func cancelOperation(_ number: OperationNumber) {
    if case .running? = operations[number] { return }
    if case .write(let ticket, _)? = operations.removeValue(forKey: number) { store.lock.leaveQueue(ticket) }
  }

  /// Runs a write. Suspends the task until its turn, and then until the commit is durable.
  ///
  /// - Parameter durability: when the commit is complete; nil for what the store's options require.
  package func writeSuspending<Result>(
    isolation: isolated any Actor, durability: Durability? = nil, _ block: () throws -> Result
  ) async throws -> Result {
    let number = add(.running)
    defer { operations[number] = nil }
    try await beginWriteSuspending(isolation: isolation)
    let result = try runInWrite(block)
    if transaction == nil { return result }
    let waits = durability.map { $0 == .full } ?? store.waitsForDisk
    var version = try commitWriteEarly(waits ? .now : .timer)
    // The options of this store do not wait for the disk, and this write does.
    if version == nil && waits && store.files != nil { version = graph.version }
    guard let version else { return result }
    if waits {
      try await waitSuspending(version, isolation: isolation)
    } else {
      store.becomeDurableLater(version)
    }
    return result
  }

  private func beginWriteSuspending(isolation: isolated any Actor) async throws {
    let store = store
    try await store.lock.enterSuspending(ObjectIdentifier(self), isolation: isolation) { store.reserveTurn($0) }
    if Task.isCancelled {
      store.lock.leave()
      throw CancellationError()
    }
    try startTransaction()
  }
}
