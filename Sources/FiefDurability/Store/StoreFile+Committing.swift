import FiefGraph

/// When a commit returns.
public enum Durability: Hashable, Sendable {
  /// When it survives a power failure.
  case full
  /// When the system has it: it survives the death of the process at once. A process that goes on running makes it
  /// survive the death of the machine within a second.
  case relaxed
}

extension StoreFile {
  /// Makes a commit durable: appends it, and waits as `durability` says. Publish its graph afterwards, not before (S4).
  ///
  /// - Parameters:
  ///   - delta: What it changes.
  ///   - version: Its version, one higher than the last. Traps otherwise.
  ///   - userVersion: The application's number of its schema after it.
  ///   - durability: When to return.
  /// - Throws: what `append` and `waitUntilDurable` throw.
  /// - Complexity: linear in the delta; with `.full`, one synchronization, which is shared by all who wait.
  public func commit(
    _ delta: Delta, version: UInt64, userVersion: UInt64, durability: Durability = .full
  ) throws(StoreError) {
    try append(delta, version: version, userVersion: userVersion)
    if durability == .full { try waitUntilDurable(version) }
  }

  /// Hands a commit to the system. The next one may follow at once; whoever wants to know it safe waits.
  ///
  /// - Parameters:
  ///   - delta: What it changes; empty when it changes the application's number alone.
  ///   - version: Its version, one higher than the last. Traps otherwise.
  ///   - userVersion: The application's number of its schema after it.
  /// - Throws: `outOfDiskSpace`, `fileOperationFailed` and the like when the commit was undone (S5): nothing of it is
  ///   there, and the next one may go well. `commitOutcomeUnknown` when it could not be undone either;
  ///   `storeIsReadOnly` and `closed` when it was not tried.
  /// - Complexity: linear in the delta.
  public func append(_ delta: Delta, version: UInt64, userVersion: UInt64) throws(StoreError) {
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
    // What is appended to files that have lost their names is lost (S16).
    try checkNamesForWriting()
    let commit = CommitRecord(version: version, userVersion: userVersion, delta: delta)
    do throws(FileFailure) {
      try journal.append(commit, durableTo: durableVersion)
    } catch {
      try undoAppend(of: version, error)
    }
    late?.append(commit)
    if note(appended: version, journalLength: journal.length) { tendLater() }
    // A synchronization that failed meanwhile may have been about these bytes.
    if refusal != nil { throw outcomeUnknown(version) }
  }

  /// Cuts a failed append off again (S5), and throws.
  ///
  /// Nobody else synchronizes meanwhile: a system tells a failure to write once, and who takes that answer must be the
  /// one whose failing ends the writing before anybody else is told of success.
  private func undoAppend(of version: UInt64, _ failure: FileFailure) throws(StoreError) -> Never {
    do throws(StoreError) { try undo("Commit \(version)", failure) } catch {
      throw StoreError(
        .commitOutcomeUnknown,
        "Whether commit \(version) of \(path) survives is unknown: close the store and open it again to find out. "
          + "(\(error.message))",
        file: journal.path, systemCode: error.systemCode)
    }
    throw StoreError(failure, "Commit \(version) of \(path) was undone, because it could not be written")
  }

  /// Cuts off what a failed write has left behind the journal (S5).
  ///
  /// - Throws: why that failed as well; the store takes no more commits then.
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

  private func outcomeUnknown(_ version: UInt64) -> StoreError {
    StoreError(
      .commitOutcomeUnknown,
      "Whether commit \(version) of \(path) survives is unknown, because its disk failed: close the store and open it "
        + "again to find out.",
      file: path)
  }

  /// Returns when commit `version` survives a power failure. All who wait at a time share one synchronization.
  ///
  /// - Parameter version: A commit that was appended. Traps otherwise.
  /// - Throws: `commitOutcomeUnknown` when the synchronization failed (S7).
  public func waitUntilDurable(_ version: UInt64) throws(StoreError) {
    try waitUntilDurable(version) { () throws(FileFailure) in
      if barriers.contains(.commitIsSynchronized) { try journalOfNow().synchronize() }
    }
  }

  // A switch waits until nobody synchronizes (`alone`), so the journal stays the journal until that is over.
  func journalOfNow() -> JournalFile { journal }
}
