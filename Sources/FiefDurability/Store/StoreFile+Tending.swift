import Foundation

extension StoreFile {
  /// How long, in thousandths of a second, commits lie before someone looks after them: after twice as much, and what
  /// the disk takes, each is synchronized, and when no other follows also marked as such.
  static let tendingInterval = 250

  /// Looks after what was committed, in a while (S6).
  func tendLater() {
    system.later(in: Self.tendingInterval) { [weak self] in self?.tend() }
  }

  /// Synchronizes what nobody has waited for, and says in the file how far it is on the disk, as soon as no commit
  /// comes that would say it. Not the path of any commit: those that come meanwhile wait for a write of some bytes at
  /// most.
  private func tend() {
    guard isOfThisProcess, refusal == nil else { return }
    let (version, isIdle) = beginTending()
    // What fails here is told to whoever commits or waits next (S7).
    do throws(StoreError) {
      try waitUntilDurable(version)
      if isIdle, try mark(version), endTending(after: version) { return }
    } catch {
      if refusal != nil { return }
    }
    tendLater()
  }

  /// Seals the journal behind `version`, if that is the last commit and durable, and synchronizes the seal.
  ///
  /// - Returns: whether nothing is left to do: the file says so now, or there was no room for it, and the next commit
  ///   says it.
  private func mark(_ version: UInt64) throws(StoreError) -> Bool {
    guard let isWritten = try writeMark(version) else { return true }
    guard isWritten else { return false }
    try synchronizeOnce()
    writing.lock()
    defer { writing.unlock() }
    // A commit that came meanwhile was written over it.
    guard journal.isSealed, journal.lastCommit == version else { return false }
    journal.noteSealSynchronized()
    return true
  }

  /// Whether the mark is there; nil when it was given up.
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

  /// Synchronizes the journal, alone; when that fails, the writing ends (S7).
  private func synchronizeOnce() throws(StoreError) {
    try alone { () throws(StoreError) in
      // The journal cannot be switched now; what was appended by now is synchronized with the mark.
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
