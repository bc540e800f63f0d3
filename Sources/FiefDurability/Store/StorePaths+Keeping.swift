extension StorePaths {
  /// Saves bytes that are about to be cut off the journal in a file beside the store, behind the journal's header (S6).
  ///
  /// - Parameters:
  ///   - version: the last commit before the bytes.
  ///   - isSynchronizing: whether the name is made durable. A journal that is written anew does that afterwards.
  ///   - check: called before the file gets its name.
  /// - Returns: its path; nil if all bytes are zeros, which come from growing the file and not from a commit.
  func keepTail(
    _ tail: some Collection<UInt8>, header: some Collection<UInt8>, behind version: UInt64, _ system: any FileSystem,
    synchronizingFolder isSynchronizing: Bool, checking check: () throws -> Void = {}
  ) throws(StoreError) -> String? {
    guard tail.contains(where: { $0 != 0 }) else { return nil }
    let path = try free(system) { cutOff(behind: version, $0) }.path
    return try asStoreError("What is cut off of the journal could not be kept", at: path) {
      let new = try NewFile(path, of: self, replacing: nil, like: [journal], system)
      let file = try new.finish(synchronizingFolder: isSynchronizing) {
        try new.append(Array(header))
        try new.append(Array(tail))
        try new.synchronize()
        try check()
      }
      file.close()
      return path
    }
  }
}
