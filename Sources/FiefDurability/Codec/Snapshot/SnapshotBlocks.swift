/// The places of the blocks of a snapshot in the bytes of its file.
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

  /// The bytes of the header and some behind it, fewer if the file has fewer.
  var header: UnsafeRawBufferPointer { unsafe part(0, FileHeader.size + KeyMark.size) }

  /// The number of blocks in a sound file.
  func count(of header: SnapshotHeader) -> Int {
    let size = unsafe max(0, bytes.count - header.length - BlockScanner.trailerSize)
    return max(1, (size + Int(header.blockSize) - 1) / Int(header.blockSize))
  }

  /// The bytes of a block.
  func block(_ index: UInt64, of header: SnapshotHeader) -> UnsafeRawBufferPointer {
    let start = header.length + Int(index) * Int(header.blockSize)
    return unsafe part(start, min(Int(header.blockSize), max(0, bytes.count - BlockScanner.trailerSize - start)))
  }

  /// The bytes from the first block to the end of the last one.
  func all(_ count: Int, of header: SnapshotHeader) -> UnsafeRawBufferPointer {
    let last = unsafe block(UInt64(count - 1), of: header)
    return unsafe part(header.length, (count - 1) * Int(header.blockSize) + last.count)
  }

  /// The bytes from an offset on.
  func rest(from offset: UInt64) -> UnsafeRawBufferPointer { unsafe part(Int(offset), bytes.count) }

  private func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(start).prefix(count))
  }
}
