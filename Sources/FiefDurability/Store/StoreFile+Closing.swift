extension StoreFile {
  /// Synchronizes and seals the journal (S6) and lets go of all files and of the lock. Waits for a checkpoint that is
  /// under way. Nothing can be done with the store afterwards; closing it again does nothing.
  ///
  /// - Throws: what the system says. The files are let go in any case, and the next opening takes the store for one
  ///   that was not closed.
  public func close() throws(StoreError) {
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
          // A process that was forked off has no say in what the file ends with.
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
