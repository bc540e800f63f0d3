/// The places of the blocks of a snapshot in its file, or in the bytes of it.
///
/// The last block may be shorter than the others: it ends where the end of the file begins. Of a file that was cut, a
/// block may be short or empty, which its check refuses.
///
/// `@unchecked Sendable` is correct because the bytes are only read, and the caller of `init` keeps them until all
/// threads are done.
@safe  // `init` takes the buffer, so its callers are marked; every part lies in the buffer, or in that of a reader.
struct SnapshotBlocks: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer
  /// The file that is read; nil if `bytes` has all of it.
  private let file: (any OpenFile)?
  private let size: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    (unsafe self.bytes, file, size) = unsafe (bytes, nil, bytes.count)
  }

  init(_ file: any OpenFile, size: Int) {
    (unsafe bytes, self.file, self.size) = unsafe (UnsafeRawBufferPointer(start: nil, count: 0), file, size)
  }

  // The parts below are in `buffer` if they are read from a file: valid until its next change.

  /// The bytes of the header and some behind it, fewer if the file has fewer.
  func header(_ buffer: ByteWriter) throws(CodecError) -> UnsafeRawBufferPointer {
    try unsafe part(0, FileHeader.size + KeyMark.size, buffer)
  }

  /// The number of blocks in a sound file.
  func count(of header: SnapshotHeader) -> Int {
    let size = max(0, size - header.length - BlockScanner.trailerSize)
    return max(1, (size + Int(header.blockSize) - 1) / Int(header.blockSize))
  }

  /// The bytes of a block.
  func block(
    _ index: UInt64, of header: SnapshotHeader, _ buffer: ByteWriter
  ) throws(CodecError) -> UnsafeRawBufferPointer {
    let start = header.length + Int(index) * Int(header.blockSize)
    let count = min(Int(header.blockSize), max(0, size - BlockScanner.trailerSize - start))
    return try unsafe part(start, count, buffer)
  }

  /// The bytes from an offset on.
  func rest(from offset: UInt64, _ buffer: ByteWriter) throws(CodecError) -> UnsafeRawBufferPointer {
    try unsafe part(Int(offset), size, buffer)
  }

  private func part(_ start: Int, _ count: Int, _ buffer: ByteWriter) throws(CodecError) -> UnsafeRawBufferPointer {
    guard let file else { return unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(start).prefix(count)) }
    let range = min(start, size)..<min(start + count, size)
    buffer.removeAll()
    do throws(FileFailure) { try buffer.append(range, of: file) } catch {
      throw CodecError(in: .snapshot, .truncated, at: UInt64(start), "its bytes could not be read: \(error)")
    }
    return unsafe buffer.bytes
  }
}
