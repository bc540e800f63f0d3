import FiefRuntime

extension Session {
  /// Traps unless work can be scheduled on the session's executor.
  package func checkCanSchedule(_ what: String) {
    checkMayEverWrite()
    checkConfinement()
    if !confinement.findRunLoop() {
      fatalError(
        "\(what) needs a realm of the main thread, of a queue, of an actor, or of a thread whose run loop is running, "
          + "where work can be left to be done; this one belongs to \(confinement.words), whose run loop is not.")
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
    store.lock.whenTurnComes(ticket) {
      let session = held.value
      if !session.confinement.schedule({ held.value.turnCame(ticket, number) }) {
        session.store.lock.leaveQueue(ticket)
      }
    }
  }

  private func turnCame(_ ticket: WriterLock.Ticket, _ number: OperationNumber) {
    guard case .write(_, let write)? = operations[number] else { return store.lock.leaveQueue(ticket) }
    guard store.lock.start(ticket) else { return wait(ticket, number) }
    operations[number] = .running
    defer { operations[number] = nil }
    assert(transaction == nil, "The turn of a write comes when no write is under way.")
    do {
      try startTransaction()
    } catch {
      switch write.end {
      // No caller can receive the error, as in `beginWrite`.
      case .rollBack: fatalError("\(error)")
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
      if transaction != nil { commitWriteLater(lingers: false, completion) } else { completeLater(nil, completion) }
    }
  }

  /// Commits and publishes the write. Returns before the disk has it, and reports later whether it is durable.
  ///
  /// A commit whose synchronization fails is rolled back for all sessions. The store accepts no further writes then.
  ///
  /// - Parameters:
  ///   - lingers: whether the commit may wait a little for others, to be synchronized together with them.
  ///   - completion: called on the session's executor, with the errors of `commitWrite(skipping:)`.
  @discardableResult
  package func commitWriteLater(
    lingers: Bool, _ completion: @escaping ((any Error)?) -> Void
  ) -> OperationNumber {
    do {
      guard let version = try commitWriteEarly(lingers: lingers) else { return completeLater(nil, completion) }
      let number = add(.completion(completion))
      // The closure keeps the session alive, and uses it only on its executor.
      let held = UncheckedBox(self)
      store.whenDurable(version, lingers: lingers) { [reports] failure in
        if reports.add(DurabilityReports.Report(number: number, failure: failure)) { Self.scheduleReport(held) }
      }
      return number
    } catch {
      return completeLater(error, completion)
    }
  }

  /// Schedules the delivery of the first report on the session's executor. The closure keeps the session alive.
  private static func scheduleReport(_ held: UncheckedBox<Session>) {
    let isScheduled = held.value.confinement.schedule {
      guard let (report, more) = held.value.reports.take() else { return }
      if more { scheduleReport(held) }
      held.value.complete(report.number, report.failure)
    }
    if !isScheduled { held.value.reports.drop() }
  }

  private func complete(_ number: OperationNumber, _ failure: (any Error)?) {
    guard case .completion(let completion)? = operations.removeValue(forKey: number) else { return }
    // The completion finds the rolled-back contents.
    if failure != nil { _ = refresh() }
    completion(failure)
  }

  /// Suspends the task until a version is durable.
  private func waitSuspending(_ version: UInt64, isolation: isolated any Actor) async throws {
    let store = store
    let failure = await AwaitedValue<(any Error)?>.receive(isolation: isolation) { handOver in
      store.whenDurable(version, lingers: false, handOver)
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
  package func writeSuspending<Result>(
    isolation: isolated any Actor, _ block: () throws -> Result
  ) async throws -> Result {
    let number = add(.running)
    defer { operations[number] = nil }
    try await beginWriteSuspending(isolation: isolation)
    let result = try runInWrite(block)
    if transaction != nil, let version = try commitWriteEarly(lingers: false) {
      try await waitSuspending(version, isolation: isolation)
    }
    return result
  }

  private func beginWriteSuspending(isolation: isolated any Actor) async throws {
    try await store.lock.enterSuspending(ObjectIdentifier(self), isolation: isolation)
    if Task.isCancelled {
      store.lock.leave()
      throw CancellationError()
    }
    try startTransaction()
  }
}
