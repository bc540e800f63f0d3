import FiefDurability
import Foundation

/// A measure that protects data against loss, and that a `WeakSystem` undermines.
enum Weakness: CaseIterable, Sendable {
  /// Commits are not synchronized before they are acknowledged (S4).
  case commits
  /// The bytes of a new file are not synchronized before it gets its name (S3).
  case snapshotBytes, journalBytes, historyBytes
  /// The name of a new file is not synchronized before anything relies on it (S9, S11, S17).
  case snapshotName, journalName, historyName
  /// New files are written in place, and not beside the old ones (S3).
  case renaming
  /// A journal of another store belongs to the snapshot (S1).
  case pairs
  /// The checksums of all records are right.
  case checksums
  /// No lock is ever held (S14).
  case locks
  /// A journal that was not closed in order ends in a seal, so it is not written anew (S12).
  case seals
  /// The bytes of a failed append are not cut off (S5).
  case cutting
  /// A failed synchronization of the journal is repeated, and its error lost (S7).
  case synchronizing
  /// Another file under a name of the store looks like the store's own (S16).
  case names
}

/// A file system on which one measure of a store has no effect, so that the tests of crashes can be tested.
///
/// A store on it behaves like one whose code lacks the measure. One opening uses an instance.
final class WeakSystem: FileSystem, @unchecked Sendable {
  private let system: any FileSystem
  fileprivate let weakness: Weakness
  private let lock = NSLock()
  // Guarded by `lock`: the temporary names of files that have their own by now, the file that got its name last, and
  // what is shown under names instead of the truth.
  private var named: Set<String> = []
  private var lastNamed: Kind?
  private var shown: [String: FileEntry?] = [:]

  fileprivate enum Kind { case snapshot, journal, history, other }

  init(_ system: any FileSystem, _ weakness: Weakness) {
    self.system = system
    self.weakness = weakness
  }

  /// A file system with a weakness, or `system` itself.
  static func on(_ system: any FileSystem, _ weakness: Weakness?) -> any FileSystem {
    weakness.map { WeakSystem(system, $0) } ?? system
  }

  /// The name that a file with a temporary name will get; nil for other names.
  private static func finalName(_ path: String) -> String? {
    path.hasSuffix(".tmp") ? String(path.dropLast(29)) : nil
  }

  fileprivate static func kind(_ path: String) -> Kind {
    let name = finalName(path) ?? path
    if name.hasSuffix(".journal") { return .journal }
    if name.hasSuffix(".history") { return .history }
    return name.hasSuffix(".realm") ? .snapshot : .other
  }

  /// Whether the file that was opened under a name has its own by now.
  fileprivate func isNamed(_ path: String) -> Bool {
    Self.finalName(path) == nil || lock.withLock { named.contains(path) }
  }

  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    if weakness == .renaming, case .creating = purpose, let name = Self.finalName(path) {
      let old = try system.entry(at: name)
      try? system.remove(name)
      let file = try system.open(name, for: purpose)
      lock.withLock { shown[name] = .some(old) }
      return file
    }
    let file = try system.open(path, for: purpose)
    if weakness == .names, Self.finalName(path) == nil {
      let entry = try system.entry(at: path)
      lock.withLock { shown[path] = .some(entry) }
    }
    guard purpose == .reading, Self.kind(path) == .journal else { return WeakFile(file, path, self) }
    switch weakness {
    case .checksums: return try WeakFile(file, path, self) { $0.believe() }
    case .seals where try system.entry(at: String(path.dropLast(8))) != nil:
      return try WeakFile(file, path, self) { $0.sealJournal(key) }
    case .pairs:
      guard try system.entry(at: String(path.dropLast(8))) != nil else { return file }
      let snapshot = try system.open(String(path.dropLast(8)), for: .reading)
      defer { snapshot.close() }
      let store = try snapshot.readAll(16..<32)
      return try WeakFile(file, path, self) { $0.setStore(store) }
    default: return WeakFile(file, path, self)
    }
  }

  func rename(_ path: String, to newPath: String) throws(FileFailure) {
    let entry = try system.entry(at: path)
    if weakness == .renaming {
      lock.withLock { shown[newPath] = nil }
    } else {
      try system.rename(path, to: newPath)
    }
    lock.withLock {
      named.insert(path)
      lastNamed = Self.kind(newPath)
      if weakness == .names { shown[newPath] = .some(entry) }
    }
  }

  func synchronizeFolder(_ path: String) throws(FileFailure) {
    let named = lock.withLock {
      defer { lastNamed = nil }
      return lastNamed
    }
    switch (weakness, named) {
    case (.snapshotName, .snapshot), (.journalName, .journal), (.historyName, .history): return
    default: try system.synchronizeFolder(path)
    }
  }

  func remove(_ path: String) throws(FileFailure) {
    if weakness == .renaming, let name = Self.finalName(path) {
      lock.withLock { shown[name] = nil }
      if try system.entry(at: path) == nil { return }
    }
    try system.remove(path)
    lock.withLock { shown[path] = nil }
  }

  func entry(at path: String) throws(FileFailure) -> FileEntry? {
    let entry = try system.entry(at: path)
    return lock.withLock { shown[path] } ?? entry
  }

  func link(_ path: String, as newPath: String) throws(FileFailure) { try system.link(path, as: newPath) }
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try system.names(in: path, beginningWith: prefix)
  }
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    system.later(in: milliseconds, work)
  }
  func resolve(_ path: String) throws(FileFailure) -> String { try system.resolve(path) }
  var processIdentifier: Int32 { system.processIdentifier }
  var key: FileKey? { system.key }
  var now: UInt64 { system.now }
  func randomBits() -> UInt64 { system.randomBits() }
}

