import FiefGraph

extension NewFile {
  /// Writes and synchronizes the history of a version beside the current one (S3, S17).
  ///
  ///     versions in memory, the newest first ──▶ inverse changes ──┐
  ///     records of the old history, before these ──────────────────┴─▶ new history
  ///
  /// - Parameters:
  ///   - graph: The version's graph.
  ///   - header: The header of its snapshot.
  ///   - earlier: The versions before it, the newest first, which are within the limits.
  ///   - old: The history that leads back from the last of these; nil if it is not within the limits. Its records
  ///     beyond them are left out.
  ///   - replaced: The store's history file, which the new one will replace; nil without one.
  /// - Throws: the system's error; the file is removed then.
  static func history(
    of graph: Graph, _ header: SnapshotHeader, _ earlier: some Collection<KeptVersion>, continuing old: StoredHistory?,
    within limits: HistoryLimits, at paths: StorePaths, replacing replaced: FileIdentity?, on system: any FileSystem
  ) throws(FileFailure) -> NewFile {
    let now = system.now
    var copied: ArraySlice<HistoryRecord> = []
    if let old {
      let count = old.records.enumerated().prefix { limits.keep(earlier.count + $0, laterThan: $1.time, at: now) }.count
      copied = old.records.prefix(count)
    }
    let oldest = header.version - UInt64(earlier.count + copied.count)
    var writer = HistoryWriter(
      HistoryHeader(store: header.store, generation: header.generation, version: header.version, oldest: oldest),
      key: system.key)
    let file = try NewFile(
      paths.history, of: paths, replacing: replaced, like: [paths.history, paths.snapshot], system)
    do throws(FileFailure) {
      try file.append(writer.headerBytes)
      var next = graph
      for version in earlier {
        try file.append(try writer.version(Delta(from: next, to: version.graph), time: version.time))
        next = version.graph
      }
      for record in copied {
        let payload = old.map { record.payload(in: $0.bytes) } ?? []
        let result = unsafe payload.withUnsafeBytes { payload in
          Result { () throws(FileFailure) in try unsafe writer.version(copying: payload, time: record.time) }
        }
        try file.append(try result.get())
      }
      try file.synchronize()
      return file
    } catch {
      file.discard()
      throw error.operation == .encrypt ? error.of(paths.history) : error
    }
  }
}
