import Foundation

/// Gives a file of another kind a second name beside its own, before a store takes its name.
struct OriginalKeeping {
  let file: any OpenFile
  let paths: StorePaths
  let system: PatientFileSystem

  /// How many bytes are copied and compared at once.
  private static let portion = 1 << 20

  func run() throws(StoreError) -> String {
    try asStoreError("The file \(paths.snapshot) could not be kept", at: paths.snapshot) {
      let kept = try name()
      try system.synchronizeFolder(paths.folder)
      return kept
    }
  }

  private func name() throws -> String {
    let free = try paths.free(system, paths.original) { path, entry in
      // An import that was interrupted has left it. It may not be durable.
      try entry.identity == file.identity || isCopy(path, entry)
    }
    if free.isThere { return free.path }
    do throws(FileFailure) {
      try system.link(paths.snapshot, as: free.path)
    } catch {
      guard error.isWithoutSecondNames else { throw error }
      try copy(to: free.path)
    }
    return free.path
  }

  /// Whether another file has the same bytes.
  private func isCopy(_ path: String, _ entry: FileEntry) throws -> Bool {
    guard entry.kind == .file, try entry.size == file.size() else { return false }
    let other = try system.open(path, for: .reading)
    defer { other.close() }
    for start in stride(from: 0, to: entry.size, by: Self.portion) {
      let range = start..<min(start + Self.portion, entry.size)
      if try other.readAll(range) != file.readAll(range) { return false }
    }
    return true
  }

  /// Writes a copy, which gets its name when it is whole and durable.
  private func copy(to path: String) throws {
    let new = try NewFile(path, of: paths, replacing: nil, like: [paths.snapshot], system)
    do {
      let size = try file.size()
      for start in stride(from: 0, to: size, by: Self.portion) {
        try new.append(try file.readAll(start..<min(start + Self.portion, size)))
      }
      try new.synchronize()
    } catch {
      new.discard()
      throw error
    }
    try new.finish(synchronizingFolder: false).close()
  }
}
