import FiefGraph
import Foundation

extension StoreFile {
  /// Reads what a store holds, without opening it for writing: takes no lock, and changes no byte, not even in its
  /// folder (S15). It sees the snapshot and the whole commits of the journal; a store may be open for writing
  /// meanwhile, and then the last of them may be one that is not durable yet.
  ///
  /// - Parameters:
  ///   - path: Where the store is. Links are followed.
  ///   - system: Where the files are.
  /// - Returns: the newest version.
  /// - Throws: what `open` throws, except `alreadyOpen`; `fileNotFound` when there is no store.
  /// - Complexity: linear in the files.
  public static func read(
    _ path: String, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> StoredVersion {
    StoredVersion(try readPair(path, PatientFileSystem(system: system)))
  }

  /// Reads both files, and again when a checkpoint came between.
  static func readPair(_ path: String, _ system: PatientFileSystem) throws(StoreError) -> StoredPair {
    let paths = try StorePaths(resolving: path, system)
    // Where there is no snapshot there may be a journal that has lost it: damage to readers as it is to opening.
    _ = try paths.checkOurs(system)
    var attempts = 0
    // A writer may be in the middle of an append: then the end is another one in a moment.
    var tornSize: Int?
    while true {
      attempts += 1
      do throws(StoreError) {
        guard case .pair(let pair) = try StoredPair.read(paths, system, .all) else {
          throw StoreError.noStore(at: paths.snapshot)
        }
        guard case .torn = pair.journal?.end, let size = pair.journal?.bytes.count, attempts < 5, size != tornSize
        else {
          return pair
        }
        tornSize = size
      } catch {
        // The snapshot was read before a checkpoint and the journal after it. A store that is really so is so again.
        guard error.code == .damaged, attempts < 5 else { throw error }
      }
    }
  }

  /// Writes one version to a new file that stands alone: a store of its own, with an identity of its own.
  ///
  /// - Parameters:
  ///   - graph: The version's graph.
  ///   - version: Its version.
  ///   - userVersion: The application's number of its schema in it.
  ///   - path: Where to write it. Nothing may be there.
  ///   - fileMode: Its permissions; nil for those that the process gives its files.
  ///   - system: Where the file is.
  /// - Returns: how many bytes it has.
  /// - Throws: `fileExists`; `alreadyOpen` while another writes a copy, or opens a store, there; what the system says.
  ///   Nothing is left of the file then.
  /// - Complexity: linear in the graph.
  @discardableResult
  public static func writeCopy(
    of graph: Graph, version: UInt64, userVersion: UInt64, to path: String, fileMode: UInt16? = nil,
    on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> Int {
    let system = PatientFileSystem(system: system, newFileMode: fileMode)
    let paths = try StorePaths(resolving: path, system)
    let lock = try StoreLock.take(paths, system)
    defer {
      // The copy of a store that nobody has opened is one file.
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
    let bits = (system.randomBits(), system.randomBits())
    let header = SnapshotHeader(
      store: withUnsafeBytes(of: bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) },
      generation: Generation.alone, version: version, userVersion: userVersion)
    return try asStoreError("The copy could not be written", paths.snapshot) {
      let new = try NewSnapshot(graph, header, paths, system, .all)
      do {
        // Who took the lock file away may have made a store meanwhile (S16).
        try checkFree()
        try new.takeName().close()
        return new.size
      } catch {
        throw new.given(up: error)
      }
    }
  }

  /// Removes a store's files. Its lock file stays, as it does for as long as anyone might hold it.
  ///
  /// When the power fails meanwhile, one of the two files may be left; opening then says so, and removing again helps.
  ///
  /// - Parameters:
  ///   - path: Where the store is. Links are followed.
  ///   - system: Where the files are.
  /// - Returns: whether there was anything to remove.
  /// - Throws: `alreadyOpen`; `invalidDatabase` and the like for what is no store of ours; what the system says.
  @discardableResult
  public static func delete(_ path: String, on system: any FileSystem = RealFileSystem()) throws(StoreError) -> Bool {
    let system = PatientFileSystem(system: system)
    let paths: StorePaths
    do { paths = try StorePaths(resolving: path, system) } catch {
      // Where there is no folder there is nothing in it.
      if error.code == .fileOperationFailed && error.systemCode == ENOENT { return false }
      throw error
    }
    _ = try paths.checkOurs(system)
    func present() throws(StoreError) -> [String] {
      try asStoreError("The store could not be removed", paths.snapshot) {
        try [paths.snapshot, paths.journal].filter { try system.entry(at: $0) != nil }
      }
    }
    guard try !present().isEmpty else { return false }
    let lock = try StoreLock.take(paths, system)
    defer { lock.release() }
    // Who has the store open while its lock file was taken away has the locks of these.
    for path in try present() {
      try StoreLock.takeFile(path, of: paths.snapshot, isLocking: true, system)?.close()
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
