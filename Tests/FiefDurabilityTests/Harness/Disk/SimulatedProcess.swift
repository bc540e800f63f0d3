import FiefDurability
import Foundation

/// A process on a simulated disk: the file system of a store.
///
/// Each call first passes `gate`, where a test may delay or record it. A killed process changes nothing: its calls
/// fail, its locks are free, and its writes remain for the next process.
final class SimulatedProcess: FileSystem, @unchecked Sendable {
  let disk: SimulatedDisk
  let processIdentifier: Int32
  var key: FileKey? { disk.key }
  /// Called before each call, outside the disk's lock.
  private let gate: (@Sendable (FileFailure.Operation, String) -> Void)?
  /// Called when the process waits for others.
  private let pausing: @Sendable () -> Void
  private(set) var isDead = false
  /// Whether its new files are written behind their writers, as real files are. The order of calls does not change.
  let writesBehind: Bool
  /// Writes them in place of a thread, if set.
  let behind: SimulatedBehind?

  init(
    _ disk: SimulatedDisk, number: Int32 = 1, writesBehind: Bool = false, behind: SimulatedBehind? = nil,
    gate: (@Sendable (FileFailure.Operation, String) -> Void)? = nil, pausing: @escaping @Sendable () -> Void = {}
  ) {
    self.disk = disk
    processIdentifier = number
    self.gate = gate
    self.pausing = pausing
    self.writesBehind = writesBehind || behind != nil
    self.behind = behind
  }

  /// Ends the process between two calls, as `SIGKILL` does.
  func kill() {
    disk.lock.lock()
    defer { disk.lock.unlock() }
    isDead = true
    for opening in openings.values { opening.file?.release() }
    openings = [:]
  }

  /// An opening that may be gone: a dropped store closes its files by releasing them.
  private struct Opening { weak var file: SimulatedFile? }
  private var openings: [ObjectIdentifier: Opening] = [:]

  /// Makes one call: counts it, and fails it as the disk's faults direct, or runs it.
  func call<Result>(
    _ operation: FileFailure.Operation, _ path: String,
    _ body: (DiskFault.Kind?) throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result {
    behind?.pass()
    gate?(operation, path)
    disk.lock.lock()
    defer { disk.lock.unlock() }
    if isDead { throw FileFailure(operation, at: path, ESRCH) }
    let fault = disk.nextCall(operation)
    switch fault {
    case .refuse(let code): throw FileFailure(operation, at: path, code)
    case .refuseAfter(let code, _) where operation != .write: throw FileFailure(operation, at: path, code)
    case .lie(let code):
      _ = try body(nil)
      throw FileFailure(operation, at: path, code)
    default: return try body(fault)
    }
  }

  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    try call(.open, path) { _ throws(FileFailure) in
      if path == SimulatedDisk.folder { throw FileFailure(.open, at: path, EISDIR) }
      let existing = disk.names[path]
      switch (purpose, existing) {
      case (.reading, nil), (.updating, nil): throw FileFailure(.open, at: path, ENOENT)
      case (.creating, .some), (.creatingLock, .some): throw FileFailure(.open, at: path, EEXIST)
      default: break
      }
      let opening = SimulatedFile(existing ?? disk.newFile(at: path), path, self)
      openings[ObjectIdentifier(opening)] = Opening(file: opening)
      return opening
    }
  }

  func forget(_ opening: SimulatedFile) { openings[ObjectIdentifier(opening)] = nil }

  func rename(_ path: String, to newPath: String) throws(FileFailure) {
    try call(.rename, path) { _ throws(FileFailure) in
      guard disk.names[path] != nil else { throw FileFailure(.rename, at: path, ENOENT) }
      disk.rename(path, to: newPath)
    }
  }

  func link(_ path: String, as newPath: String) throws(FileFailure) {
    try call(.link, newPath) { _ throws(FileFailure) in
      guard disk.names[path] != nil else { throw FileFailure(.link, at: newPath, ENOENT) }
      guard disk.names[newPath] == nil else { throw FileFailure(.link, at: newPath, EEXIST) }
      disk.link(path, as: newPath)
    }
  }

  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try call(.inspect, path) { _ in
      disk.names.keys.map { String($0.dropFirst(SimulatedDisk.folder.count + 1)) }.filter { $0.hasPrefix(prefix) }
    }
  }

  func remove(_ path: String) throws(FileFailure) {
    try call(.remove, path) { _ throws(FileFailure) in
      guard disk.names[path] != nil else { throw FileFailure(.remove, at: path, ENOENT) }
      disk.remove(path)
    }
  }

  /// The number with which the system refuses to open the folder; nil if it does not.
  var folderRefusal: Int32?

  func synchronizeFolder(_ path: String) throws(FileFailure) {
    try call(.synchronizeFolder, path) { fault throws(FileFailure) in
      if let folderRefusal { throw FileFailure(.open, at: path, folderRefusal) }
      if case .dropOnSync(let code) = fault {
        disk.record(.lostFolder)
        throw FileFailure(.synchronizeFolder, at: path, code)
      }
      disk.record(.synchronizedFolder)
    }
  }

  func folder(at path: String) throws(FileFailure) -> () throws(FileFailure) -> Void {
    if let folderRefusal { throw FileFailure(.open, at: path, folderRefusal) }
    return { () throws(FileFailure) in try self.synchronizeFolder(path) }
  }

  func entry(at path: String) throws(FileFailure) -> FileEntry? {
    try call(.inspect, path) { _ throws(FileFailure) in
      if path == SimulatedDisk.folder {
        return FileEntry(kind: .folder, size: 0, identity: FileIdentity(device: 1, number: .max))
      }
      return disk.names[path].map { file in
        FileEntry(
          kind: .file, size: file.bytes.count, identity: FileIdentity(device: 1, number: UInt64(file.number)))
      }
    }
  }

  func resolve(_ path: String) throws(FileFailure) -> String { path }

  var now: UInt64 { disk.lock.withLock { disk.clock } }

  func randomBits() -> UInt64 { disk.nextChance() }

  func pause(microseconds: Int) { pausing() }

  /// The work for `later`, which a test runs by `passTime`. The disk's lock guards it.
  private var delayed: [(milliseconds: Int, work: @Sendable () -> Void)] = []

  /// The delay of each work item, in milliseconds.
  var delays: [Int] { disk.lock.withLock { delayed.map(\.milliseconds) } }

  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    disk.lock.lock()
    defer { disk.lock.unlock() }
    delayed.append((milliseconds, work))
  }

  /// Called once, before one byte of a file is unlocked.
  private var unlocking: (@Sendable () -> Void)?

  /// Acts before the next call that unlocks one byte of a file.
  func beforeUnlocking(_ act: @escaping @Sendable () -> Void) { disk.lock.withLock { unlocking = act } }

  /// Acts as a test has asked, outside the disk's lock.
  func noteUnlocking() { disk.lock.withLock { unlocking.take() }?() }

  /// Whether the system says that it reports changes of files. It reports none.
  var watchesFiles = false

  func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> AnyObject? {
    disk.lock.withLock { watchesFiles && disk.names[path] != nil ? SilentWatch() : nil }
  }

  private final class SilentWatch {}

  /// Runs the delayed work.
  ///
  /// - Returns: whether there was any.
  @discardableResult
  func passTime() -> Bool {
    disk.lock.lock()
    let work = delayed
    delayed = []
    disk.lock.unlock()
    for piece in work { piece.work() }
    return !work.isEmpty
  }
}
