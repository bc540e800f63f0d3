import Foundation

/// The system calls that Foundation has no words for, in the form that each platform has them.
///
/// Nothing here knows what a store is. On platforms without `flock` (WASI) there is one process, and every lock is free.
enum System {
  #if os(Windows)
    static func open(_ path: String, _ purpose: OpenPurpose) -> Int32 {
      let flags: Int32 =
        switch purpose {
        case .reading: _O_RDONLY
        case .updating: _O_RDWR
        case .creating: _O_RDWR | _O_CREAT | _O_TRUNC
        case .locking: _O_RDWR | _O_CREAT
        }
      return _open(path, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE)
    }
    static func close(_ descriptor: Int32) -> Int32 { _close(descriptor) }
  #else
    static func open(_ path: String, _ purpose: OpenPurpose) -> Int32 {
      let flags: Int32 =
        switch purpose {
        // A pipe must not keep whoever looks at it waiting for its other end.
        case .reading: O_RDONLY | O_NONBLOCK
        case .updating: O_RDWR | O_NONBLOCK
        case .creating: O_RDWR | O_CREAT | O_TRUNC
        case .locking: O_RDWR | O_CREAT
        }
      return Foundation.open(path, flags | O_CLOEXEC, 0o644)
    }
    static func openFolder(_ path: String) -> Int32 { Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    static func close(_ descriptor: Int32) -> Int32 { Foundation.close(descriptor) }
  #endif

  static func rename(_ path: String, _ newPath: String) -> Int32 { Foundation.rename(path, newPath) }

  /// Reads at an offset, without moving any position.
  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int {
    #if os(Windows)
      guard _lseeki64(descriptor, Int64(offset), SEEK_SET) >= 0 else { return -1 }
      return Int(_read(descriptor, buffer.baseAddress, UInt32(min(buffer.count, 1 << 30))))
    #else
      return pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    #endif
  }

  /// Whether there are other threads to write on.
  static var hasThreads: Bool {
    #if os(WASI)
      return false
    #else
      return true
    #endif
  }

  /// Sends a range on its way to the disk, where the system has a word for that, and waits for nothing. What goes wrong on the way
  /// is kept by the system for the next `fsync` of the file; this call looks at no error, so it takes none away.
  static func startWriting(_ descriptor: Int32, _ range: Range<Int>) {
    #if canImport(Glibc)
      // SYNC_FILE_RANGE_WRITE
      _ = syncFileRange?(descriptor, Int64(range.lowerBound), Int64(range.count), 2)
    #endif
  }

  #if canImport(Glibc)
    /// `sync_file_range(2)`, which glibc has and does not show to Swift; nil in programs that are linked without it. The cast is
    /// right because the manual gives the function this type: int (int, off64_t, off64_t, unsigned int).
    private static let syncFileRange: (@convention(c) (Int32, Int64, Int64, UInt32) -> Int32)? =
      dlsym(nil, "sync_file_range").map {
        unsafeBitCast($0, to: (@convention(c) (Int32, Int64, Int64, UInt32) -> Int32).self)
      }
  #endif

  /// The path with all links followed; nil, with `errno`, when something on the way does not exist.
  static func realPath(_ path: String) -> String? {
    #if os(Windows)
      let resolved = _fullpath(nil, path, 0)
    #else
      let resolved = realpath(path, nil)
    #endif
    guard let resolved else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static var processIdentifier: Int32 { Int32(truncatingIfNeeded: getpid()) }

  static func identity(of facts: stat) -> FileIdentity {
    FileIdentity(
      device: UInt64(truncatingIfNeeded: facts.st_dev), number: UInt64(truncatingIfNeeded: facts.st_ino))
  }

  static func kind(of facts: stat) -> FileEntry.Kind {
    switch Int32(truncatingIfNeeded: facts.st_mode) & Int32(truncatingIfNeeded: S_IFMT) {
    case Int32(truncatingIfNeeded: S_IFREG): .file
    case Int32(truncatingIfNeeded: S_IFDIR): .folder
    default: .other
    }
  }

  /// What became of the wish for a lock.
  enum Lock {
    case taken, held
    case refused(Int32)
  }

  /// Takes the lock of an open file without waiting. It goes with the last descriptor of this opening, also when the
  /// process dies; a POSIX record lock would vanish when *any* descriptor of the file is closed.
  static func lock(_ descriptor: Int32) -> Lock {
    #if os(WASI) || os(Windows)
      return .taken
    #else
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno == EWOULDBLOCK { return .held }
        if errno != EINTR { return .refused(errno) }
      }
      return .taken
    #endif
  }

  /// Lets go of the lock of an open file, for all copies of the descriptor.
  static func unlock(_ descriptor: Int32) {
    #if !(os(WASI) || os(Windows))
      _ = flock(descriptor, LOCK_UN)
    #endif
  }

  /// The system's number in an error of Foundation's.
  static func code(of error: any Error) -> Int32 {
    var next: NSError? = error as NSError
    while let error = next {
      if error.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: error.code) }
      if error.domain == NSCocoaErrorDomain, let code = code(ofCocoa: error.code),
        error.userInfo[NSUnderlyingErrorKey] == nil
      {
        return code
      }
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return EIO
  }

  private static func code(ofCocoa code: Int) -> Int32? {
    switch CocoaError.Code(rawValue: code) {
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteNoPermission, .fileReadNoPermission: EACCES
    case .fileWriteVolumeReadOnly: EROFS
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    default: nil
    }
  }
}
