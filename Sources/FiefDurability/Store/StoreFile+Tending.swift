import Foundation

extension StoreFile {
  /// The interval of the timer in milliseconds. A commit is synchronized after at most two intervals, plus the time of
  /// the disk, and the journal is then sealed if no other commit follows.
  static let tendingInterval = 250

  /// Schedules the next round of synchronizing and sealing (S6).
  func tendLater() {
    system.later(in: Self.tendingInterval) { [weak self] in self?.tend() }
  }

  /// Synchronizes commits that no thread waits for, and seals the journal as soon as no further commit arrives. It runs
  /// on the timer's thread: a commit that arrives meanwhile waits for a write of a few bytes at most.
  private func tend() {
    guard isOfThisProcess else { return }
    // The thread that met the failure has reported it.
    guard refusal == nil else { return noteTended(nil) }
    let (version, isIdle) = beginTending()
    // The next caller that commits, waits or closes receives an error, too (S7).
    do throws(StoreError) {
      try waitUntilDurable(version)
      if isIdle, try mark(version), endTending(after: version) { return noteTended(nil) }
    } catch {
      if let refusal { return noteTended(refusal) }
    }
    tendLater()
    noteTended(nil)
  }

  /// Seals the journal behind `version`, if that is the last commit and durable, and synchronizes the seal.
  ///
  /// - Returns: whether the round is over: the seal is in the file, or it could not be written and was undone. In the
  ///   latter case the next commit records its durable-to.
  private func mark(_ version: UInt64) throws(StoreError) -> Bool {
    guard let isWritten = try writeMark(version) else { return true }
    guard isWritten else { return false }
    try synchronizeOnce()
    writing.lock()
    defer { writing.unlock() }
    // A commit that arrived meanwhile has overwritten the seal.
    guard journal.isSealed, journal.lastCommit == version else { return false }
    journal.noteSealSynchronized()
    return true
  }

  /// Writes the seal. Returns whether it is in the file; nil when it could not be written and was undone.
  private func writeMark(_ version: UInt64) throws(StoreError) -> Bool? {
    writing.lock()
    defer { writing.unlock() }
    guard refusal == nil, journal.lastCommit == version, durableVersion == version else { return false }
    if journal.isSealed { return true }
    try checkNamesForWriting()
    do throws(FileFailure) { try journal.seal() } catch {
      try undo("The mark behind commit \(version)", error)
      return nil
    }
    return true
  }

  /// Synchronizes the journal while no other thread does; a failure ends the writing (S7).
  private func synchronizeOnce() throws(StoreError) {
    try alone { () throws(StoreError) in
      // The journal cannot be switched now. All commits that were appended by now are synchronized with the seal.
      let version = self.version
      do throws(FileFailure) { try journalOfNow().synchronize() } catch {
        let cause = StoreError(error, "The journal could not be synchronized")
        endWriting(cause)
        throw cause
      }
      note(durable: version)
    }
  }
}
