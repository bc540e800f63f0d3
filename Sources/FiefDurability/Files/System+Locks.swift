import Foundation

extension System {
  /// The result of an attempt to take a lock.
  enum Lock {
    case acquired, held
    case refused(Int32)
  }

  /// Takes the lock of an open file without waiting. The lock ends when the last descriptor of this opening is closed,
  /// also when the process dies. A POSIX record lock would end when *any* descriptor of the file is closed.
  static func lock(_ descriptor: Int32, _ kind: LockKind) -> Lock {
    #if os(WASI) || os(Windows)
      return .acquired
    #else
      if flock(descriptor, (kind == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 { return .acquired }
      return errno == EWOULDBLOCK ? .held : .refused(errno)
    #endif
  }

  /// Releases the lock of an open file, for all copies of the descriptor.
  static func unlock(_ descriptor: Int32) {
    #if !(os(WASI) || os(Windows))
      _ = flock(descriptor, LOCK_UN)
    #endif
  }

  /// Takes the lock of one byte of an open file without waiting. It belongs to the opening, as the lock of the file
  /// does, and ends with it. A failed change of a lock leaves it as it was.
  static func lock(_ descriptor: Int32, byte: Int, _ kind: LockKind) -> Lock {
    guard let (_, setLock) = openFileLocks else { return .refused(ENOTSUP) }
    #if os(WASI) || os(Windows)
      return .refused(ENOTSUP)
    #else
      var range = lockRange(byte, kind == .exclusive ? F_WRLCK : F_RDLCK)
      if unsafe fcntl(descriptor, setLock, &range) == 0 { return .acquired }
      return errno == EAGAIN || errno == EACCES ? .held : .refused(errno)
    #endif
  }

  /// Whether the lock of one byte could be taken alone. Does not take it.
  static func wouldLock(_ descriptor: Int32, byte: Int) -> Lock {
    guard let (getLock, _) = openFileLocks else { return .refused(ENOTSUP) }
    #if os(WASI) || os(Windows)
      return .refused(ENOTSUP)
    #else
      var range = lockRange(byte, F_WRLCK)
      guard unsafe fcntl(descriptor, getLock, &range) == 0 else { return .refused(errno) }
      return range.l_type == Int16(F_UNLCK) ? .acquired : .held
    #endif
  }

  /// Releases the lock of one byte, or those of all bytes.
  static func unlock(_ descriptor: Int32, byte: Int?) {
    #if !(os(WASI) || os(Windows))
      guard let (_, setLock) = openFileLocks else { return }
      var range = lockRange(byte ?? 0, F_UNLCK)
      // The length 0 means: to the end of the largest file.
      if byte == nil { range.l_len = 0 }
      _ = unsafe fcntl(descriptor, setLock, &range)
    #endif
  }

  #if !(os(WASI) || os(Windows))
    private static func lockRange(_ byte: Int, _ type: some BinaryInteger) -> flock {
      var range = flock()
      range.l_type = Int16(type)
      range.l_whence = Int16(SEEK_SET)
      range.l_start = off_t(byte)
      range.l_len = 1
      return range
    }
  #endif

  /// The commands `F_OFD_GETLK` and `F_OFD_SETLK` of `fcntl`, which look for and take a lock that belongs to an opening
  /// of a file and not to a process; nil where the system lacks them. The C library has the numbers, and its module
  /// does not export them.
  private static var openFileLocks: (get: Int32, set: Int32)? {
    #if (canImport(Glibc) || canImport(Musl) || canImport(Android)) && _pointerBitWidth(_64)
      return (36, 37)
    #elseif canImport(Darwin)
      return (92, 90)
    #else
      return nil
    #endif
  }
}
