import FiefDurability
import FiefRealmFiles
import Foundation

/// A file of Realm while it is imported: open for reading, and locked against other imports.
///
/// A program that has the file open with Realm holds a shared `flock` of the file beside it that ends in `.lock`, from
/// its first opening to its last closing. The exclusive lock that is taken here excludes it. On Apple's mobile systems
/// a program holds that lock for moments only, and has a named pipe open for reading in its place. Under the lock, its
/// reader is looked for, as Realm does for an exclusive lock of its own. The file itself is never written to.
final class OriginalFile {
  let path: String
  private let file: any OpenFile
  private let lock: (any OpenFile)?
  private let system: any FileSystem

  /// How many bytes are read at once.
  private static let portion = 1 << 20

  /// - Throws: `.alreadyOpen` when a program has the file open; errors of the system.
  init(_ path: String, on system: any FileSystem) throws {
    self.path = path
    self.system = system
    do {
      file = try system.open(path, for: .reading)
    } catch {
      throw Self.error(error, path)
    }
    do {
      let lockPath = path + ".lock"
      lock = try system.entry(at: lockPath) == nil ? nil : system.open(lockPath, for: .reading)
      guard try file.lock(), try lock?.lock() ?? true,
        try !system.hasReader(ofPipe: path + ".management/lock.fifo")
      else {
        throw Realm.Error(
          .alreadyOpen,
          "The file \(path) is open in another program, or is being imported: close it there, and then import it.",
          file: URL(fileURLWithPath: path))
      }
    } catch {
      file.close()
      throw Self.error(error, path)
    }
  }

  deinit {
    lock?.close()
    file.close()
  }

  /// The kinds of files of Realm.
  enum Kind {
    /// A file in a version of the format.
    case plain(format: UInt8)
    /// A file that looks like an encrypted one.
    case encrypted
  }

  /// Which kind of file of Realm is at a path; nil if it is no file of Realm, or not there.
  static func kind(ofFile path: String, on system: any FileSystem) -> Kind? {
    guard let file = try? system.open(path, for: .reading) else { return nil }
    defer { file.close() }
    guard let first = try? file.readAll(0..<RealmFile.inspectedLength), let size = try? file.size() else { return nil }
    if let format = RealmFile.format(ofFirst: first) { return .plain(format: format) }
    return RealmFile.looksEncrypted(first, size: size) ? .encrypted : nil
  }

  /// Whether the path still leads to this file.
  var hasItsName: Bool { (try? system.entry(at: path))?.identity == file.identity }

  /// Reads the whole file.
  ///
  /// - Throws: `Realm.Error` for a file that cannot be imported; errors of the system; what `progress` throws.
  func read(_ progress: (Double) throws -> Void) throws -> RealmFile {
    var bytes: ContiguousArray<UInt8> = []
    do {
      bytes.reserveCapacity(try file.size())
      try forEachPortion { bytes.append(contentsOf: $0) }
    } catch {
      throw Self.error(error, path)
    }
    do {
      return try RealmFile(bytes, progress: progress)
    } catch let error as RealmFileError {
      throw Realm.Error(error, file: URL(fileURLWithPath: path))
    }
  }

  /// Calls `body` with all bytes of the file, a portion at a time.
  private func forEachPortion(_ body: ([UInt8]) throws -> Void) throws {
    let size = try file.size()
    for start in stride(from: 0, to: size, by: Self.portion) {
      let part = try file.readAll(start..<min(start + Self.portion, size))
      try body(part)
      if part.count < Self.portion { return }
    }
  }

  // MARK: Keeping

  /// Gives the file a second name beside its own, under which it stays; a copy gets the name where the file system has
  /// no second names. It is durable on return.
  ///
  /// - Returns: the name.
  func keep() throws -> String {
    do {
      for number in 1...1000 {
        let kept = path + ".original" + (number == 1 ? "" : "-\(number)")
        if let entry = try system.entry(at: kept) {
          // An import that was interrupted has left it. It may not be durable.
          guard try entry.identity == file.identity || isCopy(kept, entry) else { continue }
        } else {
          try name(kept)
        }
        try system.synchronizeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return kept
      }
    } catch {
      throw Self.error(error, path)
    }
    throw Realm.Error(
      .fileExists, "There are too many files beside \(path) that end in '.original': move them away.",
      file: URL(fileURLWithPath: path))
  }

  private func name(_ kept: String) throws {
    do throws(FileFailure) {
      return try system.link(path, as: kept)
    } catch {
      guard error.isWithoutSecondNames else { throw error }
    }
    try copy(to: kept)
  }

  /// Whether another file has the same bytes.
  private func isCopy(_ kept: String, _ entry: FileEntry) throws -> Bool {
    guard entry.kind == .file, try entry.size == file.size() else { return false }
    let other = try system.open(kept, for: .reading)
    defer { other.close() }
    var (start, isEqual) = (0, true)
    try forEachPortion { part in
      if isEqual { isEqual = try other.readAll(start..<start + part.count) == part }
      start += part.count
    }
    return isEqual
  }

  /// Writes a copy, which gets its name when it is whole and durable.
  private func copy(to kept: String) throws {
    let temporary = kept + ".tmp"
    if try system.entry(at: temporary) != nil { try system.remove(temporary) }
    let copy = try system.open(temporary, for: .creating(like: [path]))
    defer { copy.close() }
    var start = 0
    try forEachPortion { part in
      try copy.writeAll(part, at: start, path: temporary)
      start += part.count
    }
    try copy.synchronize()
    try system.rename(temporary, to: kept)
  }

  /// The error for users of a failure of the system.
  static func error(_ error: any Error, _ path: String) -> any Error {
    (error as? FileFailure).map { Realm.Error(StoreError($0, "The file \(path) could not be imported")) } ?? error
  }
}
