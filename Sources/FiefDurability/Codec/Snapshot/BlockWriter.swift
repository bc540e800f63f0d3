/// Cuts a stream of pieces into the blocks of a snapshot.
///
///     ┌─────┬─────────────────┬───────┬──────────────────────────────┐
///     │ CRC │ length, is last │ first │ part of the pieces           │    4 + 4 + 4 bytes, and the rest
///     └─────┴─────────────────┴───────┴──────────────────────────────┘
///
/// In an encrypted file the part is one encrypted piece of bytes, which holds `first` and the part:
///
///     ┌─────┬─────────────────┬───────┬───────────────────────────────────────────────┐
///     │ CRC │ length, is last │ none  │ encrypted: length │ first │ part of the pieces │
///     └─────┴─────────────────┴───────┴───────────────────────────────────────────────┘
///
/// All blocks but the last are full. `first` is the position in the block's part of the first piece that begins in it,
/// so that a reader can continue behind a damaged block.
@safe  // `sink` receives the bytes for one call; the buffer is the writer's own.
package final class BlockWriter {
  /// The number of bytes before a block's part of the pieces.
  package static let overhead = 12
  /// The number of bytes between them and the pieces in an encrypted block: the length of the contents, and `first`.
  static let encryptedOverhead = ContentCipher.prefixSize + 4
  /// The bit of the length that marks the last block.
  static let lastFlag: UInt32 = 1 << 31
  /// The value of `first` for a block in which no piece begins.
  static let noPiece = UInt32.max
  /// The last four bytes of a snapshot: "FEnd".
  static let endMark: UInt32 = 0x646E_4546

  private let header: SnapshotHeader
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private let drain: (() throws -> Void)?
  private let block: ByteWriter
  private var first = BlockWriter.noPiece
  private var written: UInt64 = 0
  private var index: UInt64 = 0
  private let sealer: BlockSealer
  /// Encrypts the parts; nil in a plain file.
  private let cipher: ContentCipher?
  /// The place where the pieces begin in a block, and the size at which it is full.
  private let start: Int
  private let fullSize: Int

  /// Starts with the header.
  ///
  /// - Parameters:
  ///   - cipher: Encrypts the parts; nil for a plain file.
  ///   - drain: Nil if this writer seals the blocks. Otherwise the receiver of the blocks seals them with `sealer`,
  ///     and `drain` returns when that is done.
  ///   - sink: Receives the header, each block, and the end, each in one call.
  init(
    _ header: SnapshotHeader, by cipher: ContentCipher?, _ sealer: BlockSealer, drain: (() throws -> Void)? = nil,
    _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    assert((header.key == nil) == (cipher == nil), "The header says whether the contents are encrypted.")
    self.header = header
    self.cipher = cipher
    start = Self.overhead + (cipher == nil ? 0 : Self.encryptedOverhead)
    fullSize = Int(header.blockSize) - (cipher?.overhead ?? 0)
    self.drain = drain
    unsafe self.sink = sink
    block = ByteWriter(capacity: Int(header.blockSize) + 256)
    self.sealer = sealer
    _ = header.write(to: block)
    try put()
    begin()
  }

  /// Starts with the header, and seals the blocks in this thread.
  ///
  /// - Parameter key: The key of the contents; nil for a plain file.
  package convenience init(
    _ header: SnapshotHeader, key: FileKey? = nil, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let (header, cipher) = header.keyed(key)
    try unsafe self.init(header, by: cipher, BlockSealer(header), sink)
  }

  /// The seed of block `index`: it prevents a block from being accepted in another position or file.
  static func seed(_ index: UInt64, after seed: UInt32) -> UInt32 {
    unsafe withUnsafeBytes(of: index.littleEndian) { unsafe CRC32C.checksum($0, after: seed) }
  }

  /// Appends whole pieces; a piece must begin at the beginning of `pieces`.
  package func add(_ pieces: UnsafeRawBufferPointer) throws {
    var rest = unsafe pieces
    var isStart = true
    while unsafe !rest.isEmpty {
      var free = fullSize - block.count
      if free == 0 {
        try close(isLast: false)
        begin()
        free = fullSize - block.count
      }
      if isStart && first == Self.noPiece { first = UInt32(block.count - start) }
      isStart = false
      unsafe block.append(UnsafeRawBufferPointer(rebasing: rest.prefix(free)))
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(free))
    }
  }

  /// Closes the last block and appends the end; returns the size of the file.
  package func finish() throws -> UInt64 {
    assert(block.count >= start, "A snapshot is finished once, with a block begun.")
    try close(isLast: true)
    try drain?()
    let end = sealer.end
    _ = header.write(to: block, isCopy: true)
    block.fixed(end.digest)
    block.fixed(end.crc)
    block.fixed(Self.endMark)
    try put()
    return written
  }

  private func begin() {
    assert(block.count == 0, "A block begins when the one before it was passed on.")
    first = Self.noPiece
    block.zeros(start)
  }

  private func close(isLast: Bool) throws {
    assert(block.count <= fullSize, "A block has at most the size that the header announces.")
    assert(isLast || block.count == fullSize, "All blocks but the last are full.")
    if let cipher {
      block.patch(first, at: start - 4)
      first = Self.noPiece
      try cipher.seal(
        block, from: Self.overhead, at: .block(index, isLast: isLast), limit: fullSize - Self.overhead)
    }
    let length = UInt32(block.count - Self.overhead)
    block.patch(isLast ? length | Self.lastFlag : length, at: 4)
    block.patch(first, at: 8)
    if drain == nil { unsafe sealer.seal(block.mutableBytes) }
    index += 1
    try put()
  }

  private func put() throws {
    written += UInt64(block.count)
    try unsafe sink(block.bytes)
    block.removeAll()
  }
}
