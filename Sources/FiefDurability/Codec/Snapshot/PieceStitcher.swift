/// Puts pieces together that blocks cut apart.
///
/// A piece that lies within one block is handed on where it lies; of one that does not, the parts are gathered, and no
/// more is gathered than has come.
struct PieceStitcher {
  private let gathered = ByteWriter()
  private var gatheredOffset: UInt64 = 0

  /// Takes the next part of the pieces, and hands on every piece that is complete now.
  ///
  /// - Parameters:
  ///   - part: The bytes.
  ///   - offset: Where they stand in the file.
  ///   - handOn: Gets each piece.
  /// - Returns: where in the part the first piece begins that begins in it; nil when none does.
  @discardableResult
  mutating func add(
    _ part: UnsafeRawBufferPointer, at offset: UInt64,
    _ handOn: (PieceKind, consuming ByteReader) throws(CodecError) -> Void
  ) throws(CodecError) -> Int? {
    var rest = part
    var first: Int?
    func take(_ count: Int) -> UnsafeRawBufferPointer {
      let taken = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      return taken
    }
    while !rest.isEmpty {
      if gathered.count == 0 {
        let place = part.count - rest.count
        first = first ?? place
        if let length = Self.length(rest), length <= rest.count {
          var reader = ByteReader(take(length), .snapshot, at: offset + UInt64(place))
          let (kind, contents) = try reader.piece()
          try handOn(kind, contents)
          continue
        }
        gatheredOffset = offset + UInt64(place)
      }
      if gathered.count < PieceKind.headerSize { gathered.append(take(PieceKind.headerSize - gathered.count)) }
      guard let length = Self.length(gathered.bytes) else { return first }
      gathered.append(take(length - gathered.count))
      if gathered.count < length { return first }
      var reader = ByteReader(gathered.bytes, .snapshot, at: gatheredOffset)
      let (kind, contents) = try reader.piece()
      try handOn(kind, contents)
      gathered.removeAll()
    }
    return first
  }

  /// Forgets a piece that was begun.
  mutating func forget() { gathered.removeAll() }

  /// Throws when a piece was begun and not completed.
  func finish() throws(CodecError) {
    if gathered.count > 0 {
      throw CodecError(.snapshot, .truncated, at: gatheredOffset, "the last piece is not complete")
    }
  }

  /// The length of the piece that begins there, its own header included; nil when that is not all there.
  static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= PieceKind.headerSize else { return nil }
    return Int(truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) &>> 8)
      + PieceKind.headerSize
  }
}
