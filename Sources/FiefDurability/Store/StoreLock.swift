import Foundation

/// The lock that makes this opening, in this process, the only writer of the store (S14).
///
///     dogs.realm.lock ── flock ──▶ held as long as the file is open, here or in a fork
///                     ── "fief 4711"    the holder's number, for the error message of the next one
///
/// The file is never renamed. Another process may have removed it between the opening and the locking. Then the lock is
/// on a file that no other process can find, and the lock is taken again. A file whose contents are not those of a lock
/// file is not written to.
final class StoreLock: Sendable {
  private let file: any OpenFile
  /// Whether the lock file was empty, so that it was probably created by this opening.
  let isNew: Bool

  private init(_ file: any OpenFile, isNew: Bool) {
    self.file = file
    self.isNew = isNew
  }

  /// The identity of the lock file.
  var identity: FileIdentity { file.identity }

  /// Takes the lock of a store.
  ///
  /// - Throws: `alreadyOpen` with the holder's number; `fileExists` when another kind of file has the name of the lock
  ///   file; errors of the system.
  static func acquire(_ paths: StorePaths, _ system: any FileSystem) throws(StoreError) -> StoreLock {
    let path = paths.lock
    return try asStoreError("The store cannot be locked", path) {
      for _ in 0..<100 {
        let file = try system.open(path, for: .locking(like: [paths.snapshot, paths.journal]))
        guard try file.lock() else {
          defer { file.close() }
          throw alreadyOpen(paths.snapshot, holder: holder(in: file))
        }
        if let entry = try system.entry(at: path), entry.identity == file.identity {
          guard entry.kind == .file, entry.size <= largest else {
            file.close()
            throw StoreError(
              .fileExists,
              "The file \(path) stands where the lock of \(paths.snapshot) belongs, and was not made by this library: "
                + "move it away. It was not changed.", file: path)
          }
          note(system.processIdentifier, in: file, path, size: entry.size)
          return StoreLock(file, isNew: entry.size == 0)
        }
        file.close()
      }
      throw FileFailure(.lock, path, EAGAIN)
    }
  }

  /// Opens a data file for writing and takes the file's own lock. Other names may lead to the same file, and it still
  /// exists when the lock file was removed (S14).
  ///
  /// - Returns: the file; nil if it does not exist.
  /// - Throws: `alreadyOpen`; errors of the system.
  static func acquireFile(
    _ path: String, of store: String, isLocking: Bool, _ system: any FileSystem
  ) throws(StoreError) -> (any OpenFile)? {
    try asStoreError("The store could not be opened for writing", path) {
      let file: any OpenFile
      do throws(FileFailure) { file = try system.open(path, for: .updating) } catch {
        if error.meaning == .fileNotFound { return nil }
        throw error
      }
      guard try !isLocking || file.lock() else {
        file.close()
        throw alreadyOpen(store, holder: nil).adding(
          "It is open under another name, or its lock file was taken away meanwhile.")
      }
      return file
    }
  }

  /// The error for a store that is open.
  static func alreadyOpen(_ store: String, holder: Int32?) -> StoreError {
    let by = holder.map { "by process \($0)" } ?? "by another process"
    return StoreError(
      .alreadyOpen,
      "The store \(store) is open for writing \(by): one process at a time can write it. Close it there, or open it "
        + "for reading only.",
      file: store, holder: holder)
  }

  /// The beginning of every lock file.
  private static let mark = "fief "
  /// The maximum size of a lock file in bytes.
  private static let largest = 20

  /// The process that the file names as its holder.
  static func holder(in file: any OpenFile) -> Int32? {
    guard let bytes = try? file.readAll(0..<largest), bytes.starts(with: mark.utf8) else { return nil }
    return Int32(String(decoding: bytes.dropFirst(mark.utf8.count), as: UTF8.self).prefix { $0.isNumber })
  }

  /// Writes the holder's number into the file, if the file is empty or begins as a lock file does. A failure (on a full
  /// disk, say) does not weaken the lock.
  private static func note(_ process: Int32, in file: any OpenFile, _ path: String, size: Int) {
    if size > 0 {
      guard let bytes = try? file.readAll(0..<mark.utf8.count), bytes.elementsEqual(mark.utf8) else { return }
    }
    // The length is fixed, so that no digits of an older number remain behind it.
    let number = "\(process)"
    let text = mark + number + String(repeating: " ", count: max(0, 11 - number.utf8.count)) + "\n"
    try? file.writeAll(Array(text.utf8), at: 0, path: path)
  }

  /// Removes the lock file, for a caller that created it and leaves no store behind. Another process that opened the
  /// file meanwhile, and gets its lock, finds that the file has lost its name.
  func remove(_ paths: StorePaths, _ system: any FileSystem) { try? system.remove(paths.lock) }

  /// Releases the lock.
  func release() { file.close() }
}
