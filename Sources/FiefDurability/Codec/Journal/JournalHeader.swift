import Foundation

/// The first 64 bytes of a journal: its store, and the commit that its records follow.
///
///     0         8        12        16             32           40       48        56      60    64
///     │FiefJrnl │ format │ required│ store (UUID) │ generation │ commit │ history │ zeros │ CRC │
package struct JournalHeader: Hashable, Sendable {
  /// The store; see `SnapshotHeader.store`.
  package var store: UUID
  /// A number that is higher than those of the journals before it. A snapshot that was written with it has the same
  /// number.
  package var generation: UInt64
  /// The number of the last commit before the first record; at most the snapshot's `version`.
  package var base: UInt64
  /// Whether each commit has its time, by which a history is limited.
  package var isTimed: Bool
  /// The generation of the history file that was written before the journal; 0 if there is none.
  package var history: UInt64

  /// Creates a header from its parts. Traps if a journal without times has a history.
  package init(store: UUID, generation: UInt64, base: UInt64, isTimed: Bool = false, history: UInt64 = 0) {
    assert(isTimed || history == 0, "A store that keeps versions writes times.")
    self.store = store
    self.generation = generation
    self.base = base
    self.isTimed = isTimed
    self.history = history
  }

  /// The size of a header in bytes.
  package static let size = 64
  /// The first bytes of a journal.
  static let magic = FileKind.journalMagic
  /// The format version that this library writes and reads.
  static let formatVersion: UInt32 = 1
  /// The feature bit of a journal whose commits have their times.
  static let timedFlag: UInt32 = 1
  /// The feature bits that this reader knows.
  static let knownFlags = timedFlag

  /// Reads the header of a journal; ignores the bytes behind it.
  ///
  /// - Parameter bytes: The first bytes of the file, 64 if it has as many; further ones are ignored.
  /// - Throws: `CodecError`. An interrupted creation leaves a file with the error `.empty`, `.truncated` or
  ///   `.foreign(.zeros)`.
  package init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) { self = try unsafe Self.read(bytes).header }

  /// Reads the header and its checksum, which is the seed of all others in the file.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> (header: JournalHeader, seed: UInt32) {
    try unsafe FileHeader.check(
      bytes, .journal, magic: magic, size: size, formatVersion: formatVersion, knownFlags: knownFlags, at: 0)
    var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), .journal)
    _ = try unsafe reader.read(12)
    let isTimed = try reader.fixed(UInt32.self) & timedFlag != 0
    let store = try reader.uuid()
    let generation = try reader.fixed(UInt64.self)
    let base = try reader.fixed(UInt64.self)
    try FileHeader.check(generation: generation, version: base, reader)
    let history = try reader.fixed(UInt64.self)
    guard try reader.fixed(UInt32.self) == 0, history == 0 || isTimed && history <= FileHeader.lastNumber else {
      throw reader.wrong(.malformed, "the header says more than this format does")
    }
    return (
      JournalHeader(store: store, generation: generation, base: base, isTimed: isTimed, history: history),
      try reader.fixed(UInt32.self)
    )
  }

  /// Appends the header; returns its checksum.
  func write(to writer: ByteWriter) -> UInt32 {
    let flags = isTimed ? Self.timedFlag : 0
    return FileHeader.write(to: writer, magic: Self.magic, formatVersion: Self.formatVersion, flags: flags) {
      writer.uuid(store)
      writer.fixed(generation)
      writer.fixed(base)
      writer.fixed(history)
      writer.fixed(0 as UInt32)
    }
  }
}