/// A file of a `WeakSystem`.
private final class WeakFile: OpenFile {
  private let file: any OpenFile
  private let path: String
  private let system: WeakSystem
  /// What is read instead of the file's bytes.
  private let bytes: [UInt8]?

  init(_ file: any OpenFile, _ path: String, _ system: WeakSystem) {
    (self.file, self.path, self.system, bytes) = (file, path, system, nil)
  }

  /// A file of which changed bytes are read.
  init(
    _ file: any OpenFile, _ path: String, _ system: WeakSystem, _ change: (inout [UInt8]) -> Void
  ) throws(FileFailure) {
    var bytes = try file.readAll(0..<file.size())
    change(&bytes)
    (self.file, self.path, self.system, self.bytes) = (file, path, system, bytes)
  }

  var identity: FileIdentity { file.identity }
  var writesBehind: Bool { file.writesBehind }
  var workBehind: (any WorkBehind)? { file.workBehind }
  func startWriting(_ range: Range<Int>) { file.startWriting(range) }
  func close() { file.close() }

  func size() throws(FileFailure) -> Int {
    if let bytes { return bytes.count }
    return try file.size()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    guard let bytes else { return try file.read(into: buffer, at: offset) }
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try file.write(bytes, at: offset)
  }

  func truncate(to size: Int) throws(FileFailure) {
    if system.weakness == .cutting && WeakSystem.kind(path) == .journal { return }
    try file.truncate(to: size)
  }

  func synchronize() throws(FileFailure) {
    switch (system.weakness, WeakSystem.kind(path), system.isNamed(path)) {
    case (.commits, .journal, true), (.snapshotBytes, .snapshot, false), (.journalBytes, .journal, false),
      (.historyBytes, .history, false):
      return
    case (.synchronizing, .journal, _):
      do { try file.synchronize() } catch { try file.synchronize() }
    default: try file.synchronize()
    }
  }

  func lock(_ kind: LockKind) throws(FileFailure) -> Bool {
    if system.weakness == .locks { return true }
    return try file.lock(kind)
  }

  func unlock() { file.unlock() }

  func lock(byte: Int, _ kind: LockKind) throws(FileFailure) -> Bool? {
    if system.weakness == .locks { return true }
    return try file.lock(byte: byte, kind)
  }

  func isLocked(byte: Int) throws(FileFailure) -> Bool {
    if system.weakness == .locks { return false }
    return try file.isLocked(byte: byte)
  }

  func unlock(byte: Int) { file.unlock(byte: byte) }

  func unlockBytes() { file.unlockBytes() }
}

/// Forging of journals; FORMAT.md has the fields.
extension [UInt8] {
  /// Stores the correct checksums in the header and in all records of a journal.
  mutating func believe() {
    guard count >= 64 else { return }
    var chain = number(at: 60)
    let seed = chain
    // Behind the header of an encrypted file stands what it says of its key.
    var start = number(at: 12) & 2 == 0 ? 64 : 128
    if start == 128, count >= 128 { place(checksum(64..<124, after: seed), at: 124) }
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

  /// Gives a journal to another store.
  fileprivate mutating func setStore(_ store: [UInt8]) {
    guard count >= 64, store.count == 16, !self[16..<32].elementsEqual(store) else { return }
    replaceSubrange(16..<32, with: store)
    place(checksum(0..<60, after: 0), at: 60)
    believe()
  }

  /// Puts a seal behind the last whole record of a journal.
  fileprivate mutating func sealJournal(_ key: FileKey?) {
    let sealed: [UInt8]? = withUnsafeBytes { bytes in
      guard var scanner = try? JournalScanner(bytes, key: key) else { return nil }
      var (length, writer) = (scanner.length, scanner.continuation)
      while scanner.next(bytes) != nil { (length, writer) = (scanner.length, scanner.continuation) }
      switch scanner.end {
      case .clean, .torn: return (try? writer.seal()).map { bytes.prefix(length) + $0 }
      default: return nil
      }
    }
    if let sealed { self = sealed }
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
