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
  ///   - key: The key of the store; nil for a plain one.
  ///   - system: The file system.
  /// - Returns: the newest version.
  /// - Throws: the errors of `open`, except `alreadyOpen`; `fileNotFound` when the store does not exist.
  /// - Complexity: linear in the files.
  package static func read(
    _ path: String, history: HistoryLimits? = nil, key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> StoredVersion {
    let system = PatientFileSystem(system: system, key: key)
    let pair = try readPair(path, system, keeping: history)
    return StoredVersion(pair, try StorePaths(resolving: path, system), system)
  }

  /// Reads both files, and reads them again when a checkpoint came between.
  static func readPair(
    _ path: String, _ system: PatientFileSystem, keeping history: HistoryLimits? = nil
  ) throws(StoreError) -> StoredPair {
    let paths = try StorePaths(resolving: path, system)
    // There may be a journal without its snapshot: that is damage to readers as it is to opening.
    _ = try paths.checkOurs(system)
    var attempts = 0
    while true {
      attempts += 1
      do throws(StoreError) {
        guard let pair = try StoredPair.read(paths, system, keeping: history) else {
          throw StoreError.noStore(at: paths.snapshot)
        }
        return pair
      } catch {
        // The snapshot was read before a checkpoint and the journal after it. Real damage shows again in the next
        // attempt.
        guard error.code == .damaged, attempts < 5 else { throw error }
      }
    }
  }

  /// Reads both files, and decides whether bytes behind the last whole record are left of a crash, or of an append that
  /// is under way.
  ///
  ///     read 1    … record 7 │ 812 bytes        torn
  ///     look      the same bytes, after a pause: a crash has left them
  ///     read 2    … record 8 │ 300 bytes        other bytes: a writer completes its record, so it lives, and these
  ///                                             bytes are its next append
  ///
  /// Sizes alone show nothing: a record may be written over a seal, and a thread stopped in the middle of a call.
  static func readDecidedPair(_ path: String, _ system: PatientFileSystem) throws(StoreError) -> StoredPair {
    let paths = try StorePaths(resolving: path, system)
    var pair = try readPair(path, system)
    // A writer that completes no record gives up and cuts it off, so few rounds suffice.
    for _ in 0..<100 {
      guard let journal = pair.journal, case .torn = journal.end else { return pair }
      if try journal.keepsItsTail(paths, system) { return pair }
      var next = try readPair(path, system)
      if let later = next.journal, later.header.generation == journal.header.generation, later.length > journal.length,
        case .torn = later.end
      {
        next.journal?.end = .clean
        return next
      }
      pair = next
    }
    return pair
  }

  /// Writes one version to a new file that stands alone: a store with an identity of its own.
  ///
  /// - Parameters:
  ///   - graph: The version's graph.
  ///   - version: Its version.
  ///   - userVersion: The application's schema number in it.
  ///   - path: The path of the new file. No file may be there.
  ///   - fileMode: Its permissions; nil for the defaults of the process.
  ///   - key: The key of the new file, which may be another than that of the store; nil for a plain file.
  ///   - system: The file system.
  /// - Returns: the file's size in bytes.
  /// - Throws: `fileExists`; `alreadyOpen` while another process or opening writes a copy, or opens a store, at `path`;
  ///   errors of the system. An error leaves no file behind. An empty lock file may remain when several write to one
  ///   name at once: one may lock the file that another has just created, and nothing shows it whose file that is.
  /// - Complexity: linear in the graph.
  @discardableResult
  package static func writeCopy(
    of graph: Graph, version: UInt64, userVersion: UInt64, to path: String, fileMode: UInt16? = nil,
    key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> Int {
    let system = PatientFileSystem(system: system, newFileMode: fileMode, key: key)
    let paths = try StorePaths(resolving: path, system)
    func checkFree() throws(StoreError) {
      for path in [paths.snapshot, paths.journal] {
        let isThere = try asStoreError("The copy could not be written", at: path) { try system.entry(at: path) != nil }
        if isThere { throw StoreError(.fileExists, "There is a file at \(path): a copy needs a new name.", file: path) }
      }
    }
    try checkFree()
    try paths.checkNewName(system)
    let lock = try StoreLock.acquire(paths, hasStore: false, system)
    defer {
      // A copy that was never opened is one file, without a lock file.
      if lock.isNew { lock.remove(paths, system) }
      lock.release()
    }
    // Another process may have made a store before the lock was taken, or later if the lock file was removed (S16).
    try checkFree()
    return try writeAlone(
      graph, version: version, userVersion: userVersion, to: paths, replacing: nil, like: nil, on: system,
      check: checkFree)
  }

  /// Checks that a file of another kind can be replaced by a new store: that the store can have its name, and that no
  /// other file is where the store's own belong.
  ///
  /// - Throws: `fileExists` for a file that is in the way; `fileAccess` for a name that other stores need;
  ///   `fileOperationFailed` for a name that is too long; errors of the system.
  package static func checkReplacing(_ path: String, on system: any FileSystem) throws(StoreError) {
    let system = PatientFileSystem(system: system)
    try StorePaths(resolving: path, system).checkReplacing(system)
  }

  /// Replaces a file of another kind by one version that stands alone: at once, or not at all.
  ///
  /// - Parameters:
  ///   - file: The file, which the caller has open and locked.
  ///   - path: Its path.
  ///   - graph: The version's graph.
  ///   - version: Its version.
  ///   - userVersion: The application's schema number in it.
  ///   - fileMode: The permissions of the new file.
  ///   - key: The key of the new file; nil for a plain one.
  ///   - system: The file system.
  /// - Throws: the errors of `checkReplacing`; `alreadyOpen` when the path leads to another file by now.
  /// - Complexity: linear in the graph.
  package static func replace(
    _ file: FileIdentity, at path: String, by graph: Graph, version: UInt64, userVersion: UInt64, fileMode: UInt16?,
    key: FileKey? = nil, on system: any FileSystem
  ) throws(StoreError) {
    let system = PatientFileSystem(system: system, newFileMode: fileMode, key: key)
    let paths = try StorePaths(resolving: path, system)
    try paths.checkReplacing(system)
    _ = try writeAlone(
      graph, version: version, userVersion: userVersion, to: paths, replacing: file, like: [], on: system
    ) {
      () throws(StoreError) in try paths.checkReplacing(system)
    }
  }

  /// Writes a snapshot that stands alone.
  ///
  /// - Parameter check: Called before the file gets its name.
  /// - Returns: its size in bytes.
  private static func writeAlone(
    _ graph: Graph, version: UInt64, userVersion: UInt64, to paths: StorePaths, replacing replaced: FileIdentity?,
    like models: [String]?, on system: PatientFileSystem, check: () throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    paths.removeTemporaryFiles(system)
    let header = SnapshotHeader(
      store: UUID(system.randomBits(), system.randomBits()),
      generation: Generation.alone, version: version, userVersion: userVersion)
    return try asStoreError("The copy could not be written", at: paths.snapshot) {
      let new = try NewFile.snapshot(of: graph, header, at: paths, replacing: replaced, like: models, on: system)
      try new.finish(after: check).close()
      return new.length
    }
  }

  /// Keeps a file of another kind beside the store that will take its name: under a second name, or as a copy where the
  /// file system has no second names. The name is durable on return. The file is not changed.
  ///
  /// - Parameters:
  ///   - file: The file, which the caller has open.
  ///   - path: Its path. The new name is the path and `.original`, with a number if that name is in use.
  ///   - system: The file system.
  /// - Returns: the name. It is an old one if that leads to the file, or to a file with the same bytes.
  /// - Complexity: constant for a second name; otherwise linear in the file, and in files of the same size that were
  ///   kept before.
  package static func keep(
    _ file: any OpenFile, at path: String, on system: any FileSystem
  ) throws(StoreError) -> String {
    let system = PatientFileSystem(system: system)
    let paths = try StorePaths(resolving: path, system)
    return try OriginalKeeping(file: file, paths: paths, system: system).run()
  }

  /// Removes a store's files. Its lock file remains, because another process may hold it open. So do files of others,
  /// and the history of another store.
  ///
  /// A power failure meanwhile may leave the snapshot or the journal. Opening then throws, and calling `delete` again
  /// removes the file. The history is removed before them, because without them nothing shows whose it is.
  ///
  /// - Parameters:
  ///   - path: The path of the store. Links are followed.
  ///   - system: The file system.
  /// - Returns: whether there was a file to remove.
  /// - Throws: `alreadyOpen`; `invalidDatabase` and similar errors for a file that is not a store of this library, and
  ///   for a journal that is not the store's, and then nothing is removed; errors of the system.
  @discardableResult
  package static func delete(_ path: String, on system: any FileSystem = RealFileSystem()) throws(StoreError) -> Bool {
    let system = PatientFileSystem(system: system)
    let paths: StorePaths
    do { paths = try StorePaths(resolving: path, system) } catch {
      // A folder that does not exist holds no store.
      if error.code == .fileOperationFailed && error.systemCode == ENOENT { return false }
      throw error
    }
    let isThere = try paths.checkOurs(system)
    guard try !paths.ownFiles(system).isEmpty else { return false }
    let lock = try StoreLock.acquire(paths, hasStore: isThere, system)
    defer { lock.release() }
    // An opening whose lock file was removed still holds the locks of these files. They need not be writable.
    for path in [paths.snapshot, paths.journal] {
      try StoreLock.acquireFile(path, of: paths, isWriting: false, system)?.close()
    }
    let there = try paths.ownFiles(system)
    paths.removeTemporaryFiles(system)
    try asStoreError("The store could not be removed", at: paths.snapshot) {
      for file in there {
        try file.remove(system)
        if file.path == paths.history { try system.synchronizeFolder(paths.folder) }
      }
      try system.synchronizeFolder(paths.folder)
    }
    return !there.isEmpty
  }
}

extension StoredJournal {
  /// The pauses between the looks at a tail, in milliseconds: together more than a writer's timer takes for a round.
  private static let pauses = [2, 20, 230]

  /// Whether the bytes behind the last whole record stay as they were read.
  fileprivate func keepsItsTail(_ paths: StorePaths, _ system: PatientFileSystem) throws(StoreError) -> Bool {
    let start = min(length, bytes.count)
    let first = 0..<min(start, FileKind.inspectedLength)
    for pause in Self.pauses {
      system.pause(milliseconds: pause)
      let isSame = try asStoreError("The store could not be read", at: paths.journal) {
        let file: any OpenFile
        do throws(FileFailure) { file = try system.open(paths.journal, for: .reading) } catch {
          // A checkpoint replaces it.
          if error.meaning == .fileNotFound { return false }
          throw error
        }
        defer { file.close() }
        // One byte more shows a file that has grown.
        return try file.readAll(first).elementsEqual(bytes[first])
          && file.readAll(start..<bytes.count + 1).elementsEqual(bytes[start...])
      }
      if !isSame { return false }
    }
    return true
  }
}
