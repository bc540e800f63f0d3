import FiefGraph

extension Realm {
  /// Runs a block in a write transaction, and commits it.
  ///
  ///     try realm.write {
  ///       dog.name = "Rex"
  ///     }
  ///
  /// One writer at a time writes to a store; this waits for its turn by blocking, and sees the latest version.
  ///
  /// - Parameters:
  ///   - tokens: observers of this realm that are not told of the changes.
  ///   - block: what to do. It may commit or cancel by itself; then nothing more is done.
  /// - Returns: what the block returns.
  /// - Throws: what the block throws, and then the write is rolled back; or, rolled back too, the first error of an
  ///   operation that failed in it (`Realm.Error` with class, property and value), or the reason why it could not be
  ///   stored.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try session.beginWrite()
    return try session.finishWrite(withoutNotifying: tokens, block)
  }

  /// Begins a write transaction, when its turn has come.
  ///
  /// Observers hear of what is new before it returns, inside the write.
  ///
  /// On a thread the open write keeps its realm, even when nobody else does: until it is committed or cancelled, the
  /// realm is invalidated, or the thread ends, which rolls it back. Opening the realm there again finds the write under
  /// way. A realm of a queue or an actor has to be held until then: released inside a write it is rolled back.
  ///
  /// Traps in a write transaction, on a frozen or read-only realm, outside the realm's thread, queue or actor, and when
  /// more versions are in use than `maximumNumberOfActiveVersions` allows (which `write` throws).
  public func beginWrite() {
    do {
      try session.beginWrite()
    } catch {
      fatalError("\(error)")
    }
    session.holdWhileWriting()
  }

  /// Commits the write transaction. Observers of the realm hear of it before it returns, those of objects and
  /// collections later.
  ///
  /// - Parameter tokens: observers of this realm that are not told of the changes, now or later.
  /// - Throws: `.fail` when none is under way, the first error of an operation that failed in it, or the reason why it
  ///   could not be stored. It is rolled back then.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    session.checkConfinement()
    try session.commitWrite(withoutNotifying: tokens)
  }

  /// Rolls the write transaction back: everything is as it was when it began.
  ///
  /// Objects that it added are invalid from now on; all others show what they showed before. Traps when no write is
  /// under way.
  public func cancelWrite() {
    session.checkConfinement()
    session.cancelWrite()
  }

  /// Runs a part of a write that can be undone by itself.
  ///
  ///     try realm.write {
  ///       dog.age = 1
  ///       try? realm.savepoint {
  ///         dog.age = 2
  ///         try check(dog)
  ///       }
  ///     }
  ///
  /// - Returns: what the block returns.
  /// - Throws: what the block throws. What the block did is undone then, an operation that failed in it included, and
  ///   the write goes on. A block that does not throw although an operation failed in it leaves the write failed, as
  ///   everywhere.
  /// - Complexity: constant; parts that change afterwards are copied once.
  ///
  /// Traps outside a write transaction.
  @discardableResult
  public func savepoint<Result>(_ block: () throws -> Result) rethrows -> Result { try session.savepoint(block) }
}
