import FiefDurability
public import FiefGraph

extension Session {
  /// Begins a write: waits for its turn, advances to the latest version, and notifies observers.
  ///
  /// - Parameter reportsAtEnd: whether a store that takes no more writes is reported by the end of the write, because
  ///   the caller cannot report it.
  /// - Throws: an error when more versions are in use than the configuration allows, or another process writes for too
  ///   long; the reason why the store takes no more writes.
  package func beginWrite(reportsAtEnd: Bool = false) throws {
    checkCanWrite()
    turns.begin()
    store.lock.enter(ObjectIdentifier(self))
    try startTransaction(reportsAtEnd: reportsAtEnd)
    assert(transaction != nil, "A write that began has a transaction.")
  }

  /// Retains the session until its write ends, if it belongs to a thread. Another realm opened on the thread then finds
  /// the open write, even when its first realm was released. The end of the thread rolls the write back. The end of a
  /// queue or an actor cannot be observed, so a retained write there could hold the lock forever.
  package func retainWhileWriting() {
    switch confinement {
    case .thread, .main: retainedByWrite = self
    case .queue, .actor, .frozen: break
    }
  }

  /// Traps unless a write may begin on the running executor.
  func checkCanWrite() {
    checkMayEverWrite()
    checkConfinement()
    if transaction != nil {
      fatalError(
        "The realm is already in a write transaction, and writes do not nest: make the changes in that write, or in a "
          + "realm.savepoint { } in it if they may fail alone.")
    }
  }

  /// Traps for realms that never allow writes.
  package func checkMayEverWrite() {
    if isFrozen { Misuse.frozen("Cannot begin a write transaction") }
    if onlyReads {
      fatalError("Cannot begin a write transaction: the realm is that of a closure that computes a value.")
    }
    if options.isReadOnly {
      fatalError("Cannot begin a write transaction: the realm was opened read-only.")
    }
  }

  /// Begins a write that holds the lock.
  ///
  /// - Parameter reportsAtEnd: as in `beginWrite`. Such a write is based on the latest version that this process knows,
  ///   and has failed from its beginning.
  func startTransaction(reportsAtEnd: Bool = false) throws {
    assert(transaction == nil, "A write does not begin inside another.")
    assert(store.lock.isHeld, "The writer's lock is held before a transaction begins.")
    var refusal: (any Error)?
    do throws(Store.TurnRefusal) { try store.takeTurn() } catch {
      if error.isBusy || !reportsAtEnd {
        store.lock.leave()
        throw error.reason
      }
      refusal = error.reason
    }
    advance()
    if let pins = store.pins, pins.isExceeded {
      store.endTurn()
      store.lock.leave()
      throw store.client.explain(
        SessionError(
          .fail,
          "The number of active versions exceeds the limit of \(pins.limit): release frozen objects, and realms that "
            + "look at old versions, or raise maximumNumberOfActiveVersions."))
    }
    let transaction = store.begin()
    transactionStorage = transaction
    failure = refusal
    // The write may be based on a commit that is written but not yet published.
    validityStorage.beginWrite(transaction.motion, isBaseVisible: transaction.base.version == graph.version)
    assertSound()
    observers.deliver(self)
    if self.transaction !== transaction {
      fatalError("A notification block ended the write transaction in whose beginning it ran: begin another there.")
    }
  }

  /// Runs the block of a write that has begun, then commits, or rolls back if the block throws. Does nothing more if
  /// the block has ended the write.
  ///
  /// - Parameter quiet: returns the observations that are not notified. Called before the commit.
  package func finishWrite<Result>(
    skipping quiet: () -> [any SessionObservation] = { [] }, _ block: () throws -> Result
  )
    throws -> Result
  {
    let result = try runInWrite(block)
    if transaction != nil { try commitWrite(skipping: quiet) }
    return result
  }

  /// Runs the block of a write that has begun, and rolls back if the block throws.
  func runInWrite<Result>(_ block: () throws -> Result) throws -> Result {
    do {
      return try block()
    } catch {
      if transaction != nil { cancelWrite() }
      throw error
    }
  }

  /// Advances to the latest version.
  ///
  /// - Returns: whether a pinned version was replaced by another one.
  @discardableResult
  func advance() -> Bool {
    let latest = store.published.current
    let last = isPinned ? graph.version : latest.version
    pin(latest)
    if last == latest.version { return false }
    Logger.log(.debug, "Refreshed \(store.label) on \(confinement.label): version \(last) to \(latest.version).")
    return true
  }

  /// Commits and publishes the write, and returns when it is as durable as the store's options require.
  ///
  /// - Parameter quiet: returns the observations that are not notified. Called before anything is committed.
  /// - Throws: the first error of an operation that failed in the write, or the reason why it could not be stored; the
  ///   write is rolled back then. `commitOutcomeUnknown` when the write may or may not survive.
  package func commitWrite(skipping quiet: () -> [any SessionObservation] = { [] }) throws {
    _ = try commit(skipping: quiet) { next, sends in
      try store.publish(next)
      if sends { store.deliver(documentsOf: next, line: options.outbox.name, store.waitsForDisk ? .now : .timer) }
    }
  }

