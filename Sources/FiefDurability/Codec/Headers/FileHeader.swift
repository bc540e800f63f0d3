import Foundation

/// The form of all kinds of header: 64 bytes.
///
///     0      8        12         16             32           40        48       56     60    64
///     │magic │ format │ required │ store (UUID) │ generation │ version │ number │ last │ CRC │
///
/// In an encrypted file 64 bytes follow that say which key it has (`KeyMark`).
struct FileHeader {
  /// The bits of required features.
  var flags: UInt32 = 0
  var store: UUID
  var generation: UInt64
  var version: UInt64
  var number: UInt64
  var last: UInt32 = 0
  /// The mark of the file's key; nil for a plain file.
  var key: KeyMark?

  /// The size of a header in bytes, without the part on a key behind it.
  static let size = 64
  /// The bit of an encrypted file.
  private static let encryptedFlag: UInt32 = 2
  /// The format version that this library writes and reads, of all kinds.
  private static let formatVersion: UInt32 = 1

  /// The highest generation or version. Both are counted up, in a file, in a session and in the next file, and must not
  /// overflow. So readers refuse higher numbers, and writers stop here.
  static let lastNumber: UInt64 = 1 << 62

  /// Reads a header and its checksum, which is the seed of all others in the file.
  ///
  /// - Parameters:
  ///   - magic: the first bytes of the kind.
  ///   - knownFlags: the feature bits that the reader knows, besides that of an encrypted file.
  ///   - offset: where `bytes` are in the file.
  ///   - isCopy: whether they are a copy at the end of a file, without the part on the key.
  static func read(
    _ bytes: UnsafeRawBufferPointer, _ subject: CodecError.Subject, magic: StaticString, knownFlags: UInt32 = 0,
    at offset: UInt64 = 0, isCopy: Bool = false
  ) throws(CodecError) -> (fields: FileHeader, seed: UInt32) {
    try unsafe check(bytes, subject, magic: magic, knownFlags: knownFlags | encryptedFlag, at: offset)
    var reader = unsafe ByteReader(
      UnsafeRawBufferPointer(rebasing: bytes.prefix(size + KeyMark.size)), subject, at: offset)
    _ = try unsafe reader.read(12)
    let flags = try reader.fixed(UInt32.self)
    let store = try reader.uuid()
    let generation = try reader.fixed(UInt64.self)
    let version = try reader.fixed(UInt64.self)
    guard generation <= lastNumber else { throw reader.wrong(.malformed, "generation \(generation) is none") }
    guard version <= lastNumber else { throw reader.wrong(.malformed, "version \(version) is none") }
    let number = try reader.fixed(UInt64.self)
    let last = try reader.fixed(UInt32.self)
    let seed = try reader.fixed(UInt32.self)
    var key: KeyMark?
    if flags & encryptedFlag != 0 { key = isCopy ? .notRepeated : try KeyMark(&reader, after: seed) }
    let fields = FileHeader(
      flags: flags & ~encryptedFlag, store: store, generation: generation, version: version, number: number,
      last: last, key: key)
    return (fields, seed)
  }

  /// Appends the header; returns its checksum.
  ///
  /// - Parameter isCopy: Whether it is a copy, without the part on the key.
  func write(to writer: ByteWriter, magic: StaticString, isCopy: Bool = false) -> UInt32 {
    let start = writer.count
    unsafe writer.append(UnsafeRawBufferPointer(start: magic.utf8Start, count: magic.utf8CodeUnitCount))
    writer.fixed(Self.formatVersion)
    writer.fixed(flags | (key == nil ? 0 : Self.encryptedFlag))
    writer.uuid(store)
    writer.fixed(generation)
    writer.fixed(version)
    writer.fixed(number)
    writer.fixed(last)
    let seed = unsafe CRC32C.checksum(UnsafeRawBufferPointer(rebasing: writer.bytes[start...]))
    writer.fixed(seed)
    assert(writer.count == start + Self.size, "All headers have one size.")
    if !isCopy { key?.write(to: writer, after: seed) }
    return seed
  }

  /// The 64 bytes of the header.
  func bytes(magic: StaticString) -> [UInt8] {
    let writer = ByteWriter()
    _ = write(to: writer, magic: magic, isCopy: true)
    return unsafe [UInt8](writer.bytes)
  }

  /// The size of a header, and of the part on a key behind it.
  static func size(with key: KeyMark?) -> Int { size + (key == nil ? 0 : KeyMark.size) }

  /// Throws unless `bytes` begins with a whole header of a known format. The kind of the file is checked first, then
  /// the format, then the checksum: a newer format may have other checksums.
  private static func check(
    _ bytes: UnsafeRawBufferPointer, _ subject: CodecError.Subject, magic: StaticString, knownFlags: UInt32,
    at offset: UInt64
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

/// The header of one kind of file.
protocol KindHeader {
  /// The kind.
  static var subject: CodecError.Subject { get }
  /// The first bytes of the kind.
  static var magic: StaticString { get }
  /// The bytes of the file.
  var fields: FileHeader { get }
  /// The mark of the file's key; nil for a plain file.
  var key: KeyMark? { get set }
}

extension KindHeader {
  /// The header of a file with a key, and the cipher for writing it; the same header and nil for no key.
  func keyed(_ key: FileKey?) -> (header: Self, cipher: ContentCipher?) {
    var header = self
    header.key = key?.mark
    return (header, key.map { ContentCipher($0, header: header.fields.bytes(magic: Self.magic)) })
  }

  /// The cipher for reading the file; nil for a plain one.
  ///
  /// - Throws: `CodecError.Code.wrongKey` if the key is not that of the file.
  func cipher(reading key: FileKey?) throws(CodecError) -> ContentCipher? {
    try ContentCipher.reading(self.key, key, Self.subject) { fields.bytes(magic: Self.magic) }
  }
}
