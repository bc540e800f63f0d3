/// Cuts a stream of pieces into the blocks of a snapshot.
///
///     ┌─────┬─────────────────┬───────┬──────────────────────────────┐
///     │ CRC │ length, is last │ first │ part of the pieces           │    4 + 4 + 4 bytes, and the rest
///     └─────┴─────────────────┴───────┴──────────────────────────────┘
///
/// All blocks but the last are full. `first` is where in the block's part the first piece begins that begins in it, so
/// that a reader can go on behind a damaged block.
final class BlockWriter {
  /// How many bytes stand before a block's part of the pieces.
  static let overhead = 12
  /// The bit of the length that says that a block is the last.
  static let lastFlag: UInt32 = 1 << 31
  /// The place of the first piece of a block in which none begins.
  static let noPiece = UInt32.max
  /// What a snapshot ends with: "FEnd".
  static let endMark: UInt32 = 0x646E_4546

  private let header: SnapshotHeader
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private let settle: (() throws -> Void)?
  private let block: ByteWriter
  private var first = BlockWriter.noPiece
  private var written: UInt64 = 0
  private var index: UInt64 = 0
  private let sealer: BlockSealer

  /// Begins with the header.
  ///
  /// - Parameters:
  ///   - settle: Nil when blocks are to be sealed here. Otherwise whoever gets them lets `sealer` do it, and this
  ///     returns when that is done.
  ///   - sink: Gets the header, each block, and the end, each by one call.
  init(
    _ header: SnapshotHeader, _ sealer: BlockSealer, settle: (() throws -> Void)? = nil,
    _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    self.header = header
    self.settle = settle
    self.sink = sink
    block = ByteWriter(capacity: Int(header.blockSize) + 256)
    self.sealer = sealer
    _ = header.write(to: block)
    try put()
    begin()
  }

  /// Begins with the header, and seals the blocks here.
  convenience init(_ header: SnapshotHeader, _ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) throws {
    try self.init(header, BlockSealer(header), sink)
  }

  /// The seed of block `index`: no block passes for one of another place or another file.
  static func seed(_ index: UInt64, after seed: UInt32) -> UInt32 {
    withUnsafeBytes(of: index.littleEndian) { CRC32C.checksum($0, after: seed) }
  }

  /// Adds whole pieces; where one of them begins, the given bytes do.
  func add(_ pieces: UnsafeRawBufferPointer) throws {
    var rest = pieces
    var isStart = true
    while !rest.isEmpty {
      var free = Int(header.blockSize) - block.count
      if free == 0 {
        try close(isLast: false)
        begin()
        free = Int(header.blockSize) - block.count
      }
      if isStart && first == Self.noPiece { first = UInt32(block.count - Self.overhead) }
      isStart = false
      block.append(UnsafeRawBufferPointer(rebasing: rest.prefix(free)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(free))
    }
  }

  /// Closes the last block and adds what stands behind it; returns the number of all bytes.
  func finish() throws -> UInt64 {
    try close(isLast: true)
    try settle?()
    let end = sealer.end
    _ = header.write(to: block)
    block.fixed(end.digest)
    block.fixed(end.crc)
    block.fixed(Self.endMark)
    try put()
    return written
  }

  private func begin() {
    first = Self.noPiece
    block.fixed(0 as UInt32)
    block.fixed(0 as UInt32)
    block.fixed(0 as UInt32)
  }

  private func close(isLast: Bool) throws {
    let length = UInt32(block.count - Self.overhead)
    block.patch(isLast ? length | Self.lastFlag : length, at: 4)
    block.patch(first, at: 8)
    if settle == nil {
      sealer.seal(block.mutableBytes)
    } else if BlockSealer.isChecksumOfWriter(index) {
      sealer.addChecksum(block.mutableBytes, index: index)
    }
    index += 1
    try put()
  }

  private func put() throws {
    written += UInt64(block.count)
    try sink(block.bytes)
    block.removeAll()
  }
}
