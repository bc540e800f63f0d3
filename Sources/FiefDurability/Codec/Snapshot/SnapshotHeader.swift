import Foundation

/// The first 64 bytes of a snapshot: its store, generation and version.
///
///     0         8        12        16             32           40        48            56          60     64
///     │FiefSnap │ format │ required│ store (UUID) │ generation │ version │ user version│ block size│ CRC │
///
/// They are cheap to read, and sufficient to choose among several snapshots. They do not show whether the rest is
/// sound.
package struct SnapshotHeader: KindHeader, Hashable, Sendable {
  /// The store of the snapshot: drawn when it is created, and equal in all of its files.
  package var store: UUID
  /// A number that is higher than those of the files before it. A journal that was written with it has the same number.
  /// A copy has 0.
  package var generation: UInt64
  /// The version of the graph; see `Graph.version`.
  package var version: UInt64
  /// The application's own number of its schema: Realm's `schemaVersion`.
  package var userVersion: UInt64
  /// The size of all blocks but the last, in bytes: a power of two from 512 to 1 MiB.
  package var blockSize: UInt32
  /// The mark of the key; nil for a plain file. Writers set it.
  package internal(set) var key: KeyMark?

  /// The default size of a block: 64 KiB.
  package static let usualBlockSize: UInt32 = 1 << 16

  /// Creates a header from its parts. Traps if the block size is not valid.
  package init(
    store: UUID, generation: UInt64, version: UInt64, userVersion: UInt64,
    blockSize: UInt32 = SnapshotHeader.usualBlockSize
  ) {
    guard Self.isBlockSize(blockSize) else { fatalError("A snapshot cannot have blocks of \(blockSize) bytes.") }
    self.store = store
    self.generation = generation
    self.version = version
    self.userVersion = userVersion
    self.blockSize = blockSize
  }

  /// The size of a header in bytes.
  package static let size = FileHeader.size
  static let subject = CodecError.Subject.snapshot
  /// The first bytes of a snapshot.
  static let magic = FileKind.snapshotMagic

  private static func isBlockSize(_ size: UInt32) -> Bool { size.nonzeroBitCount == 1 && 512...(1 << 20) ~= size }

  /// Reads the header of a snapshot; ignores the bytes behind it.
  ///
  /// - Parameter bytes: The first bytes of the file, 64 if it has as many; further ones are ignored.
  /// - Throws: `CodecError` when the header is missing, of a newer format, or damaged.
  package init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) {
    self = try unsafe Self.read(bytes).header
  }

  /// The number of bytes before the first block.
  package var length: Int { FileHeader.size(with: key) }

  /// Whether a file ends with a copy of a sound header, as every whole snapshot does. This distinguishes a snapshot
  /// with damaged first bytes from a file of another kind.
  ///
  /// - Parameter bytes: The last `BlockScanner.trailerSize` bytes of the file.
  static func isRepeated(in bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.count == BlockScanner.trailerSize && (try? read(bytes, isCopy: true)) != nil
  }

  /// Reads the header and its checksum, which is the seed of all others in the file.
  static func read(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64 = 0, isCopy: Bool = false
  ) throws(CodecError) -> (header: SnapshotHeader, seed: UInt32) {
    let (fields, seed) = try unsafe FileHeader.read(bytes, .snapshot, magic: magic, at: offset, isCopy: isCopy)
    guard isBlockSize(fields.last) else {
      throw CodecError(in: .snapshot, .malformed, at: offset + 60, "blocks cannot have \(fields.last) bytes")
    }
    var header = SnapshotHeader(
      store: fields.store, generation: fields.generation, version: fields.version, userVersion: fields.number,
      blockSize: fields.last)
    header.key = fields.key
    return (header, seed)
  }

  /// Appends the header; returns its checksum.
  ///
  /// - Parameter isCopy: Whether it is the copy at the end of the file.
  func write(to writer: ByteWriter, isCopy: Bool = false) -> UInt32 {
    fields.write(to: writer, magic: Self.magic, isCopy: isCopy)
  }

  var fields: FileHeader {
    FileHeader(
      store: store, generation: generation, version: version, number: userVersion, last: blockSize, key: key)
  }
}
