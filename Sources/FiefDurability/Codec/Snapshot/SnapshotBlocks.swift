/// Where the blocks of a snapshot are in the bytes of its file.
///
/// The last block may be shorter than the others: it ends where the end of the file begins. Of a file that was cut, a
/// block may be short or empty, which its check refuses.
///
/// `@unchecked Sendable` is correct because the bytes are only read, and the caller of `init` keeps them until all
/// threads are done.
@safe  // `init` takes the buffer, so its callers are marked; every part lies in the buffer.
struct SnapshotBlocks: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// The bytes of the header, fewer if the file has fewer.
  var header: UnsafeRawBufferPointer { unsafe part(0, SnapshotHeader.size) }

  /// The number of blocks in a sound file.
  func count(of blockSize: UInt32) -> Int {
    let size = unsafe max(0, bytes.count - SnapshotHeader.size - BlockScanner.trailerSize)
    return max(1, (size + Int(blockSize) - 1) / Int(blockSize))
  }

  /// The bytes of a block.
  func block(_ index: UInt64, of blockSize: UInt32) -> UnsafeRawBufferPointer {
    let start = SnapshotHeader.size + Int(index) * Int(blockSize)
    return unsafe part(start, min(Int(blockSize), max(0, bytes.count - BlockScanner.trailerSize - start)))
  }

  /// The bytes from the first block to the end of the last one.
  func all(_ count: Int, of blockSize: UInt32) -> UnsafeRawBufferPointer {
    let last = unsafe block(UInt64(count - 1), of: blockSize)
    return unsafe part(SnapshotHeader.size, (count - 1) * Int(blockSize) + last.count)
  }

  /// The bytes from an offset on.
  func rest(from offset: UInt64) -> UnsafeRawBufferPointer { unsafe part(Int(offset), bytes.count) }

  private func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(start).prefix(count))
  }
}
