import FiefGraph
import FiefSessions

extension Realm {
  /// Runs a block in a write transaction, and commits it.
  ///
  ///     try realm.write {
  ///       dog.name = "Rex"
  ///     }
  ///
  /// A store has one writer at a time. This blocks until its turn, and then sees the latest version. Observers of the
  /// realm are notified before this returns, observers of objects and collections later.
  ///
  /// - Parameters:
  ///   - tokens: observations of this realm that are not notified of the changes. They may be of objects that are gone.
  ///   - block: the changes. A block may commit or cancel the write; no further commit follows then.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block, after rolling back; the first error of an operation that failed in the write
  ///   (`Realm.Error` with class, property and value), after rolling back; `.fail` when more versions are in use than
  ///   `maximumNumberOfActiveVersions` allows, before the block runs; `.alreadyOpen` with the number of another process
  ///   that was inside a write of the file for a minute, before the block runs; or the reason why the write could not
  ///   be stored, as for `commitWrite(withoutNotifying:)`.
  /// - Complexity: linear in the changes.
  ///
  /// Traps in a write transaction, on a frozen or read-only realm, and outside the realm's thread, queue or actor. Also
  /// traps when a token was invalidated, is of another realm, or is of an observation that has not begun on its queue.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try session.beginWrite()
    return try session.finishWrite(skipping: { tokens.map { $0.observation(of: session) } }, block)
  }

  /// Begins a write transaction. Blocks until the writer's turn.
  ///
  ///     realm.beginWrite()
  ///     dog.name = "Rex"
  ///     try realm.commitWrite()
  ///
  /// Observers are notified of newer versions before this returns, inside the write. While the commit of another realm
  /// waits for the disk, they are notified after the write.
  ///
  /// On a thread the open write retains its realm. It stays open until it is committed or cancelled, the realm is
  /// invalidated, or the thread ends, which rolls it back. Opening the realm on that thread again returns the realm
  /// with the open write. A realm of a queue or an actor must be retained by the application: releasing it inside a
  /// write rolls back.
  ///
  /// A realm that takes no more writes, because its disk has failed or its files were removed, say, begins a write
  /// nevertheless, and `commitWrite` throws the reason.
  ///
  /// Traps in a write transaction, on a frozen or read-only realm, and outside the realm's thread, queue or actor. Also
  /// traps when more versions are in use than `maximumNumberOfActiveVersions` allows, and when another process is
  /// inside a write of the file for a minute: errors that `write` throws, and this cannot.
  public func beginWrite() {
    do {
      try session.beginWrite(reportsAtEnd: true)
    } catch {
      fatalError("beginWrite() cannot begin a write, and cannot throw the error, as write { } does: \(error)")
    }
    session.retainWhileWriting()
  }

  /// Commits the write transaction. Observers of the realm are notified before this returns, observers of objects and
  /// collections later.
  ///
  ///     let token = dogs.observe { change in print(change) }
  ///     realm.beginWrite()
  ///     dog.age += 1
  ///     try realm.commitWrite(withoutNotifying: [token])
  ///
  /// - Parameter tokens: observations of this realm that are never notified of the changes. They may be of objects that
  ///   are gone.
  /// - Throws: `.fail` when no write is in progress; the first error of an operation that failed in the write, or the
  ///   reason why it could not be stored (`.outOfDiskSpace`, `.fileOperationFailed`, `.storeIsReadOnly`). The write is
  ///   rolled back then. `.commitOutcomeUnknown` when the write may or may not survive; the store accepts no further
  ///   writes then.
  /// - Complexity: linear in the changes.
  ///
  /// Traps outside the realm's thread, queue or actor, and when a token was invalidated, is of another realm, or is of
  /// an observation that has not begun on its queue.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    session.checkConfinement()
    try session.commitWrite { tokens.map { $0.observation(of: session) } }
  }

  /// Rolls the write transaction back to the state in which it began.
  ///
  ///     realm.beginWrite()
  ///     realm.delete(dog)
  ///     realm.cancelWrite()          // the dog is still there
  ///
  /// Objects that were added in the write become invalid; all others show their previous values. Traps when no write is
  /// in progress, and outside the realm's thread, queue or actor.
  public func cancelWrite() {
    session.checkConfinement()
    session.cancelWrite()
  }

  /// Runs a part of a write that can be rolled back separately.
  ///
  ///     try realm.write {
  ///       dog.age = 1
  ///       try? realm.savepoint {
  ///         dog.age = 2
  ///         try check(dog)
  ///       }
  ///     }
  ///
  /// - Parameter block: the part of the write. It may contain further savepoints.
  /// - Returns: the result of the block.
  /// - Throws: the error of the block. All changes of the block are then undone, failed operations included, and the
  ///   write continues. If an operation failed in a block that does not throw, the whole write stays failed.
  /// - Complexity: constant; the parts that change afterwards are copied once.
  ///
  /// Traps outside a write transaction, and outside the realm's thread, queue or actor.
  @discardableResult
  public func savepoint<Result>(_ block: () throws -> Result) rethrows -> Result { try session.savepoint(block) }
}
