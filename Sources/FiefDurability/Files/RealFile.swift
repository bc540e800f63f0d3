import Foundation

/// A file of the system, around a `FileHandle`.
///
/// Reading and writing happen on different threads (an append while an earlier one is being synchronized): writers
/// take turns above this, reading at an offset moves no position, and synchronizing has none. So the handle's own
/// position belongs to whoever writes. That is why `@unchecked Sendable` is true.
final class RealFile: OpenFile, @unchecked Sendable {
  let identity: FileIdentity
  private let path: String
  private let handle: FileHandle
  // -1 once the file is closed: the number may be another file's from then on. Nobody else uses the file when it is
  // closed.
  private var descriptor: Int32
  // Where the handle's position is. Read and changed by the one who writes.
  private var position = 0
  // The process that locked the file through this opening. Set and cleared by the one who opens and closes.
  private var holder: Int32?

  init(_ descriptor: Int32, _ path: String) throws(FileFailure) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let code = errno
      _ = System.close(descriptor)
      throw FileFailure(.look, path, code)
    }
    identity = System.identity(of: facts)
    self.path = path
    self.descriptor = descriptor
    // A handle whose closing fails closes the number again when it goes, which may be another file's by then.
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
  }

  func size() throws(FileFailure) -> Int {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw FileFailure(.look, path, errno) }
    return Int(facts.st_size)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    let count = System.read(descriptor, buffer, offset)
    guard count >= 0 else { throw FileFailure(.read, path, errno) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    // The handle has the number still.
    guard descriptor >= 0 else { throw FileFailure(.write, path, EBADF) }
    do {
      if position != offset {
        try handle.seek(toOffset: UInt64(offset))
        position = offset
      }
      // The bytes are lent for the time of the call; `Data` neither copies nor frees them.
      let lent = Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count, deallocator: .none)
      try handle.write(contentsOf: lent)
      position += bytes.count
      return bytes.count
    } catch {
      // Some bytes may have been written before it failed.
      position = -1
      throw FileFailure(.write, path, System.code(of: error))
    }
  }

  func truncate(to size: Int) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileFailure(.truncate, path, errno) }
  }

  func synchronize() throws(FileFailure) {
    guard System.synchronize(descriptor) == 0 else { throw FileFailure(.synchronize, path, errno) }
  }

  var writesBehind: Bool { System.hasThreads }

  func startWriting(_ range: Range<Int>) { System.startWriting(descriptor, range) }

  func lock() throws(FileFailure) -> Bool {
    switch System.lock(descriptor) {
    case .taken:
      holder = System.processIdentifier
      return true
    case .held: return false
    case .refused(let code): throw FileFailure(.lock, path, code)
    }
  }

  // A process that is being started has copies of all descriptors for a moment, and a lock goes with the last of them:
  // so it is let go by name, by the process that took it and by no other.
  func close() {
    if holder == System.processIdentifier { System.unlock(descriptor) }
    holder = nil
    if descriptor >= 0 { _ = System.close(descriptor) }
    descriptor = -1
  }

  deinit { close() }
}
