extension StoreFile {
  /// Synchronizes and seals the journal (S6), closes all files and releases the lock. Waits for a checkpoint that is
  /// under way. Afterwards every operation on the store throws; closing it again does nothing.
  ///
  /// - Throws: `commitOutcomeUnknown` when the disk failed while commits were not synchronized (S7), also when that
  ///   happened before. Other errors of the system concern the seal, and no commit. The files are closed in any case,
  ///   and the next opening treats the store as one that was not closed in order.
  package func close() throws(StoreError) {
    let files = snapshot.take()
    defer { snapshot.putBack(files) }
    // A process that closes the store keeps the turn until it has left, so of two the second one is the last (S33). If
    // another one has the turn for longer, this one does not seal.
    let hasTurn = site.isOfThisProcess && (try? beginTurn(within: Self.maintenanceInterval)) != nil
    let isLast = hasTurn && site.sharing?.excludeOthers() ?? true
    try log.withLock { log throws(StoreError) in
      try progress.alone { () throws(StoreError) in
        try closeAlone(&log.journal, files.file, isSealing: isLast)
      }
    }
  }

  private func closeAlone(
    _ journal: inout JournalFile, _ snapshot: any OpenFile, isSealing: Bool
  ) throws(StoreError) {
    let (appended, durable) = progress.versions
    let own = progress.lastOwn
    let phase = progress.close()
    if case .closed = phase { return }
    defer { release(journal.file, snapshot) }
    // A forked process must not change the end of the file, and does not know what its parent has synchronized.
    guard site.isOfThisProcess else { return }
    func outcomeUnknown(after cause: StoreError) -> StoreError {
      .outcomeUnknown(
        of: "the commits after version \(durable)", in: path, after: cause, remedy: "open the store again")
    }
    if case .readOnly(let cause) = phase {
      guard durable >= own else { throw outcomeUnknown(after: cause) }
      return
    }
    if durable < appended {
      do throws(FileFailure) { try journal.synchronize() } catch {
        // The system reports it to no opening that comes later (S32).
        site.sharing?.note(lostAfter: durable)
        throw outcomeUnknown(after: StoreError(error, "The journal could not be synchronized"))
      }
    }
    guard isSealing else { return }
    try asStoreError("The store could not be closed in order", at: journal.path) {
      if !journal.isSealed {
        // A seal in another journal would damage it (S16).
        try checkPlace(of: journal)
        try journal.seal()
      }
      if journal.isSealPending { try journal.synchronize() }
    }
  }
}
