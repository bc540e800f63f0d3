extension StorePaths {
  /// Saves bytes that are about to be cut off the journal in a file beside the store, behind the journal's header (S6).
  ///
  /// - Parameters:
  ///   - version: the last commit before the bytes.
  ///   - isSynchronizing: whether the name is made durable. A journal that is written anew does that afterwards.
  ///   - check: called before the file gets its name.
  /// - Returns: its path, also of a file that has the same bytes already; nil if all bytes are zeros, which come from
  ///   growing the file and not from a commit.
  func keepTail(
    _ tail: some Collection<UInt8>, header: some Collection<UInt8>, behind version: UInt64, _ system: any FileSystem,
    synchronizingFolder isSynchronizing: Bool, checking check: () throws -> Void = {}
  ) throws(StoreError) -> String? {
    guard tail.contains(where: { $0 != 0 }) else { return nil }
    let bytes = Array(header) + Array(tail)
    // An opening that then did not come to cut them off has left them. It tries again for as long as the disk is full.
    let (path, isThere) = try free(system, { cutOff(behind: version, $0) }) { path, entry in
      entry.kind == .file && entry.size == bytes.count && holds(bytes, path, system)
    }
    return try asStoreError("What is cut off of the journal could not be kept", at: path) {
      if isThere {
        if isSynchronizing { try system.synchronizeFolder(folder) }
        return path
      }
      let new = try NewFile(path, of: self, replacing: nil, like: [journal], system)
      let file = try new.finish(synchronizingFolder: isSynchronizing) {
        try new.append(bytes)
        try new.synchronize()
        try check()
      }
      file.close()
      return path
    }
  }

  /// Whether a file has these bytes. One that cannot be read has others.
  private func holds(_ bytes: [UInt8], _ path: String, _ system: any FileSystem) -> Bool {
    guard let file = try? system.open(path, for: .reading) else { return false }
    defer { file.close() }
    return (try? file.readAll(0..<bytes.count)) == bytes
  }
}
