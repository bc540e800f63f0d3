import Foundation

/// That this process, and this opening, is the one that writes the store (S14).
///
///     dogs.realm.lock ── flock ──▶ held as long as the file is open; goes with the process
///                     ── "4711"    the holder's number, for the error message of the next one
///
/// The file is never renamed and never deleted by us. Someone else may have done it between the opening and the locking:
/// then the lock is on a file that nobody will ever meet, and another is taken.
final class StoreLock: Sendable {
  private let file: any OpenFile

  private init(_ file: any OpenFile) { self.file = file }

  /// Takes the lock.
  ///
  /// - Throws: `alreadyOpen` with the holder's number; what the system says.
  static func take(_ path: String, store: String, _ system: any FileSystem) throws(StoreError) -> StoreLock {
    var holder: Int32?
    do throws(FileFailure) {
      if let lock = try attempt(path, system, &holder) { return lock }
    } catch {
      throw StoreError(error, "The store cannot be locked")
    }
    throw alreadyOpen(store, holder: holder)
  }

  /// The lock; nil when another has it.
  private static func attempt(
    _ path: String, _ system: any FileSystem, _ holder: inout Int32?
  ) throws(FileFailure) -> StoreLock? {
    for _ in 0..<100 {
      let file = try system.open(path, for: .locking)
      guard try file.lock() else {
        holder = self.holder(in: file)
        file.close()
        return nil
      }
      if try system.entry(at: path)?.identity == file.identity {
        note(system.processIdentifier, in: file, path)
        return StoreLock(file)
      }
      file.close()
    }
    throw FileFailure(.lock, path, EAGAIN)
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

  /// Who says in the file that they hold it.
  static func holder(in file: any OpenFile) -> Int32? {
    guard let bytes = try? file.readAll(0..<20) else { return nil }
    return Int32(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
  }

  /// Says in the file who holds it. That this fails (on a full disk, say) makes the lock no worse.
  private static func note(_ process: Int32, in file: any OpenFile, _ path: String) {
    try? file.truncate(to: 0)
    try? file.writeAll(Array("\(process)\n".utf8), at: 0, path: path)
  }

  /// Lets go of the lock.
  func release() { file.close() }
}
