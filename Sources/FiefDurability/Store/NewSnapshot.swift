import FiefGraph

/// Writes a snapshot beside the current one, and then replaces that (S3, S8).
struct NewSnapshot {
  private let file: NewFile
  private let barriers: Barriers

  /// Writes the whole of `graph`.
  ///
  /// - Parameters:
  ///   - replaced: The file that it will replace; nil if there is none.
  ///   - models: The files of which it gets the permissions; nil for those of the store.
  /// - Throws: the system's error; the file is removed then.
  init(
    _ graph: Graph, _ header: SnapshotHeader, _ paths: StorePaths, replacing replaced: FileIdentity?,
    like models: [String]? = nil, _ system: any FileSystem, _ barriers: Barriers
  ) throws(FileFailure) {
    let file = try NewFile(
      paths.snapshot, of: paths, replacing: replaced, like: models ?? [paths.snapshot, paths.journal], system, barriers)
    self.file = file
    self.barriers = barriers
    do {
      // The lock must be held before the file has its name, because hard links can then be made to it.
      if barriers.contains(.storeIsLocked) { try file.lock() }
      let sealer = BlockSealer(header)
      if file.isBehind { unsafe file.finishPortions(by: sealer.sealAll) }
      let settle = file.isBehind ? { try file.drain() } : nil
      try unsafe Snapshot.write(
        graph, to: try BlockWriter(header, sealer, settle: settle) { part in try unsafe file.append(part) })
      if barriers.contains(.snapshotIsSynchronized) { try file.synchronize() }
    } catch {
      file.discard()
      guard let failure = error as? FileFailure else { fatalError("A snapshot was refused by its writer: \(error).") }
      throw failure
    }
  }

  /// Its size in bytes.
  var size: Int { file.length }

  /// The identity of the file.
  var identity: FileIdentity { file.file.identity }

  /// Makes it the store's snapshot.
  func assignName() throws(NewFile.Doubt) -> any OpenFile {
    try file.assignName(synchronizingFolder: barriers.contains(.snapshotNameIsSynchronized))
    return file.file
  }

  /// Gives the file up.
  func discard() { file.discard() }

  /// Closes the file after an error, and removes it unless it may have its name.
  func given(up error: any Error) -> any Error { file.given(up: error) }
}
