import FiefDurability
import FiefRealmFiles
import Foundation

/// A file of Realm while it is imported: open for reading, and locked against other imports.
///
/// Programs that use Realm hold a lock of the file beside it that ends in `.lock`. It is taken here, too, so no such
/// program changes the file meanwhile. The file itself is never written to.
final class OriginalFile {
  let path: String
  private let file: any OpenFile
  private let lock: (any OpenFile)?
  private let system = RealFileSystem()

  /// How many bytes are read at once.
  private static let portion = 1 << 20

  /// - Throws: `.alreadyOpen` when a program has the file open; errors of the system.
  init(_ path: String) throws {
    self.path = path
    do {
      file = try system.open(path, for: .reading)
    } catch {
      throw Self.error(error, path)
    }
    do {
      let lockPath = path + ".lock"
      lock = try system.entry(at: lockPath) == nil ? nil : system.open(lockPath, for: .reading)
      guard try file.lock(), try lock?.lock() ?? true else {
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

  /// The version of the file format; nil if it is no file of Realm, or not there.
  static func format(ofFile path: String) -> UInt8? {
    guard let file = try? RealFileSystem().open(path, for: .reading) else { return nil }
    defer { file.close() }
    return (try? file.readAll(0..<RealmFile.inspectedLength)).flatMap(RealmFile.format(ofFirst:))
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
      while bytes.count < size {
        let part = try file.readAll(bytes.count..<min(bytes.count + Self.portion, size))
        if part.isEmpty { break }
        bytes.append(contentsOf: part)
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

  /// Gives the file a second name beside its own, under which it stays.
  ///
  /// - Returns: the name.
  func keep() throws -> String {
    for number in 1...1000 {
      let kept = path + ".original" + (number == 1 ? "" : "-\(number)")
      do {
        if let entry = try system.entry(at: kept) {
          // An import that was interrupted has left it.
          if entry.identity == file.identity { return kept }
          continue
        }
        do {
          try FileManager.default.linkItem(atPath: path, toPath: kept)
        } catch {
          // Not every file system has second names.
          try FileManager.default.copyItem(atPath: path, toPath: kept)
        }
        try system.synchronizeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return kept
      } catch {
        throw Self.error(error, path)
      }
    }
    throw Realm.Error(
      .fileExists, "There are too many files beside \(path) that end in '.original': move them away.",
      file: URL(fileURLWithPath: path))
  }

  /// The error for users of a failure of the system.
  static func error(_ error: any Error, _ path: String) -> any Error {
    (error as? FileFailure).map { Realm.Error(StoreError($0, "The file \(path) could not be imported")) } ?? error
  }
}
