import Foundation

/// The first 64 bytes of a journal: whose it is, and which snapshot it goes on from.
///
///     0         8        12        16             32           40       48         60    64
///     │FiefJrnl │ format │ required│ store (UUID) │ generation │ commit │ zeros    │ CRC │
public struct JournalHeader: Hashable, Sendable {
  /// The store; see `SnapshotHeader.store`.
  public var store: UUID
  /// A number that is higher than those of the journals before it. A snapshot that was written with it has the same.
  public var generation: UInt64
  /// The number of the last commit that the snapshot holds: its `version`. The first record is the one after.
  public var base: UInt64

  /// A header from its parts.
  public init(store: UUID, generation: UInt64, base: UInt64) {
    self.store = store
    self.generation = generation
    self.base = base
  }

  /// How many bytes a header has.
  public static let size = 64
  /// What a journal begins with.
  static let magic = FileKind.journalMagic
  /// The format that is written and read here.
  static let formatVersion: UInt32 = 1
  /// The features that a reader must know, as bits: none in this format.
  static let knownFlags: UInt32 = 0

  /// Reads the header of a journal; nothing behind it is looked at.
  ///
  /// - Parameter bytes: The first bytes of the file, 64 if there are so many; further ones do no harm.
  /// - Throws: `CodecError`: `.empty`, `.truncated` and `.foreign(.zeros)` are what a creation leaves that was cut
  ///   short.
  public init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) { self = try Self.read(bytes).header }

  /// The header, and its checksum, which is the seed of all others in the file.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> (header: JournalHeader, seed: UInt32) {
    try FileHeader.check(
      bytes, .journal, magic: magic, size: size, formatVersion: formatVersion, knownFlags: knownFlags, at: 0)
    var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), .journal)
    _ = try reader.take(16)
    let store = try reader.uuid()
    let generation = try reader.fixed(UInt64.self)
    let base = try reader.fixed(UInt64.self)
    try FileHeader.check(generation: generation, version: base, reader)
    if try reader.take(12).contains(where: { $0 != 0 }) {
      throw reader.wrong(.malformed, "the header says more than this format does")
    }
    return (JournalHeader(store: store, generation: generation, base: base), try reader.fixed(UInt32.self))
  }

  /// The bytes of the header, and its checksum.
  func write(to writer: ByteWriter) -> UInt32 {
    FileHeader.write(to: writer, magic: Self.magic, formatVersion: Self.formatVersion) {
      writer.uuid(store)
      writer.fixed(generation)
      writer.fixed(base)
      for _ in 0..<3 { writer.fixed(0 as UInt32) }
    }
  }
}
