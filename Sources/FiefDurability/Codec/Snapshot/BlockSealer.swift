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

  /// Seals the next block.
  func seal(_ block: UnsafeMutableRawBufferPointer) {
    let covered = unsafe UnsafeRawBufferPointer(rebasing: block.dropFirst(4))
    let checksum = unsafe CRC32C.checksum(covered, after: BlockWriter.seed(index, after: seed))
    unsafe block.storeBytes(of: checksum.littleEndian, as: UInt32.self)
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
    while unsafe !rest.isEmpty && !isAtEnd {
      let length = unsafe UInt32(littleEndian: rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      isAtEnd = length & BlockWriter.lastFlag != 0
      let size = Int(length & ~BlockWriter.lastFlag) + BlockWriter.overhead
      unsafe assert(size <= rest.count, "A portion ends where a block ends.")
      unsafe seal(UnsafeMutableRawBufferPointer(rebasing: rest.prefix(size)))
      unsafe rest = rest.dropFirst(size)
    }
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
