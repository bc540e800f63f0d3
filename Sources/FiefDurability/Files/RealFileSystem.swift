import Foundation

/// The system itself: files are written through `FileHandle`s, and what Foundation has no words for (opening exactly
/// so, locking, reading at an offset, synchronizing with every error told, names made durable) is the system call of
/// that name.
///
/// It decides nothing and retries nothing. The platform's differences are in `System.swift` and
/// `System+Attributes.swift`.
public struct RealFileSystem: FileSystem {
  /// The system.
  public init() {}

  /// Opens the file at `path`. Programs that this process starts do not inherit it, nor its lock. A link there is not
  /// followed.
  public func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    switch purpose {
    case .reading: return try RealFile(existing(path, isWriting: false), path)
    case .updating: return try RealFile(existing(path, isWriting: true), path)
    case .creating(let models, let mode): return try RealFile(new(path, like: models, mode), path)
    case .locking(let models, let mode):
      // It may be made, or taken away, by others between the two.
      for _ in 0..<100 {
        do throws(FileFailure) { return try RealFile(existing(path, isWriting: true), path) } catch {
          guard error.code == ENOENT else { throw error }
        }
        do throws(FileFailure) { return try RealFile(new(path, like: models, mode), path) } catch {
          guard error.code == EEXIST else { throw error }
        }
      }
      throw FileFailure(.open, path, EAGAIN)
    }
  }

  private func existing(_ path: String, isWriting: Bool) throws(FileFailure) -> Int32 {
    let descriptor = System.open(path, isWriting: isWriting)
    guard descriptor >= 0 else { throw FileFailure(.open, path, errno) }
    return descriptor
  }

  private func new(_ path: String, like models: [String], _ mode: UInt16?) throws(FileFailure) -> Int32 {
    var facts = stat()
    let model = models.first { stat($0, &facts) == 0 && System.kind(of: facts) == .file }
    let descriptor =
      model.map { System.create(path, like: facts, at: $0) } ?? mode.map { System.create(path, exactly: $0) }
      ?? System.create(path)
    guard descriptor >= 0 else { throw FileFailure(.open, path, errno) }
    return descriptor
  }

  /// Renames, replacing what had the name.
  public func rename(_ path: String, to newPath: String) throws(FileFailure) {
    guard System.rename(path, newPath) == 0 else { throw FileFailure(.rename, path, errno) }
  }

  /// Takes a name away.
  public func remove(_ path: String) throws(FileFailure) {
    guard unlink(path) == 0 else { throw FileFailure(.remove, path, errno) }
  }

  /// Makes the names in a folder durable. File systems that cannot (they say `EINVAL`) do it when a file is
  /// synchronized.
  public func synchronizeFolder(_ path: String) throws(FileFailure) {
    #if !os(Windows)
      let descriptor = System.openFolder(path)
      guard descriptor >= 0 else { throw FileFailure(.synchronizeFolder, path, errno) }
      defer { _ = System.close(descriptor) }
      guard System.synchronize(descriptor) == 0 || errno == EINVAL else {
        throw FileFailure(.synchronizeFolder, path, errno)
      }
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

  /// The names in a folder that begin with `prefix`.
  public func names(in folder: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    guard let names = System.names(in: folder, beginningWith: prefix) else { throw FileFailure(.look, folder, errno) }
    return names
  }

  /// The absolute path, links followed: also the link that the last part may be, wherever it leads.
  public func resolve(_ path: String) throws(FileFailure) -> String {
    if let whole = System.realPath(path) { return whole }
    guard errno == ENOENT else { throw FileFailure(.look, path, errno) }
    let (folderPath, name) = FilePath.parts(of: path)
    guard let folder = System.realPath(folderPath) else { throw FileFailure(.look, folderPath, errno) }
    let place = FilePath.path(name, in: folder)
    // A link to a file that does not exist yet: the file is to come where the link leads.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) {
      return target.hasPrefix("/") ? target : FilePath.path(target, in: folder)
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

  /// Does something on a thread of the system's own, in some time.
  public func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    #if !os(WASI)
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    #endif
  }
}
