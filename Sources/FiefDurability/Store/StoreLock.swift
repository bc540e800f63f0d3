import Foundation

/// The lock that makes this opening, in this process, the only writer of the store (S14).
///
///     dogs.realm.lock ── flock ──▶ held as long as the file is open, here or in a fork
///                     ── "fief 4711"    the holder's number, for the error message of the next one
///
/// The file is never renamed. Another process may have removed it between the opening and the locking. Then the lock is
/// on a file that no other process can find, and the lock is taken again. A file whose contents are not those of a lock
/// file is not written to. One that Realm left behind is taken over.
final class StoreLock: Sendable {
  let file: any OpenFile
  /// A second opening of the file in a store that is shared. The turn is the only lock that it takes, because the only
  /// lock of an opening is given back faster.
  let turn: (any OpenFile)?
  /// Whether this opening created the lock file, and no other one uses it.
  let isNew: Bool

  init(_ file: any OpenFile, turn: (any OpenFile)? = nil, isNew: Bool) {
    self.file = file
    self.turn = turn
    self.isNew = isNew
  }

  /// The identity of the lock file.
  var identity: FileIdentity { file.identity }

  /// Takes the lock of a store.
  ///
  /// - Parameter hasStore: Whether the store is there. An empty file beside it is its lock file, whose bytes a power
  ///   failure took, as is one with zeros in their place; any other empty file is locked, and stays as it is.
  /// - Throws: `alreadyOpen` with the holder's number; `fileExists` when another kind of file has the name of the lock
  ///   file; errors of the system.
  static func acquire(_ paths: StorePaths, hasStore: Bool, _ system: any FileSystem) throws(StoreError) -> StoreLock {
    try asStoreError("The store cannot be locked", at: paths.lock) {
      try opened(paths, system) { file, isNew in
        guard try file.lock() else { throw alreadyOpen(paths.snapshot, holder: holder(in: file)) }
        guard try system.entry(at: paths.lock)?.identity == file.identity else { return nil }
        // The processes that share the store have given up the lock of the file, and all have this one (S26).
        guard try file.lock(byte: SharedLock.presence.byte, .exclusive) ?? true else {
          throw alreadyOpen(paths.snapshot, holder: StoreSharing.members(in: file).first)
        }
        let lock = StoreLock(file, isNew: isNew)
        try lock.claim(paths, hasStore: hasStore, system)
        return lock
      }
    }
  }

  /// Opens the lock file, or creates it, until `body` has taken the lock that it wants of a file that has the name.
  ///
  /// - Parameter body: returns nil if the file has lost its name meanwhile.
  static func opened<Result>(
    _ paths: StorePaths, _ system: any FileSystem, _ body: (any OpenFile, _ isNew: Bool) throws -> Result?
  ) throws -> Result {
    for _ in 0..<100 {
      guard let (file, isNew) = try open(paths, system) else { continue }
      do {
        if let result = try body(file, isNew) { return result }
      } catch {
        file.close()
        throw error
      }
      file.close()
    }
    throw FileFailure(.lock, at: paths.lock, EAGAIN)
  }

  /// Writes the number of this process into the file, if it is a lock file of this library or becomes one.
  ///
  /// - Throws: `fileExists` when the file is another one.
  func claim(_ paths: StorePaths, hasStore: Bool, _ system: any FileSystem) throws {
    guard let form = try Form(of: file) else { throw Self.foreign(paths) }
    if isNew || form.isOurs || hasStore && form == .empty {
      Self.note(system.processIdentifier, in: file, paths.lock, over: form)
    }
  }

  /// Whether the file has bytes of others, and is never written to.
  ///
  /// - Throws: `fileExists` when the file is no lock file.
  func isOfOthers(_ paths: StorePaths) throws -> Bool {
    guard let form = try Form(of: file) else { throw Self.foreign(paths) }
    return form == .other
  }

  /// Opens the lock file, or creates it; nil if another process creates or removes it meanwhile.
  private static func open(_ paths: StorePaths, _ system: any FileSystem) throws -> (file: any OpenFile, isNew: Bool)? {
    if try system.entry(at: paths.lock) != nil {
      // A process that cannot write to the store gets its error from the store's own files.
      return try openForLocking(paths.lock, of: paths, system).map { ($0, false) }
    }
    do throws(FileFailure) {
      return (try system.open(paths.lock, for: .creatingLock(like: [paths.snapshot, paths.journal])), true)
    } catch {
      guard error.code == EEXIST else { throw error }
      return nil
    }
  }

  /// Opens a file to take its lock. A file that may only be read can be locked all the same on most file systems.
  private static func openForLocking(
    _ path: String, of paths: StorePaths, _ system: any FileSystem
  ) throws -> (any OpenFile)? {
    do { return try paths.open(path, for: .updating, system) } catch let failure as FileFailure
      where failure.meaning == .filePermissionDenied
    {
      return try paths.open(path, for: .reading, system)
    }
  }

  /// Opens a data file and takes the file's own lock. Other names may lead to the same file, and it still exists when
  /// the lock file was removed (S14).
  ///
  /// - Parameters:
  ///   - isWriting: Whether the file must be writable.
  ///   - kind: How it is locked. Processes that share a store share the locks, too.
  /// - Returns: the file; nil if it does not exist.
  /// - Throws: `alreadyOpen`; `fileAccess` for what is no file; errors of the system.
  static func acquireFile(
    _ path: String, of paths: StorePaths, isWriting: Bool = true, as kind: LockKind = .exclusive,
    _ system: any FileSystem
  ) throws(StoreError) -> (any OpenFile)? {
    try asStoreError("The store could not be opened for writing", at: path) {
      let opened = try isWriting ? paths.open(path, for: .updating, system) : openForLocking(path, of: paths, system)
      guard let file = opened else { return nil }
      guard try file.lock(kind) else {
        file.close()
        // The processes that share the store have given its own lock up.
        let lock = try? paths.open(paths.lock, for: .reading, system)
        defer { lock?.close() }
        if let member = lock.flatMap({ StoreSharing.members(in: $0).first }) {
          throw alreadyOpen(paths.snapshot, holder: member)
        }
        throw alreadyOpen(paths.snapshot, holder: nil).adding(
          "It is open under another name, or its lock file was taken away meanwhile.")
      }
      return file
    }
  }

