/// The one door to the outside: files, folders, locks, chance and the number of the process.
///
///     StoreFile ──▶ FileSystem ─┬─ RealFileSystem     thin: one system call a function
///                               └─ a simulated disk   of the tests: loses, tears, reorders, refuses and repeats
///
/// Nothing else in this room reaches the system. The functions are as small as the system's own, so that what a store
/// does between any two of them can be watched, refused and cut off. Nothing here retries a failed synchronization,
/// and nothing synchronizes by itself: not on closing, not on renaming.
public protocol FileSystem: Sendable {
  /// Opens the file at `path`, which is followed when it is a link, but for its last part: `ELOOP` then.
  ///
  /// - Throws: the system's refusal.
  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile

  /// Gives the file at `path` the name `newPath`, in the place of whatever file had it; atomically, in the same folder.
  func rename(_ path: String, to newPath: String) throws(FileFailure)

  /// The names in the folder at `path` that begin with `prefix`, in any order.
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String]

  /// Takes the name `path` away.
  func remove(_ path: String) throws(FileFailure)

  /// Returns when the names in the folder will survive a power failure.
  func synchronizeFolder(_ path: String) throws(FileFailure)

  /// What stands at `path`, links followed; nil when nothing does.
  func entry(at path: String) throws(FileFailure) -> FileEntry?

  /// The absolute path of what `path` names, with all links in it followed. The last part need not exist.
  ///
  /// - Throws: `ENOENT` when the folder does not exist, and the system's other refusals.
  func resolve(_ path: String) throws(FileFailure) -> String

  /// The number of this process; another one after a fork.
  var processIdentifier: Int32 { get }

  /// 64 bits of chance, which no other process gets.
  func randomBits() -> UInt64

  /// Does something in some time, on another thread; never, where there is no clock.
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void)
}

/// What a file is opened for.
public enum OpenPurpose: Sendable, Hashable {
  /// Reading a file that exists. Changes nothing, not even in a folder that must not be changed.
  case reading
  /// Reading and writing a file that exists.
  case updating
  /// Writing a new file, where nothing is: `EEXIST` otherwise. It takes over mode, owner and extended attributes of the
  /// first of the files `like` that exists, as far as the system lets it. Where none does, it gets exactly the
  /// permissions `mode`, or, for nil, those that the process gives its files.
  case creating(like: [String], mode: UInt16? = nil)
  /// Locking: reading and writing, made empty, in the same way, when it does not exist.
  case locking(like: [String], mode: UInt16? = nil)

  /// The same, with permissions for new files where it says nothing of them.
  func making(_ mode: UInt16?) -> OpenPurpose {
    switch self {
    case .creating(let models, nil): .creating(like: models, mode: mode)
    case .locking(let models, nil): .locking(like: models, mode: mode)
    default: self
    }
  }
}

/// A file that is open. It is closed by `close()`, at the latest when the last reference to it goes.
///
/// Offsets and counts are in bytes, from 0. A file has no position of its own.
public protocol OpenFile: AnyObject, Sendable {
  /// Which file it is, whatever its names.
  var identity: FileIdentity { get }

  /// How many bytes it has.
  func size() throws(FileFailure) -> Int

  /// Fills the beginning of `buffer` with what stands at `offset`.
  ///
  /// - Returns: how many bytes were read; it may be fewer than there are, and 0 only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int

  /// Hands the beginning of `bytes`, which are not none, to the system, to stand at `offset`.
  ///
  /// - Returns: how many bytes were taken, at least 1; it may be fewer than there are.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int

  /// Cuts the file off at `size`, or lets it grow by zeros.
  func truncate(to size: Int) throws(FileFailure)

  /// Returns when everything that was written will survive a power failure.
  func synchronize() throws(FileFailure)

  /// Whether a new file of this kind is written in large portions and from another thread (`WriteBehind`), or by each
  /// call as it is made.
  var writesBehind: Bool { get }

  /// Who does the work of writing it behind; nil, as for files of the system, when a thread does.
  var workBehind: (any WorkBehind)? { get }

  /// Advice: the bytes of `range` will stay as they are, so they may be sent to the disk. It promises nothing, reports
  /// nothing and takes nothing from what `synchronize` promises and reports.
  func startWriting(_ range: Range<Int>)

  /// Takes the one lock of this file for as long as it is open.
  ///
  /// - Returns: whether it was free.
  func lock() throws(FileFailure) -> Bool

  /// Lets go of the file and its lock. What was not synchronized stays so.
  func close()
}

extension OpenFile {
  /// Each call writes.
  public var writesBehind: Bool { false }

  /// A thread.
  public var workBehind: (any WorkBehind)? { nil }

  /// Does nothing: the bytes reach the disk when the system likes.
  public func startWriting(_ range: Range<Int>) {}
}

/// What writes files behind their writers in the place of a thread, so that a test can choose the moments, and choose
/// the same ones again.
public protocol WorkBehind: AnyObject, Sendable {
  /// How many bytes a portion of a file has, at least.
  var portionSize: Int { get }

  /// Takes a piece of work, to be done once, after those that were taken before it, at any moment.
  func later(_ work: @escaping @Sendable () -> Void)

  /// Does the next piece of work now: the writer has to wait for it.
  func help()
}
