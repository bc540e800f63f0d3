import Foundation

/// That this process, and this opening, is the one that writes the store (S14).
///
///     dogs.realm.lock ── flock ──▶ held as long as the file is open, here or in a fork
///                     ── "fief 4711"    the holder's number, for the error message of the next one
///
/// The file is never renamed. Someone else may have taken it away between the opening and the locking: then the lock is
/// on a file that nobody will ever meet, and another is taken. Nothing is written to a file that says anything else
/// than a lock file of ours.
final class StoreLock: Sendable {
  private let file: any OpenFile
  /// Whether nobody had the lock before, as far as the file says.
  let isNew: Bool

  private init(_ file: any OpenFile, isNew: Bool) {
    self.file = file
    self.isNew = isNew
  }

  /// Which file it is.
  var identity: FileIdentity { file.identity }

  /// Takes the lock of a store.
  ///
  /// - Throws: `alreadyOpen` with the holder's number; `fileExists` when something else stands under the name of its
  ///   lock file; what the system says.
  static func take(_ paths: StorePaths, _ system: any FileSystem) throws(StoreError) -> StoreLock {
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
              "The file \(path) stands where the lock of \(paths.snapshot) belongs, and was not made by this library: move "
                + "it away. It was not changed.", file: path)
          }
          note(system.processIdentifier, in: file, path, size: entry.size)
          return StoreLock(file, isNew: entry.size == 0)
        }
        file.close()
      }
      throw FileFailure(.lock, path, EAGAIN)
    }
  }

  /// Opens a data file for writing and takes the lock that it has itself: other names lead to it as well, and it is
  /// still there when the lock file was taken away (S14).
  ///
  /// - Returns: the file; nil when there is none.
  /// - Throws: `alreadyOpen`; what the system says.
  static func takeFile(
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

  /// The refusal of a store that is open.
  static func alreadyOpen(_ store: String, holder: Int32?) -> StoreError {
    let by = holder.map { "by process \($0)" } ?? "by another process"
    return StoreError(
      .alreadyOpen,
      "The store \(store) is open for writing \(by): one process at a time can write it. Close it there, or open it for "
        + "reading only.",
      file: store, holder: holder)
  }

  /// What a lock file of ours begins with.
  private static let mark = "fief "
  /// How many bytes one has at most.
  private static let largest = 20

  /// Who says in the file that they hold it.
  static func holder(in file: any OpenFile) -> Int32? {
    guard let bytes = try? file.readAll(0..<largest), bytes.starts(with: mark.utf8) else { return nil }
    return Int32(String(decoding: bytes.dropFirst(mark.utf8.count), as: UTF8.self).prefix { $0.isNumber })
  }

  /// Says in the file who holds it, if that is what the file says. That this fails (on a full disk, say) makes the lock
  /// no worse.
  private static func note(_ process: Int32, in file: any OpenFile, _ path: String, size: Int) {
    if size > 0 {
      guard let bytes = try? file.readAll(0..<mark.utf8.count), bytes.elementsEqual(mark.utf8) else { return }
    }
    // Of one length, so that nothing of an older number is left behind it.
    let number = "\(process)"
    let text = mark + number + String(repeating: " ", count: max(0, 11 - number.utf8.count)) + "\n"
    try? file.writeAll(Array(text.utf8), at: 0, path: path)
  }

  /// Takes the lock file away again, for those who have made it and leave no store behind. Whoever has opened it
  /// meanwhile, and gets its lock, sees that it has no name.
  func remove(_ paths: StorePaths, _ system: any FileSystem) { try? system.remove(paths.lock) }

  /// Lets go of the lock.
  func release() { file.close() }
}
