import FiefDurability

/// A file system whose process becomes a fork of itself, with all open files.
final class ForkingSystem: FileSystem, @unchecked Sendable {
  private let system: SimulatedProcess
  var isForked = false

  init(_ system: SimulatedProcess) { self.system = system }

  var processIdentifier: Int32 { isForked ? 9 : system.processIdentifier }
  var key: FileKey? { system.key }
  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    try system.open(path, for: purpose)
  }
  func rename(_ path: String, to newPath: String) throws(FileFailure) { try system.rename(path, to: newPath) }
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try system.names(in: path, beginningWith: prefix)
  }
  func remove(_ path: String) throws(FileFailure) { try system.remove(path) }
  func synchronizeFolder(_ path: String) throws(FileFailure) { try system.synchronizeFolder(path) }
  func entry(at path: String) throws(FileFailure) -> FileEntry? { try system.entry(at: path) }
  func resolve(_ path: String) throws(FileFailure) -> String { path }
  func randomBits() -> UInt64 { system.randomBits() }
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) { system.later(in: milliseconds, work) }
}