  /// Commits and publishes the write. Returns before the disk has it.
  ///
  /// - Returns: the version to wait for (`Store.whenDurable`); nil when nothing has to be waited for.
  /// - Throws: the errors of `commitWrite(skipping:)`.
  func commitWriteEarly(_ urgency: Urgency) throws -> UInt64? {
    guard store.waitsForDisk else {
      try commitWrite()
      return nil
    }
    return try commit(skipping: { [] }, isGrouped: urgency == .grouped) { next, sends in
      try store.publishEarly(next)
      if sends { store.deliver(documentsOf: next, line: options.outbox.name, urgency) }
    }
  }

  /// Releases the writer's lock after a commit. A session that writes again at once may keep its turn.
  private func leaveLock(isGrouped: Bool) {
    assert(store.lock.isHeld, "A commit holds the writer's lock until it is written.")
    store.endTurn()
    if !isGrouped {
      turns.end()
      return store.lock.leave()
    }
    if turns.returned { store.lock.leave(keepingTurnOf: ObjectIdentifier(self)) } else { store.lock.leave() }
    turns.commit()
  }

  /// Ends the write with a commit.
  ///
  /// - Parameters:
  ///   - quiet: the observations that are not notified.
  ///   - isGrouped: whether the commit may be grouped with the session's next ones.
  ///   - publish: makes the new version visible, and receives whether the write has documents. Called before any
  ///     observer, because their blocks may write.
  /// - Returns: the new version.
  private func commit(
    skipping quiet: () -> [any SessionObservation], isGrouped: Bool = false, publish: (Graph, Bool) throws -> Void
  ) throws -> UInt64 {
    guard let transaction else {
      throw store.client.explain(SessionError(.fail, "Cannot commit: no write transaction is under way."))
    }
    let quiet = quiet()
    if let failure {
      cancelWrite()
      throw failure
    }
    var report = CommitReport(store)
    let next: Graph
    do {
      next = try store.append(transaction)
      report?.noteBytes(store)
    } catch {
      cancelWrite()
      throw error
    }
    let sends = sends
    // The next writer may begin. It is based on this commit, and its commit is published later.
    transactionStorage = nil
    retainedByWrite = nil
    validityStorage.commit()
    leaveLock(isGrouped: isGrouped)
    assertSound()
    do {
      try publish(next, sends)
    } catch {
      validityStorage.refresh()
      advance()
      tracked?.deliver(self, Delivery())
      throw error
    }
    pin(next, isOwn: true)
    assert(pinned.version >= transaction.base.version, "A commit leads to a later version, or changes nothing.")
    noteForUndo(transaction, next)
    report?.report(self, from: transaction.base, to: next)
    for observation in quiet where observation.isLive { observation.skip(from: transaction.base, to: next) }
    store.announce(by: signal)
    observers.deliverCommit(self, except: quiet)
    recompute()
    return next.version
  }

  /// Rolls the write back.
  package func cancelWrite() {
    guard transaction != nil else {
      fatalError("Cannot cancel a write transaction: none is under way.")
    }
    dropTransaction()
    assert(transaction == nil && failure == nil, "A cancelled write leaves neither a transaction nor a failure.")
    tracked?.rolledBack()
    recompute()
    // What was published meanwhile is also reported where the session does not advance to it by itself.
    if isPinned && store.published.current.version != graph.version { signal.raise() }
  }

  /// Runs an operation of the write. When it throws, the write is marked as failed.
  ///
  /// The changes are recorded at the end. An operation that lets application code run after its first change (an
  /// initialiser, a conversion, the release of a value) must call `noteChanges()` before.
  ///
  /// - Returns: nil when the operation threw.
  @inlinable
  @discardableResult
  package func perform<Result>(
    _ operation: (Transaction) throws -> Result, explaining error: (any Error) -> any Error = { $0 }
  ) -> Result? {
    guard let transaction else { return nil }
    defer { noteChanges() }
    do {
      return try operation(transaction)
    } catch let thrown {
      fail(error(thrown))
      return nil
    }
  }

  /// Marks the write as failed. It continues, but its end rolls back and throws the first such error.
  @usableFromInline
  package func fail(_ error: any Error) { if failure == nil { failure = store.client.explain(error) } }

  /// Traps unless the session may be changed on the running executor.
  @inlinable
  package func checkWriting(_ what: @autoclosure () -> String) {
    if isFrozen { Misuse.frozen(what()) }
    checkConfinement()
    if transaction == nil { Misuse.notInWrite(what()) }
  }

  /// Runs operations that can be rolled back separately. When `body` throws, its changes and failed operations are
  /// undone, and the write continues.
  package func savepoint<Result>(_ body: () throws -> Result) rethrows -> Result {
    checkWriting("A savepoint was taken")
    guard let transaction else { fatalError("A write ended while a savepoint was taken.") }
    let saved = transaction.savepoint()
    let earlier = failure
    do {
      return try body()
    } catch {
      if self.transaction === transaction {
        transaction.restore(saved)
        noteChanges()
        failure = earlier
      }
      throw error
    }
  }
}
