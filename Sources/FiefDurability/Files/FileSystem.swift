import Foundation

/// The interface to the outside: files, folders, locks, random bits, the process identifier, a clock and a timer, and
/// the application's cipher.
///
///     StoreFile ──▶ FileSystem ─┬─ RealFileSystem     thin: one system call per function
///                               └─ a simulated disk   in the tests: loses, tears, reorders, refuses and repeats
///
/// No other code of this module calls the system. The functions are as small as the system's own, so a test can watch,
/// refuse or interrupt a store between any two of them. They never retry a failed synchronization, and they synchronize
/// only when asked: closing and renaming do not synchronize.
package protocol FileSystem: Sendable {
  /// Opens the file at `path`. Links in the path are followed, except at its last part: `ELOOP` then.
  ///
  /// - Throws: the system's error.
  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile

  /// Renames the file at `path` to `newPath` in the same folder, atomically replacing any file of that name.
  func rename(_ path: String, to newPath: String) throws(FileFailure)

  /// Gives the file at `path` a second name in the same folder: `EEXIST` if the name is in use. Both names lead to one
  /// file. Not every file system has second names: `FileFailure.isWithoutSecondNames` then.
  func link(_ path: String, as newPath: String) throws(FileFailure)

  /// Returns the names in the folder at `path` that begin with `prefix`, in any order.
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String]

  /// Removes the name `path`.
  func remove(_ path: String) throws(FileFailure)

  /// Returns when the names in the folder will survive a power failure.
  ///
  /// - Throws: the system's error. It is one of `.open` if nothing was synchronized, because the folder could not be
  ///   opened.
  func synchronizeFolder(_ path: String) throws(FileFailure)

  /// Opens the folder at `path`.
  ///
  /// - Returns: does what `synchronizeFolder` does, and needs neither a permission nor a free descriptor then.
  func folder(at path: String) throws(FileFailure) -> () throws(FileFailure) -> Void

  /// Returns the entry at `path`; nil if nothing is there. Links in the path are followed, except at its last part.
  func entry(at path: String) throws(FileFailure) -> FileEntry?

  /// Returns the absolute path of `path`, with all links in it followed. The last part need not exist.
  ///
  /// - Throws: `ENOENT` when the folder does not exist, and other errors of the system.
  func resolve(_ path: String) throws(FileFailure) -> String

  /// Whether a program has the named pipe at `path` open for reading. False if there is no pipe.
  func hasReader(ofPipe path: String) throws(FileFailure) -> Bool

  /// The key of the files' contents; nil for plain files.
  var key: FileKey? { get }

  /// The process identifier of this process; a fork has another one.
  var processIdentifier: Int32 { get }

  /// Returns 64 random bits, which differ from those of every other process.
  func randomBits() -> UInt64

  /// The time in milliseconds since 1970.
  var now: UInt64 { get }

  /// Runs `work` after a time, on another thread; never runs it on systems without a timer.
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void)

  /// Returns after a time.
  func pause(milliseconds: Int)

  /// Returns after a time that is shorter than a millisecond.
  func pause(microseconds: Int)

  /// Calls `notify` on another thread when the file at `path` is written to, or loses its name. Several changes may
  /// lead to one call, and a call may come without a change.
  ///
  /// - Returns: an object that ends the calls when it is released; nil where the system does not report changes.
  func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> AnyObject?
}

extension FileSystem {
  /// Fails: the file system has no second names.
  package func link(_ path: String, as newPath: String) throws(FileFailure) {
    throw FileFailure(.link, at: path, ENOTSUP)
  }

  /// Opens nothing: the file system has no descriptors.
  package func folder(at path: String) throws(FileFailure) -> () throws(FileFailure) -> Void {
    { () throws(FileFailure) in try synchronizeFolder(path) }
  }

  /// False: the file system has no pipes.
  package func hasReader(ofPipe path: String) throws(FileFailure) -> Bool { false }

  /// Nil: files are plain.
  package var key: FileKey? { nil }

  /// Returns at once: the file system has no clock.
  package func pause(milliseconds: Int) {}

  /// Returns as after no millisecond.
  package func pause(microseconds: Int) { pause(milliseconds: 0) }

  /// Nil: the file system does not report changes.
  package func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> AnyObject? { nil }

  /// The time of the system's clock; 0 before 1970.
  package var now: UInt64 { UInt64(max(0, Date().timeIntervalSince1970) * 1000) }
}

