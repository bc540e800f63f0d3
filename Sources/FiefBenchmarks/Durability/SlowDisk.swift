import FiefDurability
import Foundation

/// The real file system with a disk that takes a fixed time for each synchronization.
struct SlowDisk: FileSystem {
  private let system = RealFileSystem()
  /// The time of a synchronization in seconds.
  let time: Double

  var processIdentifier: Int32 { system.processIdentifier }

  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    SlowFile(try system.open(path, for: purpose), time)
  }
  func rename(_ path: String, to newPath: String) throws(FileFailure) { try system.rename(path, to: newPath) }
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try system.names(in: path, beginningWith: prefix)
  }
  func remove(_ path: String) throws(FileFailure) { try system.remove(path) }
  func synchronizeFolder(_ path: String) throws(FileFailure) { try system.synchronizeFolder(path) }
  func entry(at path: String) throws(FileFailure) -> FileEntry? { try system.entry(at: path) }
  func resolve(_ path: String) throws(FileFailure) -> String { try system.resolve(path) }
  func randomBits() -> UInt64 { system.randomBits() }
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) { system.later(in: milliseconds, work) }
}

private final class SlowFile: OpenFile {
  private let file: any OpenFile
  private let time: Double

  init(_ file: any OpenFile, _ time: Double) {
    self.file = file
    self.time = time
  }

  var identity: FileIdentity { file.identity }

  func size() throws(FileFailure) -> Int { try file.size() }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    unsafe try file.read(into: buffer, at: offset)
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    unsafe try file.write(bytes, at: offset)
  }
  func truncate(to size: Int) throws(FileFailure) { try file.truncate(to: size) }
  func synchronize() throws(FileFailure) {
    Thread.sleep(forTimeInterval: time)
    try file.synchronize()
  }
  func lock(_ kind: LockKind) throws(FileFailure) -> Bool { try file.lock(kind) }
  func unlock() { file.unlock() }
  func lock(byte: Int, _ kind: LockKind) throws(FileFailure) -> Bool? { try file.lock(byte: byte, kind) }
  func isLocked(byte: Int) throws(FileFailure) -> Bool { try file.isLocked(byte: byte) }
  func unlock(byte: Int) { file.unlock(byte: byte) }
  func unlockBytes() { file.unlockBytes() }
  func close() { file.close() }
}
