import FiefGraph

extension NewFile {
  /// Writes and synchronizes a snapshot of the whole of `graph` beside the current one (S3, S8).
  ///
  /// - Parameters:
  ///   - replaced: The file that it will replace; nil without one.
  ///   - models: The files of which it gets the permissions; nil for those of the store.
  /// - Throws: the system's error; the file is removed then.
  static func snapshot(
    of graph: Graph, _ header: SnapshotHeader, at paths: StorePaths, replacing replaced: FileIdentity?,
    like models: [String]? = nil, on system: any FileSystem
  ) throws(FileFailure) -> NewFile {
    let file = try NewFile(
      paths.snapshot, of: paths, replacing: replaced, like: models ?? [paths.snapshot, paths.journal], system)
    do {
      // The lock must be held before the file has its name, because hard links can then be made to it.
      try file.lock()
      let (header, cipher) = header.keyed(system.key)
      let sealer = BlockSealer(header)
      if file.isBehind { unsafe file.finishPortions(by: sealer.sealAll) }
      let drain = file.isBehind ? { try file.drain() } : nil
      try unsafe Snapshot.write(
        graph, to: try BlockWriter(header, by: cipher, sealer, drain: drain) { part in try unsafe file.append(part) })
      try file.synchronize()
      return file
    } catch {
      file.discard()
      guard let failure = error as? FileFailure else { fatalError("A snapshot was refused by its writer: \(error).") }
      throw failure.operation == .encrypt ? failure.of(paths.snapshot) : failure
    }
  }
}
