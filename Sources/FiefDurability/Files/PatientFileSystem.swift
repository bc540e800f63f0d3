import Foundation

/// Repeats a call that a signal interrupted.
///
/// - Throws: the error of the call; the interruption itself after a hundred calls, so that a broken system cannot cause
///   an endless loop.
func patiently<Result>(_ call: () throws(FileFailure) -> Result) throws(FileFailure) -> Result {
  var patience = 100
  while true {
    do throws(FileFailure) { return try call() } catch {
      patience -= 1
      if !error.isInterruption || patience == 0 { throw error }
    }
  }
}

/// A file system that repeats every interrupted call (`patiently`). It repeats no other failed call. It also holds the
/// permissions for a store's new files, and the key of its contents.
package struct PatientFileSystem: FileSystem {
  let system: any FileSystem
  /// The permissions of new files; nil for the defaults of the process.
  var newFileMode: UInt16?
  /// The key of the files' contents; nil for plain files.
  package let key: FileKey?

  /// Creates a file system that repeats the interrupted calls of another one.
  ///
  /// - Parameter key: The key of the files' contents; nil for that of the other file system.
  package init(system: any FileSystem, newFileMode: UInt16? = nil, key: FileKey? = nil) {
    self.system = system
    self.newFileMode = newFileMode
    self.key = key ?? system.key
  }

  /// Opens a file.
  package func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    let purpose = purpose.making(newFileMode)
    return PatientFile(file: try patiently { () throws(FileFailure) in try system.open(path, for: purpose) })
  }

  /// Renames a file.
  package func rename(_ path: String, to newPath: String) throws(FileFailure) {
    try patiently { () throws(FileFailure) in try system.rename(path, to: newPath) }
  }

  /// Gives a file a second name.
  package func link(_ path: String, as newPath: String) throws(FileFailure) {
    try patiently { () throws(FileFailure) in try system.link(path, as: newPath) }
  }

  /// Returns names in a folder.
  package func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try patiently { () throws(FileFailure) in try system.names(in: path, beginningWith: prefix) }
  }

  /// Removes a name.
  package func remove(_ path: String) throws(FileFailure) {
    try patiently { () throws(FileFailure) in try system.remove(path) }
  }

  /// Makes the names in a folder durable.
  package func synchronizeFolder(_ path: String) throws(FileFailure) {
    try patiently { () throws(FileFailure) in try system.synchronizeFolder(path) }
  }

  /// Opens a folder.
  package func folder(at path: String) throws(FileFailure) -> () throws(FileFailure) -> Void {
    let synchronize = try patiently { () throws(FileFailure) in try system.folder(at: path) }
    return { () throws(FileFailure) in try patiently(synchronize) }
  }

  /// Returns the entry at a path.
  package func entry(at path: String) throws(FileFailure) -> FileEntry? {
    try patiently { () throws(FileFailure) in try system.entry(at: path) }
  }

  /// Returns the absolute path.
  package func resolve(_ path: String) throws(FileFailure) -> String {
    try patiently { () throws(FileFailure) in try system.resolve(path) }
  }

  /// Whether a program reads a pipe.
  package func hasReader(ofPipe path: String) throws(FileFailure) -> Bool {
    try patiently { () throws(FileFailure) in try system.hasReader(ofPipe: path) }
  }

  /// The process identifier of this process.
  package var processIdentifier: Int32 { system.processIdentifier }

  /// The time in milliseconds since 1970.
  package var now: UInt64 { system.now }

  /// Returns random bits.
  package func randomBits() -> UInt64 { system.randomBits() }

  /// Runs `work` after a time.
  package func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    system.later(in: milliseconds, work)
  }

  /// Returns after a time.
  package func pause(milliseconds: Int) { system.pause(milliseconds: milliseconds) }

  /// Returns after a time.
  package func pause(microseconds: Int) { system.pause(microseconds: microseconds) }

  /// Reports changes of a file.
  package func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> AnyObject? {
    system.watch(path, notify)
  }
}

/// A file of a `PatientFileSystem`.
final class PatientFile: OpenFile {
  private let file: any OpenFile

  init(file: any OpenFile) { self.file = file }

  var identity: FileIdentity { file.identity }

  func size() throws(FileFailure) -> Int { try patiently { () throws(FileFailure) in try file.size() } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try patiently { () throws(FileFailure) in try unsafe file.read(into: buffer, at: offset) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try patiently { () throws(FileFailure) in try unsafe file.write(bytes, at: offset) }
  }

  func truncate(to size: Int) throws(FileFailure) {
    try patiently { () throws(FileFailure) in try file.truncate(to: size) }
  }

  func synchronize() throws(FileFailure) { try patiently { () throws(FileFailure) in try file.synchronize() } }

  var writesBehind: Bool { file.writesBehind }

  var workBehind: (any WorkBehind)? { file.workBehind }

  func startWriting(_ range: Range<Int>) { file.startWriting(range) }

  func lock(_ kind: LockKind) throws(FileFailure) -> Bool {
    try patiently { () throws(FileFailure) in try file.lock(kind) }
  }

  func unlock() { file.unlock() }

  func lock(byte: Int, _ kind: LockKind) throws(FileFailure) -> Bool? {
    try patiently { () throws(FileFailure) in try file.lock(byte: byte, kind) }
  }

  func isLocked(byte: Int) throws(FileFailure) -> Bool {
    try patiently { () throws(FileFailure) in try file.isLocked(byte: byte) }
  }

  func unlock(byte: Int) { file.unlock(byte: byte) }

  func unlockBytes() { file.unlockBytes() }

  func close() { file.close() }
}
