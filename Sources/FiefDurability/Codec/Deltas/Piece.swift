/// The kind of a piece of an encoded change.
///
///     delta = [schema] { table [deleted] { inserted } { updated } }
///
/// A piece is eight bytes (its kind, and the length of its contents) and its contents. Pieces of inserted rows name
/// their table, so that they can be interpreted when the pieces before them are damaged.
enum PieceKind: UInt8 {
  /// The schemas of all tables.
  case schema = 1
  /// A table with changes, and its next key.
  case table = 2
  /// Deleted rows of that table.
  case deleted = 3
  /// New rows of one chunk of that table.
  case inserted = 4
  /// Changed cells of one column of that table.
  case updated = 5
  /// The second copy of the schema, at the end of a snapshot.
  case schemaCopy = 6

  /// The number of bytes before the contents.
  static let headerSize = 8
}

extension ByteWriter {
  /// Appends a piece whose contents `body` writes.
  @inline(__always)
  func piece(_ kind: PieceKind, _ body: () -> Void) {
    let start = count
    fixed(UInt64(0))
    body()
    let length = count - start - PieceKind.headerSize
    patch(UInt64(length) &<< 8 | UInt64(kind.rawValue), at: start)
  }
}

extension ByteReader {
  /// Reads the next piece.
  mutating func piece() throws(CodecError) -> (kind: PieceKind, contents: ByteReader) {
    let start = offset
    let header = try fixed(UInt64.self)
    guard let kind = PieceKind(rawValue: UInt8(truncatingIfNeeded: header)) else {
      throw CodecError(in: subject, .malformed, at: start, "there is no piece of kind \(header & 0xFF)")
    }
    let beginning = offset
    return unsafe (kind, ByteReader(try read(Int(truncatingIfNeeded: header &>> 8)), subject, at: beginning))
  }
}
