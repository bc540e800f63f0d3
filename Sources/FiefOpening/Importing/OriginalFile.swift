import FiefDurability
import FiefGraph
import FiefObjects
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
      // Realm's lock is an ordinary file. A pipe is not opened, as the process at its other end would notice that.
      let isThere = try [.file, .link].contains(system.entry(at: lockPath)?.kind)
      lock = isThere ? try system.open(lockPath, for: .reading) : nil
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

  enum Kind {
    /// A file in a version of the format.
    case plain(format: UInt8)
    /// A file that looks like an encrypted one.
    case encrypted
  }

  /// The kind of the file of Realm at a path; nil if it is no file of Realm, or not there.
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
      let size = try file.size()
      bytes.reserveCapacity(size)
      for start in stride(from: 0, to: size, by: Self.portion) {
        let part = try file.readAll(start..<min(start + Self.portion, size))
        bytes.append(contentsOf: part)
        if part.count < Self.portion { break }
      }
    } catch {
      throw Self.error(error, path)
    }
    do {
      return try RealmFile(bytes, progress: progress)
    } catch let error as RealmFileError {
      throw Realm.Error(error, file: URL(fileURLWithPath: path))
    }
  }

  // MARK: Keeping

  /// Gives the file a second name beside its own, under which it stays.
  ///
  /// - Returns: the name.
  func keep() throws -> String {
    try Realm.Error.translating { try StoreFile.keep(file, at: path, on: system) }
  }

  /// Replaces the file by a store with a version of a graph: at once, or not at all.
  func replace(by graph: Graph, version: UInt64, userVersion: UInt64, fileMode: UInt16?, key: FileKey?) throws {
    try Realm.Error.translating {
      try StoreFile.replace(
        file.identity, at: path, by: graph, version: version, userVersion: userVersion, fileMode: fileMode, key: key,
        on: system)
    }
  }

  /// The error for users of a failure of the system.
  static func error(_ error: any Error, _ path: String) -> any Error {
    (error as? FileFailure).map { Realm.Error(StoreError($0, "The file \(path) could not be imported")) } ?? error
  }
}
