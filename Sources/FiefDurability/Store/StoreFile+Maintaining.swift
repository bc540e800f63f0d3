extension StoreFile {
  /// The interval of the timer in milliseconds. A commit is synchronized after at most two intervals, plus the time of
  /// the disk, and the journal is then sealed if no other commit follows.
  static let maintenanceInterval = 250

  /// Schedules the next round of synchronizing and sealing (S6).
  func tendLater() { site.system.later(in: Self.maintenanceInterval) { [weak self] in self?.maintain() } }

  /// Synchronizes commits that no thread waits for, and seals the journal as soon as no further commit arrives. It runs
  /// on the timer's thread: a commit that arrives meanwhile waits for a write of a few bytes at most.
  private func maintain() {
    // The thread that met a failure has reported it.
    guard site.isOfThisProcess, refusal == nil else { return }
    // The processes that go on synchronize and seal their own commits, and those before them.
    if progress.leavesToOthers() { return }
    let (version, isIdle) = progress.beginRound()
    // The next caller that commits, waits or closes receives an error, too (S7).
    do throws(StoreError) {
      try waitUntilDurable(version)
      if isIdle, try mark(version), progress.endRounds(after: version) { return }
    } catch {
      if let refusal { return site.report(refusal) }
    }
    tendLater()
  }

  /// Seals the journal behind `version`, if that is the last commit and durable, and synchronizes the seal.
  ///
  /// - Returns: whether the round is over: the seal is in the file, or it could not be written and was undone. In the
  ///   latter case the next commit records its durable-to.
  private func mark(_ version: UInt64) throws(StoreError) -> Bool {
    // Another process that writes will seal the journal later, or this one in another round.
    guard try beginTurn(within: 0) != nil else { return false }
    defer { endTurn() }
    guard let isWritten = try writeMark(version) else { return true }
    guard isWritten else { return false }
    // All commits that were appended by now are synchronized with the seal.
    try progress.alone { () throws(StoreError) in try progress.synchronize() }
    return log.withLock { log in
      // A commit that arrived meanwhile has overwritten the seal.
      guard log.journal.isSealed, log.journal.lastCommit == version else { return false }
      log.journal.noteSealSynchronized()
      return true
    }
  }

  /// Writes the seal. Returns whether it is in the file; nil when it could not be written and was undone.
  private func writeMark(_ version: UInt64) throws(StoreError) -> Bool? {
    try log.withLock { log throws(StoreError) -> Bool? in
      guard refusal == nil, log.journal.lastCommit == version, durableVersion == version else { return false }
      if log.journal.isSealed { return true }
      let size = try checkNames(
        snapshot: log.snapshot, arriving: log.arriving, journal: log.journal.file.identity
      ) { () throws(StoreError) in
        try adoptSnapshot(&log)
        return log.snapshot
      }
      try noteTurn(&log)
      try checkSize(size, &log)
      do throws(FileFailure) { try log.journal.seal() } catch {
        try undo("The mark behind commit \(version)", in: &log.journal, after: error)
        return nil
      }
      return true
    }
  }
}