/// The purpose of opening a file.
package enum OpenPurpose: Sendable, Hashable {
  /// Reading a file that exists. Changes nothing, not even in a folder that must not be changed.
  case reading
  /// Reading and writing a file that exists.
  case updating
  /// Writing a new file; `EEXIST` if the name is in use. The file takes the mode, owner and extended attributes of the
  /// first existing file of `like`, as far as the system permits. If none of them exists, the file gets exactly the
  /// permissions `mode`, or, for nil, the defaults of the process.
  case creating(like: [String], mode: UInt16? = nil)
  /// Creating a lock file: as for `creating`, but its owner may read and write it in any case.
  case creatingLock(like: [String], mode: UInt16? = nil)

  /// A copy of this purpose that uses `mode` for new files if it has no permissions yet.
  func making(_ mode: UInt16?) -> OpenPurpose {
    switch self {
    case .creating(let models, nil): .creating(like: models, mode: mode)
    case .creatingLock(let models, nil): .creatingLock(like: models, mode: mode)
    default: self
    }
  }
}

/// An open file. It is closed by `close()`, or at the latest when its last reference is released.
///
/// Offsets and counts are in bytes, from 0. A file has no position of its own.
package protocol OpenFile: AnyObject, Sendable {
  /// The identity of the file.
  var identity: FileIdentity { get }

  /// Returns the size in bytes.
  func size() throws(FileFailure) -> Int

  /// Fills the beginning of `buffer` with the bytes at `offset`.
  ///
  /// - Returns: the number of bytes read. It may be less than the file has there, and is 0 only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int

  /// Writes the beginning of `bytes`, which must not be empty, at `offset`.
  ///
  /// - Returns: the number of bytes written: at least 1, and possibly fewer than given.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int

  /// Cuts the file off at `size`, or extends it with zeros.
  func truncate(to size: Int) throws(FileFailure)

  /// Returns when all written bytes will survive a power failure.
  func synchronize() throws(FileFailure)

  /// Whether a new file of this kind is written in large portions by another thread (`WriteBehind`), and not by each
  /// call.
  var writesBehind: Bool { get }

  /// The object that writes behind the writer; nil, as for real files, when a thread does this.
  var workBehind: (any WorkBehind)? { get }

  /// Advises the system that the bytes of `range` will not change, so that they may be sent to the disk. It guarantees
  /// nothing and reports nothing. The guarantees and errors of `synchronize` are unaffected.
  func startWriting(_ range: Range<Int>)

  /// Takes the lock of this file, or changes how it is held, for as long as the file is open.
  ///
  /// - Returns: whether the lock was free. If not, an opening that held it may have lost it.
  func lock(_ kind: LockKind) throws(FileFailure) -> Bool

  /// Releases the lock of this file.
  func unlock()

  /// Takes the lock of one byte of this file, or changes how it is held. The byte need not exist. Openings of one file
  /// exclude each other, in one process too; the lock of the file and the locks of its bytes are independent.
  ///
  /// - Parameter kind: `.exclusive` needs a file that was opened for writing.
  /// - Returns: whether the lock was free; nil where the system has no such locks, or not for this file. If not, it
  ///   stays as it is.
  func lock(byte: Int, _ kind: LockKind) throws(FileFailure) -> Bool?

  /// Whether another opening holds the lock of one byte. It takes a quarter of the time of taking and releasing it.
  func isLocked(byte: Int) throws(FileFailure) -> Bool

  /// Releases the lock of one byte.
  func unlock(byte: Int)

  /// Releases the locks of all bytes that this opening has. Taking one byte and releasing it so takes a tenth less time
  /// on Linux, which then prepares no rest of a lock that is cut in two.
  func unlockBytes()

  /// Closes the file and releases its lock. Bytes that were not synchronized remain so.
  func close()
}

/// How a lock is held.
package enum LockKind: Sendable {
  /// By any number of openings.
  case shared
  /// By one opening alone.
  case exclusive
}

extension OpenFile {
  /// Takes the lock of this file alone.
  package func lock() throws(FileFailure) -> Bool { try lock(.exclusive) }

  /// Returns false: each call writes.
  package var writesBehind: Bool { false }

  /// Returns nil: a thread does the work.
  package var workBehind: (any WorkBehind)? { nil }

  /// Does nothing: the system chooses when the bytes reach the disk.
  package func startWriting(_ range: Range<Int>) {}
}

/// Writes files behind their writers in place of a thread, so that a test can choose the moments and reproduce them.
package protocol WorkBehind: AnyObject, Sendable {
  /// The minimum size in bytes of a portion of a file.
  var portionSize: Int { get }

  /// Takes a task. It runs once, at any moment, after all earlier tasks.
  func later(_ work: @escaping @Sendable () -> Void)

  /// Runs the next task now, because the writer has to wait for it.
  func help()
}
