/// Stores the checksums in the blocks of a snapshot, and computes the digest of the file.
///
///     BlockWriter ──blocks without checksums──▶ seal ──▶ file        in this thread
///     BlockWriter ──portions of blocks──▶ │ sealAll ──▶ file         or in the thread that writes behind
///
/// It processes every block once, in order. `end` is valid only after the last block. One thread at a time uses it: the
/// thread that writes behind until the file is drained, and the writer's thread afterwards. So `@unchecked Sendable` is
/// correct.
final class BlockSealer: @unchecked Sendable {
  private let seed: UInt32
  private var index: UInt64 = 0
  private var hash = XXH64()
  private var isAtBeginning = true
  private var isAtEnd = false
  private let headerLength: Int

  /// Starts with the header.
  init(_ header: SnapshotHeader) {
    headerLength = header.length
    let bytes = ByteWriter()
    seed = header.write(to: bytes)
    unsafe hash.update(bytes.bytes)
  }

  /// Whether the writer stores the checksum of block `index` when another thread seals: one block in four, so that both
  /// threads have about equal work.
  static func isChecksumOfWriter(_ index: UInt64) -> Bool { index % 4 == 0 }

  /// Stores the checksum of block `index`. Any thread may call it, because it changes no other state.
  func addChecksum(_ block: UnsafeMutableRawBufferPointer, index: UInt64) {
    let (covered, seed) = unsafe covered(block, index: index)
    unsafe block.storeBytes(of: CRC32C.checksum(covered, after: seed).littleEndian, as: UInt32.self)
  }

  /// The bytes that the checksum of block `index` covers, and its seed.
  private func covered(_ block: UnsafeMutableRawBufferPointer, index: UInt64) -> (UnsafeRawBufferPointer, UInt32) {
    unsafe (UnsafeRawBufferPointer(rebasing: block.dropFirst(4)), BlockWriter.seed(index, after: seed))
  }

  /// Seals the next block.
  func seal(_ block: UnsafeMutableRawBufferPointer) {
    unsafe addChecksum(block, index: index)
    unsafe hash.update(UnsafeRawBufferPointer(block))
    index += 1
  }

  /// Seals the blocks of the next portion of the file. Skips the header before the first block and the bytes behind the
  /// last. A portion ends where a block ends.
  func sealAll(_ portion: UnsafeMutableRawBufferPointer) {
    assert(!isAtBeginning || portion.count >= headerLength, "The first portion has the whole header.")
    var rest = unsafe portion[...]
    if isAtBeginning { unsafe rest = rest.dropFirst(headerLength) }
    isAtBeginning = false
    let start = unsafe rest.startIndex
    // The first block of a pair, until the second is found.
    var waiting: NumberedBlock?
    while unsafe !rest.isEmpty && !isAtEnd {
      let length = unsafe UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      isAtEnd = length & BlockWriter.lastFlag != 0
      let size = Int(length & ~BlockWriter.lastFlag) + BlockWriter.overhead
      unsafe assert(size <= rest.count, "A portion ends where a block ends.")
      if !Self.isChecksumOfWriter(index) {
        let block = unsafe UnsafeMutableRawBufferPointer(rebasing: rest.prefix(size))
        if let first = unsafe waiting {
          unsafe addChecksums(first, (block, index))
          unsafe waiting = nil
        } else {
          unsafe waiting = (block, index)
        }
      }
      index += 1
      unsafe rest = rest.dropFirst(size)
    }
    if let waiting = unsafe waiting { unsafe addChecksum(waiting.block, index: waiting.index) }
    unsafe hash.update(UnsafeRawBufferPointer(rebasing: portion[start..<rest.startIndex]))
  }

  private typealias NumberedBlock = (block: UnsafeMutableRawBufferPointer, index: UInt64)

  /// Stores the checksums of two blocks, computed together.
  private func addChecksums(_ first: NumberedBlock, _ second: NumberedBlock) {
    let checksums = unsafe CRC32C.checksums(
      covered(first.block, index: first.index), covered(second.block, index: second.index))
    unsafe first.block.storeBytes(of: checksums.0.littleEndian, as: UInt32.self)
    unsafe second.block.storeBytes(of: checksums.1.littleEndian, as: UInt32.self)
  }

  /// The digest of the header and all blocks, and its checksum.
  var end: (digest: UInt64, crc: UInt32) {
    let digest = hash.digest
    let crc = unsafe withUnsafeBytes(of: digest.littleEndian) {
      unsafe CRC32C.checksum($0, after: BlockWriter.seed(index, after: seed))
    }
    return (digest, crc)
  }
}
