import Foundation

extension StorePaths {
  /// The names of the store at `path`.
  ///
  /// - Throws: `fileOperationFailed` when the folder does not exist; other errors of the system.
  init(resolving path: String, _ system: any FileSystem) throws(StoreError) {
    do throws(FileFailure) {
      self.init(try system.resolve(path))
    } catch {
      guard error.code == ENOENT else { throw StoreError(error, "The path \(path) leads nowhere") }
      throw StoreError(
        .fileOperationFailed,
        "The folder \(error.path), to which the path \(path) leads, does not exist: create it first.", file: path,
        systemCode: ENOENT)
    }
  }

  /// Checks by its first bytes whether the file is a snapshot of this library; a damaged one counts.
  ///
  /// - Returns: whether a file exists there.
  /// - Throws: an error that names the kind of the file, if it is not a snapshot of this library.
  func checkOurs(_ system: any FileSystem) throws(StoreError) -> Bool {
    try asStoreError("The store could not be opened", at: snapshot) {
      guard let file = try open(snapshot, for: .reading, system) else { return false }
      defer { file.close() }
      let first = try file.readAll(0..<FileKind.inspectedLength)
      // The file may have been replaced as well.
      let size = try file.size()
      guard first.count >= min(FileKind.inspectedLength, size) else { throw FileFailure(.read, at: snapshot, EIO) }
      do {
        _ = try unsafe first.withUnsafeBytes { try unsafe SnapshotHeader(reading: $0) }
      } catch let error as CodecError where error.isRefusalOfSoundFile || error.code == .empty {
        // A snapshot whose very first bytes are damaged repeats its header at its end.
        let end = size - BlockScanner.trailerSize
        guard case .foreign = error.code, end >= 0 else { throw error }
        let last = try file.readAll(end..<size)
        guard unsafe last.withUnsafeBytes({ unsafe SnapshotHeader.isRepeated(in: $0) }) else { throw error }
      } catch {
        // The header is damaged, but the file is a snapshot. Reading the whole file reports the damage.
      }
      return true
    }
  }

  /// The snapshot, open, with its size, and the bytes of the journal; nil for a file that does not exist. The caller
  /// closes the file.
  func openContents(
    _ system: any FileSystem
  ) throws(StoreError) -> (snapshot: (file: any OpenFile, size: Int)?, journal: [UInt8]?) {
    func asError<Found>(_ path: String, _ body: () throws -> Found) throws(StoreError) -> Found {
      try asStoreError("The store could not be read", at: path, body)
    }
    let file = try asError(snapshot) { try open(snapshot, for: .reading, system) }
    do throws(StoreError) {
      let found = try asError(snapshot) { try file.map { ($0, try $0.size()) } }
      return (found, try bytes(journal, system))
    } catch {
      file?.close()
      throw error
    }
  }

  /// The bytes of the snapshot and of the journal; nil for a file that does not exist.
  func contents(_ system: any FileSystem) throws(StoreError) -> (snapshot: [UInt8]?, journal: [UInt8]?) {
    (try bytes(snapshot, system), try bytes(journal, system))
  }

  private func bytes(_ path: String, _ system: any FileSystem) throws(StoreError) -> [UInt8]? {
    try asStoreError("The store could not be read", at: path) {
      guard let file = try open(path, for: .reading, system) else { return nil }
      defer { file.close() }
      return try file.readWhole(path: path)
    }
  }
}

extension StoreError {
  /// The error for a store that does not exist.
  static func noStore(at path: String) -> StoreError {
    StoreError(.fileNotFound, "There is no realm's file at \(path).", file: path, systemCode: ENOENT)
  }
}
