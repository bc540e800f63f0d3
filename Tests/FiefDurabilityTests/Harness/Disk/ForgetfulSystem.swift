import FiefDurability
import Synchronization

/// A system that does not synchronize histories, so that the tests of histories can be tested.
final class ForgetfulSystem: FileSystem {
  /// What is not synchronized.
  enum Lapse: CaseIterable {
    case bytes
    case name
  }

  private let system: any FileSystem
  private let lapse: Lapse
  /// Whether the last call that changed a name gave a history its name.
  private let hasNamed = Atomic(false)

  init(_ system: any FileSystem, _ lapse: Lapse) {
    self.system = system
    self.lapse = lapse
  }

  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    let file = try system.open(path, for: purpose)
    return lapse == .bytes && path.contains(".history") ? ForgetfulFile(file) : file
  }

  func rename(_ path: String, to newPath: String) throws(FileFailure) {
    try system.rename(path, to: newPath)
    hasNamed.store(newPath.hasSuffix(".history"), ordering: .sequentiallyConsistent)
  }

  func synchronizeFolder(_ path: String) throws(FileFailure) {
    if lapse == .name && hasNamed.exchange(false, ordering: .sequentiallyConsistent) { return }
    try system.synchronizeFolder(path)
  }

  func link(_ path: String, as newPath: String) throws(FileFailure) { try system.link(path, as: newPath) }
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try system.names(in: path, beginningWith: prefix)
  }
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    system.later(in: milliseconds, work)
  }
  func remove(_ path: String) throws(FileFailure) { try system.remove(path) }
  func entry(at path: String) throws(FileFailure) -> FileEntry? { try system.entry(at: path) }
  func resolve(_ path: String) throws(FileFailure) -> String { try system.resolve(path) }
  var processIdentifier: Int32 { system.processIdentifier }
  var now: UInt64 { system.now }
  func randomBits() -> UInt64 { system.randomBits() }
}

/// A file whose synchronization does nothing.
private final class ForgetfulFile: OpenFile {
  private let file: any OpenFile

  init(_ file: any OpenFile) { self.file = file }

  var identity: FileIdentity { file.identity }
  func size() throws(FileFailure) -> Int { try file.size() }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try file.read(into: buffer, at: offset)
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try file.write(bytes, at: offset)
  }
  func truncate(to size: Int) throws(FileFailure) { try file.truncate(to: size) }
  func synchronize() {}
  func lock() throws(FileFailure) -> Bool { try file.lock() }
  func close() { file.close() }
}
