import Foundation

/// A file of the real system, around a `FileHandle`.
///
/// Writes, reads and synchronizations may run on different threads (an append during the synchronization of an earlier
/// one). The callers serialize the writes. Reading uses an offset and does not move the handle's position, and
/// synchronizing does not use it. So only the writer uses the position, which makes `@unchecked Sendable` correct.
final class RealFile: OpenFile, @unchecked Sendable {
  let identity: FileIdentity
  private let path: String
  private let handle: FileHandle
  // -1 once the file is closed, because the number may then belong to another file. The file is not used after closing.
  private var descriptor: Int32
  // The handle's current position. Only the writer uses it.
  private var position = 0
  // The process that locked the file through this opening. Only the thread that opens and closes the file changes it.
  private var holder: Int32?
  // The process that locked bytes of the file through this opening. Set once, by the thread that locks the first.
  private var byteHolder: Int32?

  init(_ descriptor: Int32, _ path: String) throws(FileFailure) {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else {
      let code = errno
      _ = System.close(descriptor)
      throw FileFailure(.inspect, at: path, code)
    }
    identity = System.identity(of: facts)
    self.path = path
    self.descriptor = descriptor
    // With `closeOnDealloc`, a handle whose closing failed would close the number again, which may be another file's by
    // then.
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
  }

  func size() throws(FileFailure) -> Int {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else { throw FileFailure(.inspect, at: path, errno) }
    return Int(facts.st_size)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    let count = unsafe System.read(descriptor, into: buffer, at: offset)
    guard count >= 0 else { throw FileFailure(.read, at: path, errno) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    // The handle still has the number.
    guard descriptor >= 0 else { throw FileFailure(.write, at: path, EBADF) }
    do {
      if position != offset {
        try handle.seek(toOffset: UInt64(offset))
        position = offset
      }
      // The bytes are lent during the call; `Data` neither copies nor frees them.
      let lent = unsafe Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count, deallocator: .none)
      try handle.write(contentsOf: lent)
      position += bytes.count
      return bytes.count
    } catch {
      // Some bytes may have been written before the failure.
      position = -1
      throw FileFailure(.write, at: path, System.code(of: error))
    }
  }

  func truncate(to size: Int) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileFailure(.truncate, at: path, errno) }
  }

  func synchronize() throws(FileFailure) {
    guard System.synchronize(descriptor) == 0 else { throw FileFailure(.synchronize, at: path, errno) }
  }

  var writesBehind: Bool { System.hasThreads }

  func startWriting(_ range: Range<Int>) { System.startWriting(descriptor, range) }

  func lock(_ kind: LockKind) throws(FileFailure) -> Bool {
    switch System.lock(descriptor, kind) {
    case .acquired:
      holder = System.processIdentifier
      return true
    case .held: return false
    case .refused(let code): throw FileFailure(.lock, at: path, code)
    }
  }

  func unlock() {
    if holder == System.processIdentifier { System.unlock(descriptor) }
    holder = nil
  }

  func lock(byte: Int, _ kind: LockKind) throws(FileFailure) -> Bool? {
    switch System.lock(descriptor, byte: byte, kind) {
    case .acquired:
      if byteHolder == nil { byteHolder = System.processIdentifier }
      return true
    case .held: return false
    // `EBADF`: the file may only be read, so no opening of this kind gets a byte of it alone.
    case .refused(EINVAL), .refused(ENOSYS), .refused(ENOTSUP), .refused(ENOLCK), .refused(EBADF): return nil
    case .refused(let code): throw FileFailure(.lock, at: path, code)
    }
  }

  func isLocked(byte: Int) throws(FileFailure) -> Bool {
    switch System.wouldLock(descriptor, byte: byte) {
    case .acquired: return false
    case .held: return true
    case .refused(let code): throw FileFailure(.lock, at: path, code)
    }
  }

  func unlock(byte: Int) {
    if byteHolder == System.processIdentifier { System.unlock(descriptor, byte: byte) }
  }

  func unlockBytes() {
    if byteHolder == System.processIdentifier { System.unlock(descriptor, byte: nil) }
  }

  // A process that is being started briefly has copies of all descriptors, and a lock lasts until the last copy is
  // closed. So the process that took the lock, and no other, releases it explicitly.
  func close() {
    unlock()
    unlockBytes()
    byteHolder = nil
    if descriptor >= 0 { _ = System.close(descriptor) }
    descriptor = -1
  }

  deinit { close() }
}
