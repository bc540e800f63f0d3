import Foundation

/// The first 64 bytes of a snapshot: its store, generation and version.
///
///     0         8        12        16             32           40        48            56          60     64
///     │FiefSnap │ format │ required│ store (UUID) │ generation │ version │ user version│ block size│ CRC │
///
/// They are cheap to read, and sufficient to choose among several snapshots. They do not show whether the rest is
/// sound.
package struct SnapshotHeader: Hashable, Sendable {
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
  package static let size = 64
  /// The first bytes of a snapshot.
  static let magic = FileKind.snapshotMagic
  /// The format version that this library writes and reads.
  static let formatVersion: UInt32 = 1
  /// The feature bits that this reader knows: none in this format.
  static let knownFlags: UInt32 = 0

  private static func isBlockSize(_ size: UInt32) -> Bool { size.nonzeroBitCount == 1 && 512...(1 << 20) ~= size }

  /// Reads the header of a snapshot; ignores the bytes behind it.
  ///
  /// - Parameter bytes: The first bytes of the file, 64 if it has as many; further ones are ignored.
  /// - Throws: `CodecError` when the header is missing, of a newer format, or damaged.
  package init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) {
    self = try unsafe Self.read(bytes).header
  }

  /// Whether a file ends with a copy of a sound header, as every whole snapshot does. This distinguishes a snapshot
  /// with damaged first bytes from a file of another kind.
  ///
  /// - Parameter bytes: The last `BlockScanner.trailerSize` bytes of the file.
  static func isRepeated(in bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.count == BlockScanner.trailerSize && (try? read(bytes)) != nil
  }

  /// Reads the header and its checksum, which is the seed of all others in the file.
  static func read(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64 = 0
  ) throws(CodecError) -> (header: SnapshotHeader, seed: UInt32) {
    try unsafe FileHeader.check(
      bytes, .snapshot, magic: magic, size: size, formatVersion: formatVersion, knownFlags: knownFlags, at: offset)
    var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), .snapshot, at: offset)
    _ = try unsafe reader.read(16)
    let store = try reader.uuid()
    let generation = try reader.fixed(UInt64.self)
    let version = try reader.fixed(UInt64.self)
    let userVersion = try reader.fixed(UInt64.self)
    let blockSize = try reader.fixed(UInt32.self)
    try FileHeader.check(generation: generation, version: version, reader)
    guard isBlockSize(blockSize) else { throw reader.wrong(.malformed, "blocks cannot have \(blockSize) bytes") }
    let header = SnapshotHeader(
      store: store, generation: generation, version: version, userVersion: userVersion, blockSize: blockSize)
    return (header, try reader.fixed(UInt32.self))
  }

  /// Appends the header; returns its checksum.
  func write(to writer: ByteWriter) -> UInt32 {
    FileHeader.write(to: writer, magic: Self.magic, formatVersion: Self.formatVersion) {
      writer.uuid(store)
      writer.fixed(generation)
      writer.fixed(version)
      writer.fixed(userVersion)
      writer.fixed(blockSize)
    }
  }
}

/// The common parts of all kinds of header: magic, format, required features, and a checksum at the end.
enum FileHeader {
  /// The highest generation or version. Both are counted up, in a file, in a session and in the next file, and must not
  /// overflow. So readers refuse higher numbers, and writers stop here.
  static let lastNumber: UInt64 = 1 << 62

  /// Throws if one of the numbers is too high.
  static func check(generation: UInt64, version: UInt64, _ reader: ByteReader) throws(CodecError) {
    guard generation <= lastNumber else { throw reader.wrong(.malformed, "generation \(generation) is none") }
    guard version <= lastNumber else { throw reader.wrong(.malformed, "version \(version) is none") }
  }

  static func write(
    to writer: ByteWriter, magic: StaticString, formatVersion: UInt32, flags: UInt32 = 0, _ body: () -> Void
  ) -> UInt32 {
    let start = writer.count
    unsafe writer.append(UnsafeRawBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
    writer.fixed(formatVersion)
    writer.fixed(flags)
    body()
    let seed = unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: writer.bytes[start...]))
    writer.fixed(seed)
    return seed
  }

  /// Throws unless `bytes` begins with a whole header of a known format. The kind of the file is checked first, then
  /// the format, then the checksum: a newer format may have other checksums.
  static func check(
    _ bytes: UnsafeRawBufferPointer, _ subject: CodecError.Subject, magic: StaticString, size: Int,
    formatVersion: UInt32,
    knownFlags: UInt32, at offset: UInt64
  ) throws(CodecError) {
    if unsafe bytes.isEmpty { throw CodecError(in: subject, .empty, at: offset, "it is empty") }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(size, FileKind.inspectedLength)))
    let length = magic.utf8CodeUnitCount
    let isBegun = unsafe zip(bytes, UnsafeRawBufferPointer(start: magic.utf8Start, count: length)).allSatisfy {
      $0 == $1
    }
    if bytes.count < size && isBegun {
      throw CodecError(in: subject, .truncated, at: offset, "the file ends within its header")
    }
    let isSound = unsafe bytes.count >= size && Self.isSound(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
    guard isBegun else {
      let kind = unsafe FileKind(of: bytes)
      // A file that is unknown, but almost begins with the magic, has a damaged magic.
      switch kind {
      case .unknown where unsafe Self.isNearly(bytes, magic):
        throw CodecError(
          in: subject, .checksum, at: offset, "the header does not have the checksum that it was written with")
      default: throw CodecError(in: subject, .foreign(kind), at: offset, "it is \(kind.phrase)")
      }
    }
    var reader = unsafe ByteReader(bytes, subject, at: offset)
    _ = try unsafe reader.read(length)
    let version = try reader.fixed(UInt32.self)
    let flags = try reader.fixed(UInt32.self)
    if isSound && version == formatVersion && flags & ~knownFlags == 0 { return }
    if isSound && version == formatVersion {
      throw CodecError(
        in: subject, .newerFormat, at: offset + 12,
        "it needs features (\(String(flags, radix: 16))) that are not known here")
    }
    // A header of a later format may be longer and have another checksum. A flipped bit must not be reported as a later
    // format.
    if unsafe version != formatVersion && !Self.isOneFlip(UnsafeRawBufferPointer(rebasing: bytes.prefix(size))) {
      throw CodecError(
        in: subject, .newerFormat, at: offset + 8,
        "it has format \(version), and the newest known here is \(formatVersion)"
      )
    }
    throw CodecError(
      in: subject, .checksum, at: offset, "the header does not have the checksum that it was written with")
  }

  private static func isSound(_ header: UnsafeRawBufferPointer) -> Bool { unsafe syndrome(header) == 0 }

  /// Whether the header has a single flipped bit.
  private static func isOneFlip(_ header: UnsafeRawBufferPointer) -> Bool {
    unsafe CRC32C.flippedBit(syndrome: syndrome(header), count: header.count - 4) != nil
  }

  private static func syndrome(_ header: UnsafeRawBufferPointer) -> UInt32 {
    unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: header.dropLast(4)))
      ^ UInt32(littleEndian: header.loadUnaligned(fromByteOffset: header.count - 4, as: UInt32.self))
  }

  /// Whether the file begins with the magic, except for at most two bits.
  private static func isNearly(_ bytes: UnsafeRawBufferPointer, _ magic: StaticString) -> Bool {
    let length = magic.utf8CodeUnitCount
    guard bytes.count >= length else { return false }
    return (0..<length).reduce(0) { unsafe $0 + (bytes[$1] ^ magic.utf8Start[$1]).nonzeroBitCount } <= 2
  }
}
