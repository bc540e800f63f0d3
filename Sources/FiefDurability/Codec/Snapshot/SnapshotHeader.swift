import Foundation

/// The first 64 bytes of a snapshot: whose it is, and of when.
///
///     0         8        12        16             32           40        48            56          60     64
///     │FiefSnap │ format │ required│ store (UUID) │ generation │ version │ user version│ block size│ CRC │
///
/// They are cheap to read, and enough to choose among several snapshots; that the rest is sound they do not say.
public struct SnapshotHeader: Hashable, Sendable {
  /// The store that the snapshot is of: drawn when it is created, and the same in all of its files.
  public var store: UUID
  /// A number that is higher than those of the files before it; a journal that was written with it has the same. 0 for
  /// a copy.
  public var generation: UInt64
  /// The version of the graph; see `Graph.version`.
  public var version: UInt64
  /// The application's own number of its schema: what Realm calls `schemaVersion`.
  public var userVersion: UInt64
  /// How many bytes a block has, the last excepted: a power of two from 512 to 1 MiB.
  public var blockSize: UInt32

  /// The size of a block unless the caller says otherwise: 64 KiB.
  public static let usualBlockSize: UInt32 = 1 << 16

  /// A header from its parts. Traps when the block size is none of those that there are.
  public init(
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

  /// How many bytes a header has.
  public static let size = 64
  /// What a snapshot begins with.
  static let magic = FileKind.snapshotMagic
  /// The format that is written and read here.
  static let formatVersion: UInt32 = 1
  /// The features that a reader must know, as bits: none in this format.
  static let knownFlags: UInt32 = 0

  private static func isBlockSize(_ size: UInt32) -> Bool { size.nonzeroBitCount == 1 && 512...(1 << 20) ~= size }

  /// Reads the header of a snapshot; nothing behind it is looked at.
  ///
  /// - Parameter bytes: The first bytes of the file, 64 if there are so many; further ones do no harm.
  /// - Throws: `CodecError` when there is no header, or one of a newer format, or a damaged one.
  public init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) {
    self = try Self.read(bytes).header
  }

  /// Whether a file ends with a copy of a sound header, as every whole snapshot does: so one whose first bytes are
  /// damaged is told from a file that is none of ours.
  ///
  /// - Parameter bytes: The last `BlockScanner.trailerSize` bytes of the file.
  static func isRepeated(in bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == BlockScanner.trailerSize && (try? read(bytes)) != nil
  }

  /// The header, and its checksum, which is the seed of all others in the file.
  static func read(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64 = 0
  ) throws(CodecError) -> (header: SnapshotHeader, seed: UInt32) {
    try FileHeader.check(
      bytes, .snapshot, magic: magic, size: size, formatVersion: formatVersion, knownFlags: knownFlags, at: offset)
    var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)), .snapshot, at: offset)
    _ = try reader.take(16)
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

  /// Adds the header; returns its checksum.
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

/// What the headers of both kinds of file have in common: magic, format, required features, and a checksum at the end.
enum FileHeader {
  /// The last number that a generation or a version has. Both are counted up: what comes after them in a file, in a
  /// session or in the next file must not run over, so readers refuse more, and writers stop here.
  static let lastNumber: UInt64 = 1 << 62

  /// Throws unless both numbers can be counted on from.
  static func check(generation: UInt64, version: UInt64, _ reader: ByteReader) throws(CodecError) {
    guard generation <= lastNumber else { throw reader.wrong(.malformed, "generation \(generation) is none") }
    guard version <= lastNumber else { throw reader.wrong(.malformed, "version \(version) is none") }
  }

  static func write(
    to writer: ByteWriter, magic: StaticString, formatVersion: UInt32, _ body: () -> Void
  ) -> UInt32 {
    let start = writer.count
    writer.append(UnsafeRawBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
    writer.fixed(formatVersion)
    writer.fixed(0 as UInt32)
    body()
    let seed = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: writer.bytes[start...]))
    writer.fixed(seed)
    return seed
  }

  /// Throws unless a header of a known format stands there, whole. What the file is comes first, then whether it is for
  /// us, then whether it is sound: a newer format may have other checksums.
  static func check(
    _ bytes: UnsafeRawBufferPointer, _ subject: CodecError.Subject, magic: StaticString, size: Int,
    formatVersion: UInt32,
    knownFlags: UInt32, at offset: UInt64
  ) throws(CodecError) {
    if bytes.isEmpty { throw CodecError(subject, .empty, at: offset, "it is empty") }
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(size, FileKind.lookedAt)))
    let length = magic.utf8CodeUnitCount
    let isBegun = zip(bytes, UnsafeRawBufferPointer(start: magic.utf8Start, count: length)).allSatisfy { $0 == $1 }
    if bytes.count < size && isBegun {
      throw CodecError(subject, .truncated, at: offset, "the file ends within its header")
    }
    let isSound = bytes.count >= size && Self.isSound(UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
    guard isBegun else {
      let kind = FileKind(of: bytes)
      // What is otherwise a file of ours has a damaged magic.
      switch kind {
      case .unknown where Self.isNearly(bytes, magic):
        throw CodecError(
          subject, .checksum, at: offset, "the header does not have the checksum that it was written with")
      default: throw CodecError(subject, .foreign(kind), at: offset, "it is \(kind.phrase)")
      }
    }
    var reader = ByteReader(bytes, subject, at: offset)
    _ = try reader.take(length)
    let version = try reader.fixed(UInt32.self)
    let flags = try reader.fixed(UInt32.self)
    if isSound && version == formatVersion && flags & ~knownFlags == 0 { return }
    if isSound && version == formatVersion {
      throw CodecError(
        subject, .newerFormat, at: offset + 12,
        "it needs features (\(String(flags, radix: 16))) that are not known here")
    }
    // A header of a format to come may be longer and checked otherwise; one flipped bit must not look like one.
    if version != formatVersion && !Self.isOneFlip(UnsafeRawBufferPointer(rebasing: bytes.prefix(size))) {
      throw CodecError(
        subject, .newerFormat, at: offset + 8, "it has format \(version), and the newest known here is \(formatVersion)"
      )
    }
    throw CodecError(subject, .checksum, at: offset, "the header does not have the checksum that it was written with")
  }

  private static func isSound(_ header: UnsafeRawBufferPointer) -> Bool { syndrome(header) == 0 }

  /// Whether the header is what it was but for one bit.
  private static func isOneFlip(_ header: UnsafeRawBufferPointer) -> Bool {
    CRC32C.flippedBit(syndrome: syndrome(header), count: header.count - 4) != nil
  }

  private static func syndrome(_ header: UnsafeRawBufferPointer) -> UInt32 {
    CRC32C.checksum(UnsafeRawBufferPointer(rebasing: header.dropLast(4)))
      ^ UInt32(littleEndian: header.loadUnaligned(fromByteOffset: header.count - 4, as: UInt32.self))
  }

  /// Whether the file begins with the magic but for a bit or two.
  private static func isNearly(_ bytes: UnsafeRawBufferPointer, _ magic: StaticString) -> Bool {
    let length = magic.utf8CodeUnitCount
    guard bytes.count >= length else { return false }
    return (0..<length).reduce(0) { $0 + (bytes[$1] ^ magic.utf8Start[$1]).nonzeroBitCount } <= 2
  }
}
