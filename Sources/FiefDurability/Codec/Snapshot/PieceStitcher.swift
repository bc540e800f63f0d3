/// Joins the pieces that block boundaries divide.
///
/// A piece within one block is passed on without a copy. The parts of other pieces are collected; the collected bytes
/// never exceed the received ones.
package struct PieceStitcher {
  private let gathered = ByteWriter()
  private var gatheredOffset: UInt64 = 0

  /// Takes the next part of the pieces, and passes on every piece that is complete now.
  ///
  /// - Parameters:
  ///   - part: The bytes.
  ///   - offset: Their offset in the file.
  ///   - handOn: Receives each piece.
  /// - Returns: the position in the part of the first piece that begins in it; nil if no piece begins in it.
  @discardableResult
  mutating func add(
    _ part: UnsafeRawBufferPointer, at offset: UInt64,
    _ handOn: (PieceKind, consuming ByteReader) throws(CodecError) -> Void
  ) throws(CodecError) -> Int? {
    var rest = unsafe part
    var first: Int?
    func take(_ count: Int) -> UnsafeRawBufferPointer {
      let taken = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      return unsafe taken
    }
    while unsafe !rest.isEmpty {
      if gathered.count == 0 {
        let position = part.count - rest.count
        first = first ?? position
        if let length = unsafe Self.length(rest), length <= rest.count {
          var reader = unsafe ByteReader(take(length), .snapshot, at: offset + UInt64(position))
          let (kind, contents) = try reader.piece()
          try handOn(kind, contents)
          continue
        }
        gatheredOffset = offset + UInt64(position)
      }
      if gathered.count < PieceKind.headerSize { unsafe gathered.append(take(PieceKind.headerSize - gathered.count)) }
      guard let length = unsafe Self.length(gathered.bytes) else { return first }
      unsafe gathered.append(take(length - gathered.count))
      if gathered.count < length { return first }
      var reader = unsafe ByteReader(gathered.bytes, .snapshot, at: gatheredOffset)
      let (kind, contents) = try reader.piece()
      try handOn(kind, contents)
      gathered.removeAll()
    }
    return first
  }

  /// Whether no piece is incomplete.
  var isEmpty: Bool { gathered.count == 0 }

  /// Drops an incomplete piece.
  mutating func removeAll() { gathered.removeAll() }

  /// Throws if a piece is incomplete.
  func finish() throws(CodecError) {
    if gathered.count > 0 {
      throw CodecError(in: .snapshot, .truncated, at: gatheredOffset, "the last piece is not complete")
    }
  }

  /// The length of the piece at the beginning of `bytes`, including its header; nil if the header is incomplete.
  package static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= PieceKind.headerSize else { return nil }
    return unsafe Int(truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) &>> 8)
      + PieceKind.headerSize
  }
}
