import FiefGraph

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
  ///   - contents: The graph of the commit, if `remains` may be asked for.
  /// - Throws: the errors of `append` and `waitUntilDurable`.
  /// - Complexity: linear in the delta; with `.full`, one synchronization, which all waiting threads share.
  package func commit(
    _ delta: Delta, version: UInt64, userVersion: UInt64, durability: Durability = .full, time: UInt64? = nil,
    contents: Graph? = nil
  ) throws(StoreError) {
    try append(delta, version: version, userVersion: userVersion, time: time, contents: contents)
    if durability == .full { try waitUntilDurable(version) }
  }

  /// Hands a commit to the system. The next one may follow at once; `waitUntilDurable` returns when the commit is safe.
  ///
  /// - Parameters:
  ///   - delta: The changes of the commit; empty when only the application's schema number changes.
  ///   - version: Its version, one higher than the last. Traps otherwise.
  ///   - userVersion: The application's schema number after the commit.
  ///   - time: Its time in milliseconds since 1970; nil for now. Only a store that keeps versions writes it.
  ///   - contents: The graph of the commit, which is retained until a later one is durable, if `remains` may be asked
  ///     for. After a commit without contents, those of later ones are not retained.
  /// - Throws: `outOfDiskSpace`, `fileOperationFailed` and similar errors when the commit was undone (S5): the files
  ///   hold no part of it, and the next commit may succeed. `commitOutcomeUnknown` when it could not be undone either;
  ///   `storeIsReadOnly` and `closed` when it was not attempted.
  /// - Complexity: linear in the delta.
  package func append(
    _ delta: Delta, version: UInt64, userVersion: UInt64, time: UInt64? = nil, contents: Graph? = nil
  ) throws(StoreError) {
    assert(contents.map { $0.version == version } ?? true, "The contents are those of the commit.")
    assert(site.sharing?.hasTurn ?? true, "A commit is appended in the turn of its process.")
    try log.withLock { log throws(StoreError) in
      let (appended, durable) = try checkWriting()
      guard version == appended + 1 else {
        fatalError("Commit \(version) does not follow version \(appended) of \(path).")
      }
      guard version <= FileHeader.lastNumber else {
        throw StoreError(
          .fileOperationFailed,
          "The store \(path) has used up its versions, which only a forged file can: nothing was written.", file: path)
      }
      // A commit that is appended to files without their names is lost (S16).
      assert(log.remarks == nil, "A process catches up before it appends.")
      let size = try checkNames(
        snapshot: log.snapshot, arriving: log.arriving, journal: log.journal.file.identity
      ) { () throws(StoreError) in
        try adoptSnapshot(&log)
        return log.snapshot
      }
      try noteTurn(&log)
      try checkSize(size, &log)
      let time = log.journal.isTimed ? time ?? site.system.now : nil
      let commit = CommitRecord(version: version, userVersion: userVersion, delta: delta, time: time)
      do throws(FileFailure) { try log.journal.append(commit, durableTo: durable) } catch {
        do throws(StoreError) { try undo("Commit \(version)", in: &log.journal, after: error) } catch {
          throw .outcomeUnknown(of: "commit \(version)", in: path, after: error)
        }
        throw StoreError(error, "Commit \(version) of \(path) was undone, because it could not be written")
      }
      log.late?.append(commit)
      let length = log.journal.length
      sizesOfFiles.withLock { $0.journal = length }
      if try progress.note(appended: version, contents) { tendLater() }
    }
  }

  /// Durably cuts off the bytes that a failed write left behind the journal's end (S5).
  ///
  /// No other thread synchronizes meanwhile. The system reports a failed write only once. The thread that receives this
  /// report must end the writing before any other thread reports success.
  ///
  /// - Throws: the cause if that fails as well; the store takes no more commits then.
  func undo(_ what: String, in journal: inout JournalFile, after failure: FileFailure) throws(StoreError) {
    try progress.alone { () throws(StoreError) in
      do throws(FileFailure) { try journal.cutOff() } catch {
        let cause = StoreError(error, "\(what) failed (\(failure)), and could not be undone")
        progress.fail(cause)
        throw cause
      }
    }
  }

  /// Returns when commit `version` survives a power failure. All commits for which anything waits at the same time
  /// share one synchronization.
  ///
  /// - Parameter version: A commit that was appended. Traps otherwise.
  /// - Throws: `commitOutcomeUnknown` when the synchronization failed (S7).
  package func waitUntilDurable(_ version: UInt64) throws(StoreError) { try progress.waitUntilDurable(version) }

  /// Reports when commit `version` survives a power failure. Returns at once.
  ///
  /// - Parameters:
  ///   - version: A commit that was appended.
  ///   - urgency: How soon it is synchronized, at the latest.
  ///   - report: Receives nil, or the error of `waitUntilDurable`, on a queue of the store. Reports are made in the
  ///     order of the versions. It is retained until then, with the store if it holds it.
  package func whenDurable(_ version: UInt64, urgency: Urgency, _ report: @escaping @Sendable (StoreError?) -> Void) {
    progress.whenDurable(version, urgency: urgency, report)
  }
}
