import Foundation

/// The first 64 bytes of a journal: its store, and the commit that its records follow.
///
///     0         8        12        16             32           40       48        56      60    64
///     │FiefJrnl │ format │ required│ store (UUID) │ generation │ commit │ history │ zeros │ CRC │
package struct JournalHeader: KindHeader, Hashable, Sendable {
  /// The store; see `SnapshotHeader.store`.
  package var store: UUID
  /// A number that is higher than those of the journals before it. A snapshot that was written with it has the same
  /// number.
  package var generation: UInt64
  /// The number of the last commit before the first record; at most the snapshot's `version`.
  package var base: UInt64
  /// Whether each commit has its time, by which a history is limited.
  package var isTimed: Bool
  /// The generation of the history file that was written before the journal; 0 without one.
  package var history: UInt64
  /// The mark of the key; nil for a plain file. Writers set it.
  package internal(set) var key: KeyMark?

  /// Creates a header from its parts. Traps if a journal without times has a history.
  package init(store: UUID, generation: UInt64, base: UInt64, isTimed: Bool = false, history: UInt64 = 0) {
    assert(isTimed || history == 0, "A store that keeps versions writes times.")
    self.store = store
    self.generation = generation
    self.base = base
    self.isTimed = isTimed
    self.history = history
  }

  /// The size of a plain file's header in bytes.
  package static let size = FileHeader.size
  /// The number of bytes before the first record.
  package var length: Int { FileHeader.size(with: key) }
  static let subject = CodecError.Subject.journal
  /// The first bytes of a journal.
  static let magic = FileKind.journalMagic
  /// The feature bit of a journal whose commits have their times.
  private static let timedFlag: UInt32 = 1

  /// Reads the header and its checksum, which is the seed of all others in the file.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> (header: JournalHeader, seed: UInt32) {
    let (fields, seed) = try unsafe FileHeader.read(bytes, .journal, magic: magic, knownFlags: timedFlag)
    let isTimed = fields.flags & timedFlag != 0
    let history = fields.number
    guard fields.last == 0, history == 0 || isTimed && history <= FileHeader.lastNumber else {
      throw CodecError(in: .journal, .malformed, at: 60, "the header says more than this format does")
    }
    var header = JournalHeader(
      store: fields.store, generation: fields.generation, base: fields.version, isTimed: isTimed, history: history)
    header.key = fields.key
    return (header, seed)
  }

  /// Appends the header; returns its checksum.
  func write(to writer: ByteWriter) -> UInt32 { fields.write(to: writer, magic: Self.magic) }

  var fields: FileHeader {
    FileHeader(
      flags: isTimed ? Self.timedFlag : 0, store: store, generation: generation, version: base, number: history,
      key: key)
  }
}
