extension Realm {
  /// Whether a write or commit that was asked for is not done yet, the one included in whose block this is asked.
  public var isPerformingAsynchronousWriteOperations: Bool {
    session.checkPlaceOfUse()
    return !session.operations.isEmpty
  }

  /// Has a block run in a write of its own, when its turn comes; does not wait for it.
  ///
  ///     realm.writeAsync {
  ///       dog.age += 1
  ///     } onComplete: { error in
  ///       …
  ///     }
  ///
  /// Blocks run in the order in which they were given. Until then the realm is kept alive. May be called inside a
  /// write: the block runs after it.
  ///
  /// - Parameters:
  ///   - block: what to do. It runs in the realm's place, and may commit or cancel by itself; then nothing more is
  ///     done.
  ///   - onComplete: called in the realm's place when the commit is stored, or with the reason why it was rolled back.
  /// - Returns: what `cancelAsyncWrite(_:)` takes.
  ///
  /// Traps on a realm of a thread whose run loop is not running, and on a frozen or read-only one.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    session.checkCanSchedule("writeAsync")
    return session.queue(AsyncWrite(block: block, end: .commit(onComplete ?? { _ in })))
  }

  /// Has a block run in a write that it has to commit itself, when its turn comes; does not wait for it. What it leaves
  /// open is rolled back.
  ///
  /// - Parameter block: what to do. It runs in the realm's place and ends with `commitWrite()` or `commitAsyncWrite()`.
  /// - Returns: what `cancelAsyncWrite(_:)` takes.
  ///
  /// Traps on a realm of a thread whose run loop is not running, and on a frozen or read-only one; when its turn has
  /// come, as `beginWrite()` does when more versions are in use than `maximumNumberOfActiveVersions` allows.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    session.checkCanSchedule("beginAsyncWrite")
    return session.queue(AsyncWrite(block: block, end: .rollBack))
  }

  /// Commits the write, whose changes can be seen at once, and tells later when it is stored.
  ///
  /// - Parameters:
  ///   - allowGrouping: whether several commits may be brought to the disk together.
  ///   - onComplete: called in the realm's place, with the reason if the write was rolled back.
  /// - Returns: what `cancelAsyncWrite(_:)` takes; it can drop the call only.
  ///
  /// Traps outside a write, and on a realm of a thread whose run loop is not running.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    session.checkCanSchedule("commitAsyncWrite")
    if session.transaction == nil { fatalError("Cannot commit a write transaction: none is under way.") }
    var failure: (any Swift.Error)?
    do {
      try session.commitWrite()
    } catch {
      failure = error
    }
    return session.completeLater(failure, onComplete ?? { _ in })
  }

  /// Takes a queued write back: its block never runs. Of a commit, its completion is not called. Does nothing for what
  /// is done.
  public func cancelAsyncWrite(_ number: AsyncTransactionId) throws {
    session.checkConfinement()
    session.forget(number)
  }

  /// Runs a block in a write transaction and commits it, waiting without blocking.
  ///
  ///     try await realm.asyncWrite {
  ///       dog.age += 1
  ///     }
  ///
  /// Writers take turns in the order in which they came. Needs a caller that is isolated to the realm's actor: called
  /// from a nonisolated function it does not compile.
  ///
  /// - Parameter block: what to do. It may cancel by itself.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws, or why the write failed; it is rolled back then. `CancellationError` when the
  ///   task was cancelled before the block began.
  ///
  /// Traps on a realm of another thread or of a queue, and on a frozen or read-only one.
  @discardableResult
  public func asyncWrite<Result>(
    _isolation isolation: isolated any Actor = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    session.checkIsActors("asyncWrite")
    session.checkMayEverWrite()
    return try await session.writeSuspending(isolation: isolation, block)
  }

  /// Moves to the latest version. Observers hear of what is new before it returns.
  ///
  /// - Returns: whether there was something newer. False in a task that was cancelled, which does not move.
  ///
  /// Needs a caller that is isolated to the realm's actor. Traps on a realm of another thread or of a queue, and on a
  /// frozen one.
  @discardableResult
  public func asyncRefresh(_isolation isolation: isolated any Actor = #isolation) async -> Bool {
    if session.isFrozen { Misuse.frozen("Cannot refresh") }
    session.checkIsActors("asyncRefresh")
    return Task.isCancelled ? false : session.refresh()
  }
}

extension Session {
  /// Traps unless the session is an actor's.
  func checkIsActors(_ what: String) {
    if isFrozen { Misuse.frozen("Cannot call \(what)") }
    switch confinement {
    case .main, .actor: checkConfinement()
    default:
      fatalError(
        "\(what) can only be called on a realm of the main thread or of an actor; this one belongs to \(confinement.words)."
      )
    }
  }
}