  /// The error for a store that is open.
  static func alreadyOpen(_ store: String, holder: Int32?) -> StoreError {
    let by = holder.map { "by process \($0)" } ?? "by another process"
    return StoreError(
      .alreadyOpen,
      "The store \(store) is open for writing \(by), and one of the two needs it for itself: close it there, or "
        + "open it for reading only.",
      file: store, holder: holder)
  }

  /// The error for a file that is no lock file.
  static func foreign(_ paths: StorePaths) -> StoreError {
    StoreError(
      .fileExists,
      "The file \(paths.lock) stands where the lock of \(paths.snapshot) belongs, and was not made by this library: "
        + "move it away. It was not changed.", file: paths.lock)
  }

  /// The process that the file names as its holder.
  static func holder(in file: any OpenFile) -> Int32? { (try? LockRecord(file))?.latest }

  /// Whether an open file can be the lock file of a store.
  static func isLock(_ file: any OpenFile) throws(FileFailure) -> Bool { try Form(of: file) != nil }

  /// The contents of the lock file.
  private enum Form: Equatable {
    /// The number of a process, and further lines if the store was shared.
    case numbered(hasLines: Bool)
    /// No bytes, or what a power failure has left of the only line.
    case empty
    /// A few bytes of others. The file is locked, and never written to.
    case other
    /// A lock file of Realm's own library, which leaves it behind. A process that has the file open with Realm holds a
    /// lock on it, so a file with our lock is in use by no other process.
    case originals

    var isOurs: Bool {
      switch self {
      case .numbered, .originals: true
      case .empty, .other: false
      }
    }

    /// Nil for a file that is no lock file.
    init?(of file: any OpenFile) throws(FileFailure) {
      let size = try file.size()
      guard size <= Self.largestOriginal else { return nil }
      if size == 0 {
        self = .empty
      } else if size <= LockRecord.largest, try file.readAll(0..<LockRecord.mark.utf8.count).isMark {
        self = .numbered(hasLines: size > LockRecord.lineLength)
      } else if size <= LockRecord.lineLength, try file.readAll(0..<size).isLost {
        self = .empty
      } else if size <= Self.largestOther {
        self = .other
      } else {
        guard Self.isOriginals(try file.readAll(0..<size)) else { return nil }
        self = .originals
      }
    }

    /// The maximum size of a file of others that is locked.
    private static let largestOther = 20

    /// Some 1,200 bytes, and 32 more for each version that was once in use.
    private static let largestOriginal = 1 << 20

    /// Whether bytes are those of a lock file of Realm. All are zeros until it is set up. Then it begins with a mark of
    /// that, the sizes of a mutex and of a condition variable, a flag, the version of the file format, the kind of the
    /// history, and the version of this layout and the durability in two bytes each.
    private static func isOriginals(_ bytes: [UInt8]) -> Bool {
      if bytes.allSatisfy({ $0 == 0 }) { return true }
      guard bytes.count >= 256 else { return false }
      let flags = [bytes[0], bytes[3], bytes[40], bytes[41], bytes[42]]
      return flags.allSatisfy { $0 <= 1 } && 1...128 ~= bytes[1] && 1...128 ~= bytes[2] && bytes[4] <= 64
        && bytes[5] <= 16 && 4...64 ~= bytes[6] && bytes[7] == 0 && bytes[8] <= 4 && bytes[9] == 0
    }
  }

  /// Writes the holder's number into the file. A failure (on a full disk, say) does not weaken the lock.
  private static func note(_ process: Int32, in file: any OpenFile, _ path: String, over form: Form) {
    do throws(FileFailure) {
      if form == .originals {
        // A power failure must not leave the number in front of the old bytes, which would be no lock file.
        try file.truncate(to: 0)
        try file.synchronize()
      }
      if form == .numbered(hasLines: true), try LockRecord(file).writer == process { return }
      // The first line of a file with more lines is on the disk, and stays as it is: it shows whose file that is. No
      // process is there that could have drawn the same number.
      let (offset, bytes) =
        form == .numbered(hasLines: true) ? LockRecord.writer(process, drawn: 0) : LockRecord.holder(process)
      try file.writeAll(bytes, at: offset, path: path)
    } catch {}
  }

  /// Removes the lock file, for a caller that created it and leaves no store behind. Another process that opened the
  /// file meanwhile, and gets its lock, finds that the file has lost its name.
  func remove(_ paths: StorePaths, _ system: any FileSystem) {
    try? OwnFile(path: paths.lock, identity: identity).remove(system)
  }

  /// Releases the lock.
  func release() {
    turn?.close()
    file.close()
  }
}

extension [UInt8] {
  /// Whether these are the first bytes of a lock file.
  fileprivate var isMark: Bool { elementsEqual(LockRecord.mark.utf8) }

  /// Whether a power failure may have left these bytes of a line: it was cut short, or replaced by zeros.
  fileprivate var isLost: Bool { allSatisfy { $0 == 0 } || LockRecord.mark.utf8.starts(with: self) }
}
