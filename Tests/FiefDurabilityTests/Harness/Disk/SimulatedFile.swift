import FiefDurability
import Foundation

/// A file of a simulated disk, opened by one process.
final class SimulatedFile: OpenFile, @unchecked Sendable {
  private let file: SimulatedDisk.File
  private let path: String
  private let process: SimulatedProcess
  private var isOpen = true
  /// Whether the last write took fewer bytes than given.
  private var wasShort = false
  /// How many failed synchronizations of the file were reported to this opening.
  private var knownFailures: Int

  /// Creates an opening. The caller holds the disk's lock.
  init(_ file: SimulatedDisk.File, _ path: String, _ process: SimulatedProcess) {
    self.file = file
    knownFailures = file.failures
    self.path = path
    self.process = process
    process.disk.openFiles += 1
  }

  var identity: FileIdentity { FileIdentity(device: 1, number: UInt64(file.number)) }

  var writesBehind: Bool { process.writesBehind }

  var workBehind: (any WorkBehind)? { process.behind }

  func startWriting(_ range: Range<Int>) { process.disk.advise(range, of: file) }

  private func call<Result>(
    _ operation: FileFailure.Operation, _ body: (DiskFault.Kind?) throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result {
    try process.call(operation, path) { fault throws(FileFailure) in
      guard isOpen else { throw FileFailure(operation, at: path, EBADF) }
      return try body(fault)
    }
  }

  func size() throws(FileFailure) -> Int { try call(.inspect) { _ in file.bytes.count } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try call(.read) { fault in
      var count = max(0, min(buffer.count, file.bytes.count - offset))
      process.disk.note(bytes: count)
      if case .short(let limit) = fault { count = min(count, limit) }
      guard count > 0 else { return 0 }
      file.bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
      }
      return count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try call(.write) { fault throws(FileFailure) in
      var count = bytes.count
      process.disk.note(bytes: count)
      switch fault {
      case .short(let limit): count = min(count, limit)
      case .refuseAfter(_, let limit): count = min(count, limit)
      default: break
      }
      let taken = [UInt8](bytes[..<count])
      if !taken.isEmpty {
        file.bytes.place(taken, at: offset)
        process.disk.recordWrite(file.number, at: offset, taken, goesOn: wasShort)
      }
      wasShort = count < bytes.count
      if case .refuseAfter(let code, _) = fault { throw FileFailure(.write, at: path, code) }
      return count
    }
  }

  func truncate(to size: Int) throws(FileFailure) {
    try call(.truncate) { _ in
      file.bytes.resize(to: size)
      process.disk.record(.truncated(file: file.number, size: size))
    }
  }

  func synchronize() throws(FileFailure) {
    try call(.synchronize) { fault throws(FileFailure) in
      if case .dropOnSync(let code) = fault {
        process.disk.record(.lost(file: file.number))
        file.failures += 1
        knownFailures = file.failures
        throw FileFailure(.synchronize, at: path, code)
      }
      if knownFailures < file.failures {
        knownFailures = file.failures
        throw FileFailure(.synchronize, at: path, EIO)
      }
      process.disk.record(.synchronized(file: file.number))
    }
  }

  func lock(_ kind: LockKind) throws(FileFailure) -> Bool { try call(.lock) { _ in take(nil, kind) } }

  func unlock() { process.disk.lock.withLock { giveBack(nil) } }

  func lock(byte: Int, _ kind: LockKind) throws(FileFailure) -> Bool? { try call(.lock) { _ in take(byte, kind) } }

  func isLocked(byte: Int) throws(FileFailure) -> Bool {
    try call(.lock) { _ in file.holders[byte]?.keys.contains { $0 != ObjectIdentifier(self) } ?? false }
  }

  func unlock(byte: Int) {
    process.noteUnlocking()
    process.disk.lock.withLock { giveBack(byte) }
  }

  func unlockBytes() {
    process.disk.lock.withLock { for place in file.holders.keys where place != nil { giveBack(place) } }
  }

  private func take(_ place: Int?, _ kind: LockKind) -> Bool {
    let others = (file.holders[place] ?? [:]).filter { $0.key != ObjectIdentifier(self) }
    guard others.isEmpty || kind == .shared && others.values.allSatisfy({ $0 == .shared }) else { return false }
    file.holders[place, default: [:]][ObjectIdentifier(self)] = kind
    return true
  }

  private func giveBack(_ place: Int?) { file.holders[place]?[ObjectIdentifier(self)] = nil }

  func close() {
    process.disk.lock.lock()
    defer { process.disk.lock.unlock() }
    release()
    process.forget(self)
  }

  /// Closes the file. The caller holds the disk's lock.
  func release() {
    guard isOpen else { return }
    isOpen = false
    process.disk.openFiles -= 1
    for place in file.holders.keys { giveBack(place) }
  }

  deinit { close() }
}

extension [UInt8] {
  /// Writes `bytes` at `offset`, over existing bytes; a gap before them is filled with zeros.
  mutating func place(_ bytes: some Collection<UInt8>, at offset: Int) {
    if count < offset { resize(to: offset) }
    let overlap = Swift.min(bytes.count, count - offset)
    replaceSubrange(offset..<offset + overlap, with: bytes)
  }

  /// Cuts off at `size`, or extends with zeros.
  mutating func resize(to size: Int) {
    if count > size { removeLast(count - size) } else { append(contentsOf: repeatElement(0, count: size - count)) }
  }
}
