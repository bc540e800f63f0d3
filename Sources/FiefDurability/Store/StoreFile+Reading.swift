import FiefGraph
import Foundation

extension StoreFile {
  /// Reads the newest version of a store without opening it for writing. Takes no lock, and changes no byte, not even
  /// in the store's folder (S15). It reads the snapshot and the whole commits of the journal. A store may be open for
  /// writing meanwhile; then the last commits may not be durable yet.
  ///
  /// - Parameters:
  ///   - path: The path of the store. Links are followed.
  ///   - history: How many earlier versions are kept; nil for none.
  ///   - system: The file system.
  /// - Returns: the newest version.
  /// - Throws: the errors of `open`, except `alreadyOpen`; `fileNotFound` when the store does not exist.
  /// - Complexity: linear in the files.
  package static func read(
    _ path: String, history: HistoryLimits? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> StoredVersion {
    let system = PatientFileSystem(system: system)
    let pair = try readPair(path, system, keeping: history)
    var stored = StoredVersion(pair)
    if history != nil {
      stored.beforeSnapshot = EarlierVersions(
        paths: try StorePaths(resolving: path, system), system: system, anchor: pair.anchor)
    }
    return stored
  }

  /// Reads both files, and reads them again when a checkpoint came between.
  static func readPair(
    _ path: String, _ system: PatientFileSystem, keeping history: HistoryLimits? = nil
  ) throws(StoreError) -> StoredPair {
    let paths = try StorePaths(resolving: path, system)
    // There may be a journal without its snapshot: that is damage to readers as it is to opening.
    _ = try paths.checkOurs(system)
    var attempts = 0
    // A writer may be in the middle of an append; then the journal's end changes in a moment.
    var tornSize: Int?
    while true {
      attempts += 1
      do throws(StoreError) {
        guard case .pair(let pair) = try StoredPair.read(paths, system, .all, keeping: history) else {
          throw StoreError.noStore(at: paths.snapshot)
        }
        guard case .torn = pair.journal?.end, let size = pair.journal?.bytes.count, attempts < 5, size != tornSize
        else {
          return pair
        }
        tornSize = size
      } catch {
        // The snapshot was read before a checkpoint and the journal after it. Real damage shows again in the next
        // attempt.
        guard error.code == .damaged, attempts < 5 else { throw error }
      }
    }
  }

  /// Writes one version to a new file that stands alone: a store with an identity of its own.
  ///
  /// - Parameters:
  ///   - graph: The version's graph.
  ///   - version: Its version.
  ///   - userVersion: The application's schema number in it.
  ///   - path: The path of the new file. No file may be there.
  ///   - fileMode: Its permissions; nil for the defaults of the process.
  ///   - system: The file system.
  /// - Returns: the file's size in bytes.
  /// - Throws: `fileExists`; `alreadyOpen` while another process or opening writes a copy, or opens a store, at `path`;
  ///   errors of the system. An error leaves no file behind.
  /// - Complexity: linear in the graph.
  @discardableResult
  package static func writeCopy(
    of graph: Graph, version: UInt64, userVersion: UInt64, to path: String, fileMode: UInt16? = nil,
    on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> Int {
    let system = PatientFileSystem(system: system, newFileMode: fileMode)
    let paths = try StorePaths(resolving: path, system)
    let lock = try StoreLock.acquire(paths, system)
    defer {
      // A copy that was never opened is one file, without a lock file.
      if lock.isNew { lock.remove(paths, system) }
      lock.release()
    }
    func checkFree() throws(StoreError) {
      for path in [paths.snapshot, paths.journal] {
        let isThere = try asStoreError("The copy could not be written", path) { try system.entry(at: path) != nil }
        if isThere { throw StoreError(.fileExists, "There is a file at \(path): a copy needs a new name.", file: path) }
      }
    }
    try checkFree()
    paths.removeTemporaryFiles(system)
    let header = SnapshotHeader(
      store: UUID(system.randomBits(), system.randomBits()),
      generation: Generation.alone, version: version, userVersion: userVersion)
    return try asStoreError("The copy could not be written", paths.snapshot) {
      let new = try NewSnapshot(graph, header, paths, system, .all)
      do {
        // If the lock file was removed meanwhile, another process may have created a store here (S16).
        try checkFree()
        try new.assignName().close()
        return new.size
      } catch {
        throw new.given(up: error)
      }
    }
  }

  /// Removes a store's files. Its lock file remains, because another process may hold it open.
  ///
  /// A power failure meanwhile may leave one of the files. If it is the snapshot or the journal, opening then throws.
  /// Calling `delete` again removes it.
  ///
  /// - Parameters:
  ///   - path: The path of the store. Links are followed.
  ///   - system: The file system.
  /// - Returns: whether there was a file to remove.
  /// - Throws: `alreadyOpen`; `invalidDatabase` and similar errors for a file that is not a store of this library;
  ///   errors of the system.
  @discardableResult
  package static func delete(_ path: String, on system: any FileSystem = RealFileSystem()) throws(StoreError) -> Bool {
    let system = PatientFileSystem(system: system)
    let paths: StorePaths
    do { paths = try StorePaths(resolving: path, system) } catch {
      // A folder that does not exist holds no store.
      if error.code == .fileOperationFailed && error.systemCode == ENOENT { return false }
      throw error
    }
    _ = try paths.checkOurs(system)
    func present() throws(StoreError) -> [String] {
      try asStoreError("The store could not be removed", paths.snapshot) {
        try [paths.snapshot, paths.journal, paths.history].filter { try system.entry(at: $0) != nil }
      }
    }
    guard try !present().isEmpty else { return false }
    let lock = try StoreLock.acquire(paths, system)
    defer { lock.release() }
    // An opening whose lock file was removed still holds the locks of these files.
    for path in try present() where path != paths.history {
      try StoreLock.acquireFile(path, of: paths.snapshot, isLocking: true, system)?.close()
    }
    let there = try present()
    paths.removeTemporaryFiles(system)
    try asStoreError("The store could not be removed", paths.snapshot) {
      for path in there { try system.remove(path) }
      try system.synchronizeFolder(paths.folder)
    }
    return !there.isEmpty
  }
}
