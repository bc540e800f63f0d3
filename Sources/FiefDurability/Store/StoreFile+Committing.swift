import FiefGraph

/// When a commit returns.
package enum Durability: Hashable, Sendable {
  /// When the commit survives a power failure.
  case full
  /// When the system has the commit, so that it survives the death of the process. A process that keeps running makes
  /// it survive a power failure within a second.
  case relaxed
}

extension StoreFile {
  /// Makes a commit durable: appends it, and waits as `durability` requires. Publish its graph afterwards, not before
  /// (S4).
  ///
  /// - Parameters:
  ///   - delta: The changes of the commit.
  ///   - version: Its version, one higher than the last. Traps otherwise.
  ///   - userVersion: The application's schema number after the commit.
  ///   - durability: When to return.
  ///   - time: Its time in milliseconds since 1970; nil for now. Only a store that keeps versions writes it.
  /// - Throws: the errors of `append` and `waitUntilDurable`.
  /// - Complexity: linear in the delta; with `.full`, one synchronization, which all waiting threads share.
  package func commit(
    _ delta: Delta, version: UInt64, userVersion: UInt64, durability: Durability = .full, time: UInt64? = nil
  ) throws(StoreError) {
    try append(delta, version: version, userVersion: userVersion, time: time)
    if durability == .full { try waitUntilDurable(version) }
  }

  /// Hands a commit to the system. The next one may follow at once; `waitUntilDurable` returns when the commit is safe.
  ///
  /// - Parameters:
  ///   - delta: The changes of the commit; empty when only the application's schema number changes.
  ///   - version: Its version, one higher than the last. Traps otherwise.
  ///   - userVersion: The application's schema number after the commit.
  ///   - time: Its time in milliseconds since 1970; nil for now. Only a store that keeps versions writes it.
  /// - Throws: `outOfDiskSpace`, `fileOperationFailed` and similar errors when the commit was undone (S5): the files
  ///   hold no part of it, and the next commit may succeed. `commitOutcomeUnknown` when it could not be undone either;
  ///   `storeIsReadOnly` and `closed` when it was not attempted.
  /// - Complexity: linear in the delta.
  package func append(
    _ delta: Delta, version: UInt64, userVersion: UInt64, time: UInt64? = nil
  ) throws(StoreError) {
    writing.lock()
    defer { writing.unlock() }
    try checkWriting()
    guard version == self.version + 1 else {
      fatalError("Commit \(version) does not follow version \(self.version) of \(path).")
    }
    guard version <= FileHeader.lastNumber else {
      throw StoreError(
        .fileOperationFailed,
        "The store \(path) has used up its versions, which only a forged file can: nothing was written.", file: path)
    }
    // A commit that is appended to files without their names is lost (S16).
    try checkNamesForWriting()
    let commit = CommitRecord(
      version: version, userVersion: userVersion, delta: delta, time: journal.isTimed ? time ?? system.now : nil)
    do throws(FileFailure) {
      try journal.append(commit, durableTo: durableVersion)
    } catch {
      try undoAppend(of: version, error)
    }
    late?.append(commit)
    if note(appended: version, journalLength: journal.length) { tendLater() }
    // A synchronization that failed meanwhile may have covered these bytes.
    if case .readOnly(let cause) = locked({ state }) { throw outcomeUnknown(of: "commit \(version)", after: cause) }
  }

  /// Cuts off a failed append (S5), and throws.
  ///
  /// No other thread synchronizes meanwhile. The system reports a failed write only once. The thread that receives this
  /// report must end the writing before any other thread reports success.
  private func undoAppend(of version: UInt64, _ failure: FileFailure) throws(StoreError) -> Never {
    do throws(StoreError) { try undo("Commit \(version)", failure) } catch {
      throw outcomeUnknown(of: "commit \(version)", after: error)
    }
    throw StoreError(failure, "Commit \(version) of \(path) was undone, because it could not be written")
  }

  /// Cuts off the bytes that a failed write left behind the journal's end (S5).
  ///
  /// - Throws: the cause if that fails as well; the store takes no more commits then.
  func undo(_ what: String, _ failure: FileFailure) throws(StoreError) {
    guard barriers.contains(.failedRecordIsCutOff) else { return }
    func cutOff() throws(StoreError) {
      do throws(FileFailure) { try journal.cutOff() } catch {
        let cause = StoreError(error, "\(what) failed (\(failure)), and could not be undone")
        endWriting(cause)
        throw cause
      }
    }
    if barriers.contains(.cutOffIsAlone) { try alone(cutOff) } else { try cutOff() }
  }

  /// Returns when commit `version` survives a power failure. All threads that wait at the same time share one
  /// synchronization.
  ///
  /// - Parameter version: A commit that was appended. Traps otherwise.
  /// - Throws: `commitOutcomeUnknown` when the synchronization failed (S7).
  package func waitUntilDurable(_ version: UInt64) throws(StoreError) {
    try waitUntilDurable(version) { () throws(FileFailure) in
      if barriers.contains(.commitIsSynchronized) { try journalOfNow().synchronize() }
    }
  }

  // A switch waits until no thread synchronizes (`alone`), so the journal is not replaced before that ends.
  func journalOfNow() -> JournalFile { journal }
}
