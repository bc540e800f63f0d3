import FiefGraph

/// Writes a history beside the current one, and then replaces that (S3, S17).
///
///     versions in memory, the newest first ──▶ inverse changes ──┐
///     records of the old history, before these ──────────────────┴─▶ new history
///
/// The limits are those of the store. The versions in memory are within them, and records beyond them are left out.
struct NewHistory {
  private let file: NewFile
  /// Its size in bytes.
  var size: Int { file.length }

  /// Writes the history of a version.
  ///
  /// - Parameters:
  ///   - graph: The version's graph.
  ///   - earlier: The versions before it, the newest first.
  ///   - old: The history that leads back from the last of these; nil if it is not within the limits.
  ///   - replaced: The store's history file, which the new one will replace; nil if there is none.
  /// - Throws: the system's error; the file is removed then.
  init(
    _ header: SnapshotHeader, _ graph: Graph, _ earlier: some Collection<KeptVersion>, _ old: StoredHistory?,
    _ limits: HistoryLimits, _ paths: StorePaths, replacing replaced: FileIdentity?, _ system: any FileSystem,
    _ barriers: Barriers
  ) throws(FileFailure) {
    let now = system.now
    var copied: ArraySlice<HistoryRecord> = []
    if let old {
      let count = old.records.enumerated().prefix { limits.keep(earlier.count + $0, laterThan: $1.time, at: now) }.count
      copied = old.records.prefix(count)
    }
    let oldest = header.version - UInt64(earlier.count + copied.count)
    var writer = HistoryWriter(
      HistoryHeader(store: header.store, generation: header.generation, version: header.version, oldest: oldest))
    let file = try NewFile(
      paths.history, of: paths, replacing: replaced, like: [paths.history, paths.snapshot], system, barriers)
    self.file = file
    do throws(FileFailure) {
      try file.append(writer.headerBytes)
      var next = graph
      for version in earlier {
        try file.append(writer.version(Delta(from: next, to: version.graph), time: version.time))
        next = version.graph
      }
      for record in copied {
        let payload = old.map { Array($0.bytes[record.payload]) } ?? []
        try file.append(
          unsafe payload.withUnsafeBytes { unsafe writer.version(copying: $0, time: record.time) })
      }
      try file.synchronize()
    } catch {
      file.discard()
      throw error
    }
  }

  /// Makes it the store's history.
  func assignName() throws(NewFile.Doubt) {
    try file.assignName()
    file.file.close()
  }

  /// Gives the file up.
  func discard() { file.discard() }

  /// Closes the file after an error, and removes it unless it may have its name.
  func given(up error: any Error) -> any Error { file.given(up: error) }
}
