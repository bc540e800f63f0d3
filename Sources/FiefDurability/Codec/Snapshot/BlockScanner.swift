/// Checks the blocks of a snapshot, one after the other.
///
/// It is a value: a copy made between two blocks can continue from there. All reading of snapshots uses it.
package struct BlockScanner {
  /// A block with a correct checksum.
  @safe  // It passes a part of the caller's buffer on, or of its own; each use of the part is marked.
  package struct Block {
    /// The block's part of the pieces.
    package let payload: UnsafeRawBufferPointer
    /// The offset of the part in the file.
    package let payloadOffset: UInt64
    /// The position in the part of the first piece that begins in it; nil if no piece begins in it.
    let firstPiece: Int?
    package let isLast: Bool
    /// Keeps the bytes of an encrypted block's part. So the block must be kept while they are used.
    private let owner: ByteWriter?

    init(
      payload: UnsafeRawBufferPointer, payloadOffset: UInt64, firstPiece: Int?, isLast: Bool, owner: ByteWriter?
    ) {
      unsafe self.payload = payload
      self.payloadOffset = payloadOffset
      self.firstPiece = firstPiece
      self.isLast = isLast
      self.owner = owner
    }

    /// The fault of a block whose first piece begins at another position than it says.
    var misplacesFirstPiece: CodecError {
      CodecError(in: .snapshot, .malformed, at: payloadOffset, "the block begins its first piece elsewhere")
    }
  }

  /// The size of the end: the copy of the header, the digest of all bytes before it, its checksum, and the end mark.
  package static let trailerSize = SnapshotHeader.size + 16

  package let header: SnapshotHeader
  /// Decrypts the parts of blocks; nil in a plain file.
  private let cipher: ContentCipher?
  private let seed: UInt32
  private var hash = XXH64()
  /// The offset in the file of the next block, or of the end behind the last block.
  package private(set) var offset: UInt64
  package private(set) var index: UInt64 = 0
  /// Whether the last block was read.
  package private(set) var isAtEnd = false

  /// Starts with the header of a snapshot.
  ///
  /// - Parameters:
  ///   - first: The first bytes of the file; those behind the header are ignored.
  ///   - key: The key of the file; nil for a plain one.
  package init(_ first: UnsafeRawBufferPointer, key: FileKey? = nil) throws(CodecError) {
    (header, seed) = try unsafe SnapshotHeader.read(first)
    cipher = try header.cipher(reading: key)
    offset = UInt64(header.length)
    unsafe hash.update(UnsafeRawBufferPointer(rebasing: first.prefix(header.length)))
  }

  /// Checks the next block.
  ///
  /// - Parameter bytes: A whole block, or, if the file has fewer bytes before its last 80, those bytes.
  package mutating func next(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Block {
    let block = try unsafe Self.block(bytes, header, by: cipher, seed: seed, index: index, at: offset)
    unsafe hash.update(bytes)
    offset += UInt64(bytes.count)
    index += 1
    isAtEnd = block.isLast
    return block
  }

  /// Checks a block, whatever was checked before it.
  ///
  /// - Parameters:
  ///   - isLast: Whether it must be the last one.
  ///   - buffer: Gets its bytes if they are read from a file.
  func block(
    _ index: UInt64, in blocks: SnapshotBlocks, isLast: Bool, _ buffer: ByteWriter
  ) throws(CodecError) -> Block {
    let offset = UInt64(header.length) + index * UInt64(header.blockSize)
    let bytes = try unsafe blocks.block(index, of: header, buffer)
    let block = try unsafe Self.block(bytes, header, by: cipher, seed: seed, index: index, at: offset)
    if block.isLast != isLast {
      throw CodecError(in: .snapshot, .malformed, at: offset, "another block is the last")
    }
    return block
  }

  /// Goes on behind all blocks, which others check.
  mutating func pass(_ count: Int, in blocks: SnapshotBlocks) throws(CodecError) {
    let buffer = ByteWriter()
    for index in 0..<UInt64(count) {
      let bytes = try unsafe blocks.block(index, of: header, buffer)
      unsafe hash.update(bytes)
      offset += UInt64(bytes.count)
    }
    index += UInt64(count)
    isAtEnd = true
  }

  /// Checks the bytes behind the last block, to the end of the file.
  package mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var reader = unsafe ByteReader(bytes, .snapshot, at: offset)
    var (copy, _) = try unsafe SnapshotHeader.read(try reader.read(SnapshotHeader.size), at: offset, isCopy: true)
    if copy.key != nil { copy.key = header.key }
    if copy != header { throw reader.wrong(.malformed, "the copy of the header is another") }
    let digest = try reader.fixed(UInt64.self)
    let crc = unsafe withUnsafeBytes(of: digest.littleEndian) {
      unsafe CRC32C.checksum($0, after: BlockWriter.seed(index, after: seed))
    }
    if try reader.fixed(UInt32.self) != crc {
      throw reader.wrong(.checksum, "the end does not have the checksum that it was written with")
    }
    if try reader.fixed(UInt32.self) != BlockWriter.endMark {
      throw reader.wrong(.checksum, "the mark of the end is missing")
    }
    if digest != hash.digest {
      throw reader.wrong(.checksum, "the whole does not have the digest that it was written with")
    }
    offset += UInt64(reader.position)
    if reader.left > 0 { throw reader.wrong(.trailing, "there are bytes behind its end") }
  }

  /// Checks the block in `bytes`. They may be fewer than a full block only if the block is the last.
  ///
  /// - Parameter cipher: Decrypts the part. Without one, that of an encrypted block stays encrypted.
  static func block(
    _ bytes: UnsafeRawBufferPointer, _ header: SnapshotHeader, by cipher: ContentCipher?, seed: UInt32, index: UInt64,
    at offset: UInt64
  ) throws(CodecError) -> Block {
    func wrong(_ code: CodecError.Code, _ reason: String) -> CodecError {
      CodecError(in: .snapshot, code, at: offset, reason)
    }
    var reader = unsafe ByteReader(bytes, .snapshot, at: offset)
    let crc = try reader.fixed(UInt32.self)
    let lengthAndFlag = try reader.fixed(UInt32.self)
    var first = try reader.fixed(UInt32.self)
    var payload = try unsafe reader.read(reader.left)
    let covered = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(4))
    guard unsafe CRC32C.checksum(covered, after: BlockWriter.seed(index, after: seed)) == crc else {
      // A file that was cut ends within a block, whose checksum then cannot be correct.
      throw bytes.count < Int(header.blockSize) && lengthAndFlag & BlockWriter.lastFlag == 0
        ? wrong(.truncated, "the file ends within block \(index)")
        : wrong(.checksum, "block \(index) does not have the checksum that it was written with")
    }
    let isLast = lengthAndFlag & BlockWriter.lastFlag != 0
    guard Int(lengthAndFlag & ~BlockWriter.lastFlag) == payload.count,
      isLast || bytes.count == Int(header.blockSize)
    else { throw wrong(.malformed, "block \(index) does not have the length that it says") }
    var owner: ByteWriter?
    if let cipher {
      guard first == BlockWriter.noPiece else { throw wrong(.malformed, "block \(index) shows its pieces") }
      let contents = try unsafe cipher.open(
        payload, at: .block(index, isLast: isLast),
        limit: Int(header.blockSize) - BlockWriter.overhead - cipher.overhead, .snapshot, offset: offset)
      var reader = unsafe ByteReader(contents.bytes, .snapshot, at: offset)
      first = try reader.fixed(UInt32.self)
      unsafe payload = try reader.read(reader.left)
      owner = contents
    }
    // A writer without further bytes marks the block before as the last.
    if unsafe payload.isEmpty && index > 0 { throw wrong(.notCanonical, "block \(index) is empty") }
    guard first == BlockWriter.noPiece || Int(first) < payload.count else {
      throw wrong(.malformed, "block \(index) begins a piece behind its end")
    }
    return unsafe Block(
      payload: payload, payloadOffset: offset + UInt64(BlockWriter.overhead),
      firstPiece: first == BlockWriter.noPiece ? nil : Int(first), isLast: isLast, owner: owner)
  }
}
