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
      var failure: (any Error)?
      do {
        if transaction != nil { try commitWrite() }
      } catch {
        failure = error
      }
      completeLater(failure, completion)
    }
  }

  /// Schedules a completion on the session's executor.
  @discardableResult
  package func completeLater(_ failure: (any Error)?, _ completion: @escaping ((any Error)?) -> Void) -> OperationNumber
  {
    let number = add(.completion(completion))
    let held = UncheckedBox(self)
    let isScheduled = confinement.schedule {
      guard case .completion(let completion)? = held.value.operations.removeValue(forKey: number) else { return }
      completion(failure)
    }
    if !isScheduled { operations[number] = nil }
    return number
  }

  /// Cancels an operation that has not begun.
  package func cancelOperation(_ number: OperationNumber) {
    if case .running? = operations[number] { return }
    if case .write(let ticket, _)? = operations.removeValue(forKey: number) { store.lock.leaveQueue(ticket) }
  }

  /// Runs a write, and suspends the task until its turn.
  package func writeSuspending<Result>(
    isolation: isolated any Actor, _ block: () throws -> Result
  ) async throws -> Result {
    let number = add(.running)
    defer { operations[number] = nil }
    try await beginWriteSuspending(isolation: isolation)
    return try finishWrite(block)
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
