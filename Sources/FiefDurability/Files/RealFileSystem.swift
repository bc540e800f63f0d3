import Foundation

/// The real file system. Files are written through `FileHandle`s. Direct system calls cover the rest: opening with
/// exact flags, locking, reading at an offset, synchronizing with every error reported, and making names durable.
///
/// It makes no decisions and retries no call. `System.swift` and `System+Attributes.swift` contain the differences
/// between platforms.
package struct RealFileSystem: FileSystem {
  /// Creates the file system.
  package init() {}

  /// Opens the file at `path`. Programs that this process starts inherit neither it nor its lock. A link at `path` is
  /// not followed.
  package func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    switch purpose {
    case .reading: return try RealFile(existing(path, isWriting: false), path)
    case .updating: return try RealFile(existing(path, isWriting: true), path)
    case .creating(let models, let mode): return try RealFile(new(path, like: models, mode), path)
    case .creatingLock(let models, let mode): return try RealFile(new(path, like: models, mode, isLock: true), path)
    }
  }

  private func existing(_ path: String, isWriting: Bool) throws(FileFailure) -> Int32 {
    let descriptor = System.open(path, isWriting: isWriting)
    guard descriptor >= 0 else { throw FileFailure(.open, at: path, errno) }
    return descriptor
  }

  private func new(
    _ path: String, like models: [String], _ mode: UInt16?, isLock: Bool = false
  ) throws(FileFailure) -> Int32 {
    var facts = stat()
    let model = models.first { unsafe stat($0, &facts) == 0 && System.kind(of: facts) == .file }
    if isLock { facts.st_mode |= 0o600 }
    let descriptor =
      model.map { System.create(path, like: facts, at: $0) } ?? mode.map { System.create(path, exactly: $0) }
      ?? System.create(path)
    guard descriptor >= 0 else { throw FileFailure(.open, at: path, errno) }
    return descriptor
  }

  /// Renames a file, replacing any file of the new name.
  package func rename(_ path: String, to newPath: String) throws(FileFailure) {
    guard System.rename(path, newPath) == 0 else { throw FileFailure(.rename, at: path, errno) }
  }

  /// Gives a file a second name.
  package func link(_ path: String, as newPath: String) throws(FileFailure) {
    guard System.link(path, newPath) == 0 else { throw FileFailure(.link, at: newPath, errno) }
  }

  /// Removes a name.
  package func remove(_ path: String) throws(FileFailure) {
    guard unsafe unlink(path) == 0 else { throw FileFailure(.remove, at: path, errno) }
  }

  /// Makes the names in a folder durable. File systems that cannot do this return `EINVAL`; they do it when a file is
  /// synchronized.
  package func synchronizeFolder(_ path: String) throws(FileFailure) { try folder(at: path)() }

  /// Opens a folder, whose names the result makes durable.
  package func folder(at path: String) throws(FileFailure) -> () throws(FileFailure) -> Void {
    #if os(Windows)
      return {}
    #else
      let descriptor = System.openFolder(path)
      // Nothing was synchronized then, and nothing is lost.
      guard descriptor >= 0 else { throw FileFailure(.open, at: path, errno) }
      let folder = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      return { () throws(FileFailure) in
        guard System.synchronize(folder.fileDescriptor) == 0 || errno == EINVAL else {
          throw FileFailure(.synchronizeFolder, at: path, errno)
        }
      }
    #endif
  }

  /// Returns the entry at `path`.
  package func entry(at path: String) throws(FileFailure) -> FileEntry? {
    var facts = stat()
    guard System.inspect(path, &facts) == 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(.inspect, at: path, errno)
    }
    return FileEntry(kind: System.kind(of: facts), size: Int(facts.st_size), identity: System.identity(of: facts))
  }

  /// Returns the names in a folder that begin with `prefix`.
  package func names(in folder: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    guard let names = System.names(in: folder, beginningWith: prefix) else {
      throw FileFailure(.inspect, at: folder, errno)
    }
    return names
  }

  /// Returns the absolute path with links followed. If the last part is a link, it is followed too, even to a missing
  /// file.
  package func resolve(_ path: String) throws(FileFailure) -> String {
    if let whole = System.realPath(path) { return whole }
    guard errno == ENOENT else { throw FileFailure(.inspect, at: path, errno) }
    let (folderPath, name) = FilePath.parts(of: path)
    guard let folder = System.realPath(folderPath) else { throw FileFailure(.inspect, at: folderPath, errno) }
    let path = FilePath.path(name, in: folder)
    // A link to a file that does not exist yet: the new file belongs where it leads. The system follows only some links
    // one after the other, and reports another error for more.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return try resolve(target.hasPrefix("/") ? target : FilePath.path(target, in: folder))
    }
    return path
  }

  /// Whether a program has a named pipe open for reading. A link at `path` is not followed.
  package func hasReader(ofPipe path: String) throws(FileFailure) -> Bool {
    #if os(Windows)
      return false
    #else
      // A pipe without a reader cannot be opened for writing: `ENXIO`.
      let descriptor = System.openPipe(path)
      guard descriptor >= 0 else {
        if [ENXIO, ENOENT, ENOTDIR].contains(errno) { return false }
        throw FileFailure(.open, at: path, errno)
      }
      defer { _ = System.close(descriptor) }
      return System.isPipe(descriptor)
    #endif
  }

  /// The process identifier of this process.
  package var processIdentifier: Int32 { System.processIdentifier }

  /// Returns bits of the system's random number generator.
  package func randomBits() -> UInt64 {
    var source = SystemRandomNumberGenerator()
    return source.next()
  }

  /// Runs `work` on a thread of the system after a time.
  package func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    #if !os(WASI)
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    #endif
  }

  /// Puts the thread to sleep.
  package func pause(milliseconds: Int) {
    #if !os(WASI)
      Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
    #endif
  }

  /// Puts the thread to sleep.
  package func pause(microseconds: Int) {
    #if !os(WASI)
      Thread.sleep(forTimeInterval: Double(microseconds) / 1_000_000)
    #endif
  }

  /// Reports changes of a file, where the system has a queue of such events.
  package func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> AnyObject? {
    FileWatch(path, notify)
  }
}
