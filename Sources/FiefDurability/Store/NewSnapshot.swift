import FiefGraph

/// Writes a snapshot beside the one that counts, and makes it the one (S3, S8).
struct NewSnapshot {
  private let file: NewFile
  private let barriers: Barriers

  /// Writes all of `graph`.
  ///
  /// - Throws: what the system says; nothing is left of the file then.
  init(
    _ graph: Graph, _ header: SnapshotHeader, _ paths: StorePaths, _ system: any FileSystem, _ barriers: Barriers
  ) throws(FileFailure) {
    let file = try NewFile(paths.snapshot, like: paths.journal, system, barriers)
    self.file = file
    self.barriers = barriers
    do {
      // The lock against hard links is on the file before it has the name that they would be of.
      if barriers.contains(.storeIsLocked) { try file.lock() }
      let sealer = BlockSealer(header)
      if file.isBehind { file.finishPortions(by: sealer.sealAll) }
      let settle = file.isBehind ? { try file.drain() } : nil
      try Snapshot.write(graph, to: try BlockWriter(header, sealer, settle: settle) { part in try file.append(part) })
      if barriers.contains(.snapshotIsSynchronized) { try file.synchronize() }
    } catch {
      file.discard()
      guard let failure = error as? FileFailure else { fatalError("A snapshot was refused by its writer: \(error).") }
      throw failure
    }
  }

  /// How many bytes it has.
  var size: Int { file.length }

  /// Which file it is.
  var identity: FileIdentity { file.file.identity }

  /// Makes it the snapshot.
  func takeName() throws(NewFile.Doubt) -> any OpenFile {
    try file.takeName(synchronizingFolder: barriers.contains(.snapshotNameIsSynchronized))
    return file.file
  }

  /// Gives it up.
  func discard() { file.discard() }

  /// Lets go of it after an error.
  func given(up error: any Error) -> any Error { file.given(up: error) }
}
