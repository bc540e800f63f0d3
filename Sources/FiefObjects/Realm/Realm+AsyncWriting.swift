import FiefSessions

/// Identifies a requested write, or a commit, that is not done yet; see `Realm.cancelAsyncWrite(_:)`.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Whether a requested write or commit is not done yet. True inside the block of such a write.
  ///
  ///     realm.writeAsync { dog.age += 1 }
  ///     print(realm.isPerformingAsynchronousWriteOperations)          // true
  ///
  /// Traps outside the realm's thread, queue or actor.
  public var isPerformingAsynchronousWriteOperations: Bool {
    session.checkConfinementOfUse()
    return !session.operations.isEmpty
  }

  /// Queues a block to run in a write of its own, and returns without waiting.
  ///
  ///     realm.writeAsync {
  ///       dog.age += 1
  ///     } onComplete: { error in
  ///       if let error { print("The dog was not changed: \(error)") }
  ///     }
  ///
  /// Blocks run in the order in which they were queued. The realm is kept alive until then. When called inside a write,
  /// the block runs after that write. The commit is visible at once, and no thread waits for the disk. It is durable
  /// when it survives a power failure; with `Configuration.durability` `.relaxed`, when the system has it.
  ///
  /// - Parameters:
  ///   - block: the changes. It runs on the realm's thread, queue or actor. A block may commit or cancel its own write;
  ///     no further commit follows then.
  ///   - onComplete: called on the realm's thread, queue or actor when the commit is durable, or with the error for
  ///     which the write was rolled back or could not begin. The errors are those of `write(withoutNotifying:_:)`. If
  ///     the disk fails, commits that were visible and not yet durable are rolled back, and the realm's file takes no
  ///     more writes until it is opened again.
  /// - Returns: a number for `cancelAsyncWrite(_:)`.
  ///
  /// Traps outside the realm's thread, queue or actor. Also traps on a realm of a thread whose run loop is not running,
  /// and on a frozen or read-only one.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    session.checkCanSchedule("writeAsync")
    return session.queue(AsyncWrite(block: block, end: .commit(onComplete ?? { _ in })))
  }

  /// Queues a block to run in a write that the block itself has to commit, and returns without waiting. A write that
  /// the block leaves open is rolled back.
  ///
  ///     realm.beginAsyncWrite {
  ///       dog.age += 1
  ///       realm.commitAsyncWrite { error in
  ///         if let error { print("The dog was not changed: \(error)") }
  ///       }
  ///     }
  ///
  /// - Parameter block: the changes. It runs on the realm's thread, queue or actor and ends with `commitWrite()` or
  ///   `commitAsyncWrite()`. If the realm takes no more writes, these report the reason.
  /// - Returns: a number for `cancelAsyncWrite(_:)`.
  ///
  /// Traps outside the realm's thread, queue or actor. Also traps on a realm of a thread whose run loop is not running,
  /// and on a frozen or read-only one. When the write starts, it traps like `beginWrite()` if more versions are in use
  /// than `maximumNumberOfActiveVersions` allows, and if another process is inside a write of the file for a minute.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    session.checkCanSchedule("beginAsyncWrite")
    return session.queue(AsyncWrite(block: block, end: .rollBack))
  }

  /// Commits the write in memory, and reports later when it is durable.
  ///
  ///     realm.beginWrite()
  ///     dog.age += 1
  ///     realm.commitAsyncWrite(allowGrouping: true) { error in
  ///       if let error { print("The dog was not changed: \(error)") }
  ///     }
  ///
  /// The commit is visible to all realms before the call returns. Observers of this realm are notified before, those of
  /// objects and collections later. The disk is synchronized elsewhere; commits that wait at the same time share a
  /// synchronization. A power failure leaves all commits up to one of them, and at least those whose completions were
  /// called. With `Configuration.durability` `.relaxed` a completion says that the system has the commit, and a power
  /// failure may take the last second.
  ///
  /// - Parameters:
  ///   - allowGrouping: whether the commit may wait some milliseconds for others, so that a series of commits needs
  ///     fewer synchronizations. The next commit without grouping ends the wait. A realm that begins its next write at
  ///     once may begin it before other writers that wait, for up to a millisecond.
  ///   - onComplete: called on the realm's thread, queue or actor: without an error when the commit is durable, with
  ///     one if it was rolled back. The errors are those of `commitWrite(withoutNotifying:)`.
  /// - Returns: a number for `cancelAsyncWrite(_:)`, which can only cancel the call of `onComplete`.
  ///
  /// Traps outside a write, outside the realm's thread, queue or actor, and on a realm of a thread whose run loop is
  /// not running.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    session.checkCanSchedule("commitAsyncWrite")
    if session.transaction == nil { fatalError("Cannot commit a write transaction: none is under way.") }
    return session.commitWriteLater(allowGrouping ? .grouped : .now, onComplete ?? { _ in })
  }

  /// Cancels a queued write, whose block then never runs. For a commit, the completion is not called. Does nothing for
  /// a write that runs or is done.
  ///
  ///     let number = realm.writeAsync { dog.age += 1 }
  ///     try realm.cancelAsyncWrite(number)
  ///
  /// - Parameter number: the number that `writeAsync`, `beginAsyncWrite` or `commitAsyncWrite` has returned.
  /// - Throws: nothing; the signature is that of Realm.
  ///
  /// Traps outside the realm's thread, queue or actor.
  public func cancelAsyncWrite(_ number: AsyncTransactionId) throws {
    session.checkConfinement()
    session.cancelOperation(number)
  }

  /// Runs a block in a write transaction and commits it, waiting for its turn and for the disk without blocking.
  ///
  ///     try await realm.asyncWrite {
  ///       dog.age += 1
  ///     }
  ///
  /// Other realms see the commit before the call returns, which it does when the commit is durable: when it survives a
  /// power failure, or with `Configuration.durability` `.relaxed`, when the system has it. Meanwhile the actor
  /// does other work, and the next writer has its turn. Writers take turns in the order in which they came; only a
  /// series of grouped commits may go on for a millisecond. A write that `beginWrite()` has begun on this realm must
  /// end first; a task that awaits this call before it ends that write waits forever. The caller must be isolated to
  /// the realm's actor; in a nonisolated function the call does not compile.
  ///
  /// - Parameters:
  ///   - isolation: the caller's actor.
  ///   - block: the changes. It may commit or cancel the write; no further commit follows then.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block, or the reason why the write failed, as for `write(withoutNotifying:_:)`; the
  ///   write is rolled back then. `CancellationError` when the task was cancelled before the block began.
  ///
  /// Traps on a realm of a queue or of a thread other than the main thread, on a frozen or read-only one, and outside
  /// the realm's actor.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation isolation: isolated any Actor = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    checkIsActors("asyncWrite")
    session.checkMayEverWrite()
    return try await session.writeSuspending(isolation: isolation, block)
  }

  /// Advances to the latest version, and notifies observers before it returns.
  ///
  ///     await realm.asyncRefresh()
  ///
  /// - Parameter isolation: the caller's actor, which must be the realm's.
  /// - Returns: whether there was a newer version, or none was pinned before. False in a write and in an observer's
  ///   block. A cancelled task does not advance and gets false.
  ///
  /// Traps on a realm of a queue or of a thread other than the main thread, on a frozen or read-only one, and outside
  /// the realm's actor.
  @discardableResult
  public func asyncRefresh(_isolation isolation: isolated any Actor = #isolation) async -> Bool {
    if session.isFrozen { Misuse.frozen("Cannot refresh") }
    checkIsActors("asyncRefresh")
    return Task.isCancelled ? false : session.refresh()
  }

  /// Traps unless the realm belongs to an actor or the main thread.
  private func checkIsActors(_ what: String) {
    if isFrozen { Misuse.frozen("Cannot call \(what)") }
    switch session.confinement {
    case .main, .actor: session.checkConfinement()
    default:
      fatalError(
        "\(what) can only be called on a realm of the main thread or of an actor; this one belongs to "
          + "\(session.confinement.label)."
      )
    }
  }
}
