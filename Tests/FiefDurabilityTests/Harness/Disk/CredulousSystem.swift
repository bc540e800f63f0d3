import FiefDurability
import Foundation

/// A system on which no checksum of a journal's records ever fails: each is corrected when the file is read.
///
/// A store on it behaves like one that does not check (`Barriers.recordsAreChecked`), although the code has no switch
/// for the checks.
struct CredulousSystem: FileSystem {
  let system: any FileSystem

  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    let file = try system.open(path, for: purpose)
    guard purpose == .reading, path.hasSuffix(".journal") else { return file }
    return try CredulousFile(file)
  }

  func rename(_ path: String, to newPath: String) throws(FileFailure) { try system.rename(path, to: newPath) }
  func link(_ path: String, as newPath: String) throws(FileFailure) { try system.link(path, as: newPath) }
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try system.names(in: path, beginningWith: prefix)
  }
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    system.later(in: milliseconds, work)
  }
  func remove(_ path: String) throws(FileFailure) { try system.remove(path) }
  func synchronizeFolder(_ path: String) throws(FileFailure) { try system.synchronizeFolder(path) }
  func entry(at path: String) throws(FileFailure) -> FileEntry? { try system.entry(at: path) }
  func resolve(_ path: String) throws(FileFailure) -> String { try system.resolve(path) }
  var processIdentifier: Int32 { system.processIdentifier }
  func randomBits() -> UInt64 { system.randomBits() }
}

/// A journal whose checksums are all correct.
private final class CredulousFile: OpenFile {
  private let file: any OpenFile
  private let bytes: [UInt8]

  init(_ file: any OpenFile) throws(FileFailure) {
    self.file = file
    var bytes = [UInt8](repeating: 0, count: try file.size())
    var failure: FileFailure?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(FileFailure) { _ = try file.read(into: buffer, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
    bytes.believe()
    self.bytes = bytes
  }

  var identity: FileIdentity { file.identity }
  func size() throws(FileFailure) -> Int { bytes.count }
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try file.write(bytes, at: offset)
  }
  func truncate(to size: Int) throws(FileFailure) { try file.truncate(to: size) }
  func synchronize() throws(FileFailure) { try file.synchronize() }
  func lock() throws(FileFailure) -> Bool { try file.lock() }
  func close() { file.close() }
}

extension [UInt8] {
  /// Stores the correct checksums in all records of a journal; FORMAT.md has the fields.
  mutating func believe() {
    guard count >= 64 else { return }
    var chain = number(at: 60)
    let seed = chain
    var start = 64
    while start + 48 <= count, number(at: start) == 0x6365_5246 {
      let length = Int(number(at: start + 8))
      let end = start + 40 + length + (8 - length % 8) % 8
      guard end + 8 <= count else { return }
      place(checksum(start..<start + 36, after: seed), at: start + 36)
      chain = checksum(start + 40..<end, after: checksum(start..<start + 36, after: chain))
      place(chain, at: end)
      place(0xC35A_A53C, at: end + 4)
      start = end + 8
    }
  }

  private func number(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func place(_ number: UInt32, at offset: Int) {
    for byte in 0..<4 { self[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)) }
  }

  private func checksum(_ range: Range<Int>, after previous: UInt32) -> UInt32 {
    withUnsafeBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[range]), after: previous) }
  }
}
