import Foundation

/// The system itself: files are `FileHandle`s, and what Foundation has no words for (opening exactly so, locking,
/// reading at an offset, names made durable) is the system call of that name.
///
/// It decides nothing and retries nothing. The platform's differences are in `System.swift`.
public struct RealFileSystem: FileSystem {
  /// The system.
  public init() {}

  /// Opens the file at `path`. Programs that this process starts do not inherit it, nor its lock.
  public func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    let descriptor = System.open(path, purpose)
    guard descriptor >= 0 else { throw FileFailure(.open, path, errno) }
    return try RealFile(descriptor, path)
  }

  /// Renames, replacing what had the name.
  public func rename(_ path: String, to newPath: String) throws(FileFailure) {
    guard System.rename(path, newPath) == 0 else { throw FileFailure(.rename, path, errno) }
  }

  /// Takes a name away.
  public func remove(_ path: String) throws(FileFailure) {
    guard unlink(path) == 0 else { throw FileFailure(.remove, path, errno) }
  }

  /// Makes the names in a folder durable. File systems that cannot (they say `EINVAL`) do it when a file is synchronized.
  public func synchronizeFolder(_ path: String) throws(FileFailure) {
    #if !os(Windows)
      let descriptor = System.openFolder(path)
      guard descriptor >= 0 else { throw FileFailure(.synchronizeFolder, path, errno) }
      defer { _ = System.close(descriptor) }
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileFailure(.synchronizeFolder, path, errno) }
    #endif
  }

  /// What stands at `path`.
  public func entry(at path: String) throws(FileFailure) -> FileEntry? {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(.look, path, errno)
    }
    return FileEntry(kind: System.kind(of: facts), size: Int(facts.st_size), identity: System.identity(of: facts))
  }

  /// The absolute path, links followed: also the link that the last part may be, wherever it leads.
  public func resolve(_ path: String) throws(FileFailure) -> String {
    if let whole = System.realPath(path) { return whole }
    guard errno == ENOENT else { throw FileFailure(.look, path, errno) }
    let url = URL(fileURLWithPath: path)
    let folderPath = url.deletingLastPathComponent().path
    guard let folder = System.realPath(folderPath) else { throw FileFailure(.look, folderPath, errno) }
    let place = folder == "/" ? "/" + url.lastPathComponent : folder + "/" + url.lastPathComponent
    // A link to a file that does not exist yet: the file is to come where the link leads.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) {
      return target.hasPrefix("/") ? target : folder + "/" + target
    }
    return place
  }

  /// The number of this process.
  public var processIdentifier: Int32 { System.processIdentifier }

  /// The system's own chance.
  public func randomBits() -> UInt64 {
    var source = SystemRandomNumberGenerator()
    return source.next()
  }
}
