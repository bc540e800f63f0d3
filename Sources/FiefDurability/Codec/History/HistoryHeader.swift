import Foundation

/// The first 64 bytes of a history: its store, and the version from which its changes lead back.
///
///     0         8        12        16             32           40        48       56      60    64
///     │FiefHist │ format │ required│ store (UUID) │ generation │ version │ oldest │ zeros │ CRC │
package struct HistoryHeader: KindHeader, Hashable, Sendable {
  /// The store; see `SnapshotHeader.store`.
  package var store: UUID
  /// The generation of the snapshot that was written after it.
  package var generation: UInt64
  /// The version of that snapshot. The first record leads to the version before it.
  package var version: UInt64
  /// The version of the last record; equal to `version` if there are no records.
  package var oldest: UInt64
  /// The mark of the key; nil for a plain file. Writers set it.
  package internal(set) var key: KeyMark?

  /// Creates a header from its parts.
  package init(store: UUID, generation: UInt64, version: UInt64, oldest: UInt64) {
    assert(oldest <= version, "A history leads to earlier versions.")
    self.store = store
    self.generation = generation
    self.version = version
    self.oldest = oldest
  }

  /// The number of bytes before the first record.
  var length: Int { FileHeader.size(with: key) }
  static let subject = CodecError.Subject.history
  /// The first bytes of a history.
  static let magic = FileKind.historyMagic

  /// Reads the header and its checksum, which is the seed of all others in the file.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> (header: HistoryHeader, seed: UInt32) {
    let (fields, seed) = try unsafe FileHeader.read(bytes, .history, magic: magic)
    guard fields.number <= fields.version, fields.last == 0 else {
      throw CodecError(in: .history, .malformed, at: 60, "the header says what no history can")
    }
    var header = HistoryHeader(
      store: fields.store, generation: fields.generation, version: fields.version, oldest: fields.number)
    header.key = fields.key
    return (header, seed)
  }

  /// Appends the header; returns its checksum.
  func write(to writer: ByteWriter) -> UInt32 { fields.write(to: writer, magic: Self.magic) }

  var fields: FileHeader {
    FileHeader(store: store, generation: generation, version: version, number: oldest, key: key)
  }
}
