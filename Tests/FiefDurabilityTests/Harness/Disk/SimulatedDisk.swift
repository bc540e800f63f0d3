import FiefDurability
import Foundation

/// A disk in memory that gives no more guarantees than a real one.
///
///     processes ──calls──▶ what the system shows (the cache): names, files, locks
///                              │ every change, in order
///                              ▼
///                          events ──▶ CrashPoint ──▶ images: what a power failure may leave
///
/// A process reads what was written, as from a page cache. Only the events decide which changes are *safe*: closing,
/// renaming and exiting synchronize nothing. A process that is killed leaves all its writes.
///
/// `lock` guards all state, so `@unchecked Sendable` is correct.
final class SimulatedDisk: @unchecked Sendable {
  /// A file, whatever its names.
  final class File {
    let number: Int
    var bytes: [UInt8]
    /// The openings that hold the lock of the file, and those of its bytes.
    var holders: [Int?: [ObjectIdentifier: LockKind]] = [:]
    /// How many synchronizations have failed. The system reports each to every opening of the file, once.
    var failures = 0

    init(_ number: Int, _ bytes: [UInt8]) {
      self.number = number
      self.bytes = bytes
    }
  }

  let lock = NSRecursiveLock()
  private(set) var names: [String: File] = [:]
  private var nextFile = 0
  private(set) var events: [DiskEvent] = []
  /// The number of calls.
  private(set) var calls = 0
  /// The faults of the disk.
  var faults: [DiskFault] = []
  /// The number of events when a fault struck for the first time.
  private(set) var eventsAtFirstFault: Int?
  /// The number of open files.
  var openFiles = 0
  /// The time in milliseconds since 1970. It passes when a test says so.
  var clock: UInt64 = 1_800_000_000_000
  /// The only folder, without a slash at the end.
  static let folder = "/disk"
  /// Whether events are recorded. Images that are only recovered need no events.
  let isRecording: Bool
  private var chance: UInt64
  /// The key of the stores on the disk; nil for plain ones.
  let key: FileKey?
  /// The key of disks that are created within a call of `$usualKey.withValue`.
  @TaskLocal static var usualKey: FileKey?

  init(isRecording: Bool = true, chance: UInt64 = 1) {
    self.isRecording = isRecording
    self.chance = chance
    key = Self.usualKey
    Disks.current?.add(self)
  }

  /// Creates a disk with files that are all safe.
  convenience init(files: [String: [UInt8]], isRecording: Bool = true, chance: UInt64 = 1) {
    self.init(isRecording: isRecording, chance: chance)
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
      let file = newFile(at: path)
      file.bytes = bytes
      record(.wrote(file: file.number, offset: 0, bytes: bytes))
      record(.synchronized(file: file.number))
    }
    record(.synchronizedFolder)
  }

  /// All files with their bytes, as the system shows them.
  var files: [String: [UInt8]] {
    lock.lock()
    defer { lock.unlock() }
    return names.mapValues(\.bytes)
  }

  /// Records a mark among the events.
  func mark(_ mark: DiskEvent.Mark) { record(.mark(mark)) }

  func record(_ event: DiskEvent) {
    lock.lock()
    defer { lock.unlock() }
    if isRecording { events.append(event) }
  }

  /// Records a write. It is merged with the write before it if that was cut short and this one continues it, because
  /// the number of calls does not affect how a disk can tear a record. (A crash between the two is a cut of the whole.)
  func recordWrite(_ file: Int, at offset: Int, _ bytes: [UInt8], goesOn: Bool) {
    if goesOn, case .wrote(file, let start, let before)? = events.last, start + before.count == offset {
      events[events.count - 1] = .wrote(file: file, offset: start, bytes: before + bytes)
    } else {
      record(.wrote(file: file, offset: offset, bytes: bytes))
    }
  }

  /// The next 64 pseudorandom bits.
  func nextChance() -> UInt64 {
    lock.lock()
    defer { lock.unlock() }
    chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return chance ^ (chance >> 29)
  }

  /// The advice that was given: a range of a file, and whether the file had that length by then. Advice has no effect
  /// here.
  private(set) var advice: [(range: Range<Int>, isWritten: Bool)] = []

  /// Records advice.
  func advise(_ range: Range<Int>, of file: File) {
    lock.withLock { if isRecording { advice.append((range, file.bytes.count >= range.upperBound)) } }
  }

  /// A call, and its number of bytes.
  struct Call {
    let operation: FileFailure.Operation
    var bytes = 0
  }

  /// All calls, if a test sets this to an empty list beforehand.
  var trace: [Call]?

  /// Records the number of bytes of the last call.
  func note(bytes: Int) { trace?[calls - 1].bytes = bytes }

  /// Counts a call, and returns its fault.
  func nextCall(_ operation: FileFailure.Operation) -> DiskFault.Kind? {
    trace?.append(Call(operation: operation))
    defer { calls += 1 }
    let fault = faults.first { $0.strikes(calls, operation) }
    if fault != nil { eventsAtFirstFault = eventsAtFirstFault ?? events.count }
    return fault?.kind
  }

  /// Creates a file of that name, replacing any other.
  @discardableResult
  func newFile(at path: String) -> File {
    let file = File(nextFile, [])
    nextFile += 1
    names[path] = file
    record(.named(path: path, file: file.number))
    return file
  }

  func rename(_ path: String, to newPath: String) {
    names[newPath] = names.removeValue(forKey: path)
    record(.renamed(path: path, newPath: newPath))
  }

  func remove(_ path: String) {
    names[path] = nil
    record(.removed(path: path))
  }

  /// Gives a file another name besides the one that it has, as a hard link does.
  func link(_ path: String, as newPath: String) {
    guard let file = names[path] else { fatalError("There is no file \(path) to link to.") }
    names[newPath] = file
    record(.named(path: newPath, file: file.number))
  }
}
