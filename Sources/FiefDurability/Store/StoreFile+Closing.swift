extension StoreFile {
  /// Synchronizes and seals the journal (S6), closes all files and releases the lock. Waits for a checkpoint that is
  /// under way. Afterwards every operation on the store throws; closing it again does nothing.
  ///
  /// - Throws: `commitOutcomeUnknown` when the disk failed while commits were not synchronized (S7), also when that
  ///   happened before. Other errors of the system concern the seal, and no commit. The files are closed in any case,
  ///   and the next opening treats the store as one that was not closed in order.
  package func close() throws(StoreError) {
    checkpoints.lock()
    defer { checkpoints.unlock() }
    writing.lock()
    defer { writing.unlock() }
    var failure: StoreError?
    do throws(StoreError) { try alone(closeAlone) } catch { failure = error }
    if let failure { throw failure }
  }

  private func closeAlone() throws(StoreError) {
    let isDurable = durableVersion == version
    let state = noteClosed()
    if case .closed = state { return }
    defer { releaseFiles() }
    // A forked process must not change the end of the file, and does not know what its parent has synchronized.
    guard isOfThisProcess else { return }
    if case .readOnly(let cause) = state {
      guard isDurable else { throw outcomeUnknown(after: cause) }
      return
    }
    if !isDurable && barriers.contains(.commitIsSynchronized) {
      do throws(FileFailure) { try journal.synchronize() } catch {
        throw outcomeUnknown(after: StoreError(error, "The journal could not be synchronized"))
      }
    }
    try asStoreError("The store could not be closed in order", journal.path) {
      if !journal.isSealed { try journal.seal() }
      if journal.isSealPending { try journal.synchronize() }
    }
  }

  private func outcomeUnknown(after cause: StoreError) -> StoreError {
    outcomeUnknown(of: "the commits after version \(durableVersion)", after: cause, "open the store again")
  }
}
