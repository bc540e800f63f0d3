extension StoreFile {
  /// Synchronizes and seals the journal (S6), closes all files and releases the lock. Waits for a checkpoint that is
  /// under way. Afterwards every operation on the store throws; closing it again does nothing.
  ///
  /// - Throws: the system's error. The files are closed in any case, and the next opening treats the store as one that
  ///   was not closed in order.
  package func close() throws(StoreError) {
    checkpoints.lock()
    defer { checkpoints.unlock() }
    writing.lock()
    defer { writing.unlock() }
    var failure: StoreError?
    do throws(StoreError) {
      try alone { () throws(StoreError) in
        let isDurable = durableVersion == version
        switch noteClosed() {
        case .closed: return
        case .readOnly: releaseFiles()
        case .writing:
          defer { releaseFiles() }
          // A forked process must not change the end of the file.
          guard isOfThisProcess else { return }
          try asStoreError("The store could not be closed in order", journal.path) {
            if !journal.isSealed {
              if !isDurable && barriers.contains(.commitIsSynchronized) { try journal.synchronize() }
              try journal.seal()
            }
            if journal.isSealPending { try journal.synchronize() }
          }
        }
      }
    } catch {
      failure = error
    }
    if let failure { throw failure }
  }
}
