import Foundation

/// The first 64 bytes of a history: its store, and the version from which its changes lead back.
///
///     0         8        12        16             32           40        48       56      60    64
///     │FiefHist │ format │ required│ store (UUID) │ generation │ version │ oldest │ zeros │ CRC │
package struct HistoryHeader: Hashable, Sendable {
  /// The store; see `SnapshotHeader.store`.
  package var store: UUID
  /// The generation of the snapshot that was written after it.
  package var generation: UInt64
  /// The version of that snapshot. The first record leads to the version before it.
  package var version: UInt64
  /// The version of the last record; equal to `version` if there are no records.
  package var oldest: UInt64

  /// Creates a header from its parts.
  package init(store: UUID, generation: UInt64, version: UInt64, oldest: UInt64) {
    assert(oldest <= version, "A history leads to earlier versions.")
    self.store = store
    self.generation = generation
    self.version = version
    self.oldest = oldest
  }

  /// The size of a header in bytes.
  static let size = 64
  /// The first bytes of a history.
  static let magic = FileKind.historyMagic
  /// The format version that this library writes and reads.
  static let formatVersion: UInt32 = 1
  /// The feature bits that this reader knows: none in this format.
  static let knownFlags: UInt32 = 0

  /// Reads the header and its checksum, which is the seed of all others in the file.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> (header: HistoryHeader, seed: UInt32) {
    try unsafe FileHeader.check(
      bytes, .history, magic: magic, size: size, formatVersion: formatVersion, knownFlags: knownFlags, at: 0)
    var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), .history)
    _ = try unsafe reader.read(16)
    let store = try reader.uuid()
    let generation = try reader.fixed(UInt64.self)
    let version = try reader.fixed(UInt64.self)
    let oldest = try reader.fixed(UInt64.self)
    try FileHeader.check(generation: generation, version: version, reader)
    guard oldest <= version, try reader.fixed(UInt32.self) == 0 else {
      throw reader.wrong(.malformed, "the header says what no history can")
    }
    return (
      HistoryHeader(store: store, generation: generation, version: version, oldest: oldest),
      try reader.fixed(UInt32.self)
    )
  }

  /// Appends the header; returns its checksum.
  func write(to writer: ByteWriter) -> UInt32 {
    FileHeader.write(to: writer, magic: Self.magic, formatVersion: Self.formatVersion) {
      writer.uuid(store)
      writer.fixed(generation)
      writer.fixed(version)
      writer.fixed(oldest)
      writer.fixed(0 as UInt32)
    }
  }
}
