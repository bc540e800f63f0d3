import Foundation
import Synchronization

/// The system calls that Foundation lacks, or whose errors it hides, in the form of each platform.
///
/// This code knows nothing of stores. Platforms without `flock` (WASI) have one process, and every lock is free there.
enum System {
  #if os(Windows)
    static func open(_ path: String, isWriting: Bool) -> Int32 {
      _open(path, (isWriting ? _O_RDWR : _O_RDONLY) | _O_BINARY | _O_NOINHERIT, 0)
    }
    static func create(_ path: String, mode: Int32) -> Int32 {
      _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE)
    }
    static func close(_ descriptor: Int32) -> Int32 { _close(descriptor) }
  #else
    /// Opens a file that exists; links are not followed. Opening a pipe must not block until its other end is opened.
    static func open(_ path: String, isWriting: Bool) -> Int32 {
      behindStreams(unsafe Foundation.open(path, (isWriting ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC))
    }
    /// Creates a file; fails if the name is in use, even by a link.
    static func create(_ path: String, mode: mode_t) -> Int32 {
      behindStreams(unsafe Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode))
    }
    /// Gives an open file another number than those of the standard streams. In a program that was started without one
    /// of them, the file would get what is printed.
    private static func behindStreams(_ descriptor: Int32) -> Int32 {
      #if os(WASI)
        return descriptor
      #else
        guard 0...2 ~= descriptor else { return descriptor }
        let other = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        let code = errno
        _ = close(descriptor)
        errno = code
        return other
      #endif
    }
    /// Opens a pipe for writing, without waiting for a reader.
    static func openPipe(_ path: String) -> Int32 {
      unsafe Foundation.open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    }
    static func isPipe(_ descriptor: Int32) -> Bool {
      var facts = stat()
      return unsafe fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
    }
    static func openFolder(_ path: String) -> Int32 { unsafe Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    static func close(_ descriptor: Int32) -> Int32 { Foundation.close(descriptor) }
  #endif

  static func rename(_ path: String, _ newPath: String) -> Int32 { unsafe Foundation.rename(path, newPath) }

  /// Gives a file a second name.
  static func link(_ path: String, _ newPath: String) -> Int32 {
    #if os(Windows)
      errno = ENOSYS
      return -1
    #else
      return unsafe Foundation.link(path, newPath)
    #endif
  }

  /// Returns when the bytes of an open file, or the names in an open folder, will survive a power failure.
  ///
  /// `FileHandle.synchronize` is unsuitable: it treats `EROFS` and `EINVAL` as success, and a file system that has just
  /// given up returns `EROFS`.
  static func synchronize(_ descriptor: Int32) -> Int32 {
    #if os(Windows)
      return _commit(descriptor)
    #elseif canImport(Darwin)
      // On Darwin `fsync` leaves the bytes in the drive's own cache. File systems without `F_FULLFSYNC` return one of
      // these errors.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
      guard errno == ENOTSUP || errno == ENOTTY || errno == EINVAL else { return -1 }
      return fsync(descriptor)
    #else
      return fsync(descriptor)
    #endif
  }

  /// Reads at an offset, without moving the position.
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    #if os(Windows)
      guard _lseeki64(descriptor, Int64(offset), SEEK_SET) >= 0 else { return -1 }
      return Int(_read(descriptor, buffer.baseAddress, UInt32(min(buffer.count, 1 << 30))))
    #else
      return unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    #endif
  }

  /// Whether other threads exist that can write.
  static var hasThreads: Bool {
    #if os(WASI)
      return false
    #else
      return true
    #endif
  }

  /// Starts writing a range to the disk, where the system has a call for that, and does not wait. The system keeps
  /// errors for the next `fsync` of the file. This call reads no error, so it consumes none.
  static func startWriting(_ descriptor: Int32, _ range: Range<Int>) {
    #if canImport(Glibc)
      // SYNC_FILE_RANGE_WRITE
      _ = syncFileRange?(descriptor, Int64(range.lowerBound), Int64(range.count), 2)
    #endif
  }

  #if canImport(Glibc)
    /// `sync_file_range(2)`, which glibc has but does not export to Swift; nil in programs that are linked without it.
    /// The cast is right because the manual gives the function this type: int (int, off64_t, off64_t, unsigned int).
    private static let syncFileRange: (@convention(c) (Int32, Int64, Int64, UInt32) -> Int32)? =
      unsafe dlsym(nil, "sync_file_range").map {
        unsafe unsafeBitCast($0, to: (@convention(c) (Int32, Int64, Int64, UInt32) -> Int32).self)
      }
  #endif

  /// Returns the path with all links followed; nil, with `errno`, when a part of it does not exist.
  static func realPath(_ path: String) -> String? {
    #if os(Windows)
      let resolved = _fullpath(nil, path, 0)
    #else
      let resolved = unsafe realpath(path, nil)
    #endif
    guard let resolved = unsafe resolved else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the names in a folder that begin with `prefix`; nil, with `errno`, when the folder cannot be read.
  static func names(in folder: String, beginningWith prefix: String) -> [String]? {
    #if os(Windows)
      return try? FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }
    #else
      guard let list = unsafe opendir(folder) else { return nil }
      defer { unsafe closedir(list) }
      var names: [String] = []
      let length = prefix.utf8.count
      while true {
        errno = 0
        guard let entry = unsafe readdir(list) else { return errno == 0 ? names : nil }
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) { name in
            if unsafe strncmp(name, prefix, length) == 0 { unsafe names.append(String(cString: name)) }
          }
        }
      }
    #endif
  }

  /// The number of this process. It is asked for several times in a write, so the system is asked once, and again after
  /// a fork.
  static var processIdentifier: Int32 {
    #if os(Windows) || os(WASI)
      return Int32(truncatingIfNeeded: getpid())
    #else
      let known = processNumber.load(ordering: .relaxed)
      if known != 0 { return known }
      _ = forkHandler
      let number = Int32(getpid())
      processNumber.store(number, ordering: .relaxed)
      return number
    #endif
  }

  #if !(os(Windows) || os(WASI))
    private static let processNumber = Atomic<Int32>(0)
    private static let forkHandler: Int32 = pthread_atfork(nil, nil) {
      System.processNumber.store(0, ordering: .relaxed)
    }
  #endif

  static func identity(of facts: stat) -> FileIdentity {
    FileIdentity(device: UInt64(truncatingIfNeeded: facts.st_dev), number: UInt64(truncatingIfNeeded: facts.st_ino))
  }

  /// Asks for the facts of what has a name. A link is not followed.
  static func inspect(_ path: String, _ facts: inout stat) -> Int32 {
    #if os(Windows)
      return unsafe stat(path, &facts)
    #else
      return unsafe lstat(path, &facts)
    #endif
  }

  static func kind(of facts: stat) -> FileEntry.Kind {
    let kind = Int32(truncatingIfNeeded: facts.st_mode) & Int32(truncatingIfNeeded: S_IFMT)
    #if !os(Windows)
      if kind == Int32(truncatingIfNeeded: S_IFLNK) { return .link }
    #endif
    return switch kind {
    case Int32(truncatingIfNeeded: S_IFREG): .file
    case Int32(truncatingIfNeeded: S_IFDIR): .folder
    default: .other
    }
  }

  /// Returns the system's error number in an error of Foundation about writing.
  ///
  /// Foundation repeats interrupted calls, so an `EINTR` here is not an interruption. Like the number 0, it is left
  /// over from another call, after a write that took no bytes.
  static func code(of error: any Error) -> Int32 {
    var next: NSError? = error as NSError
    while let error = next {
      if error.domain == NSPOSIXErrorDomain {
        let code = Int32(truncatingIfNeeded: error.code)
        return code == 0 || code == EINTR ? EIO : code
      }
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
