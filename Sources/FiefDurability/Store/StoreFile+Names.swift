extension StoreFile {
  /// Throws, and ends the writing, when a name of the store leads to another file than the one that is open here, or to
  /// no file (S16). The caller holds the `writing` lock.
  func checkNamesForWriting() throws(StoreError) {
    if let lock { try checkName(paths.lock, is: lock.identity) }
    try checkName(paths.snapshot, is: snapshotIdentity, or: arrivingSnapshot)
    try checkName(paths.journal, is: journal.file.identity)
  }

  /// Makes the same checks before a checkpoint renames a file. The caller holds the `checkpoints` lock.
  func checkNames() throws(StoreError) {
    if let lock { try checkName(paths.lock, is: lock.identity) }
    try checkName(paths.snapshot, is: snapshotFile.identity)
    try checkName(paths.journal, is: journal.file.identity)
  }

  /// Makes the check for one name.
  ///
  /// - Parameter other: another file that may already have the name.
  private func checkName(
    _ name: String, is identity: FileIdentity, or other: FileIdentity? = nil
  ) throws(StoreError) {
    let found: FileIdentity?
    do throws(FileFailure) { found = try system.entry(at: name)?.identity } catch {
      throw StoreError(error, "The store \(path) does not find its files")
    }
    // A store without the barrier `filesAreRenamed` has replaced the files itself.
    if found == identity || found != nil && found == other { return }
    if !barriers.isSuperset(of: [.namesAreCompared, .filesAreRenamed]) { return }
    let cause = StoreError(
      .storeIsReadOnly,
      "The store \(path) takes no more commits: its file \(name) was \(found == nil ? "taken away" : "replaced") while "
        + "it was open. Close it, put back what belongs there, and open it again.", file: name)
    endWriting(cause)
    throw cause
  }
}
