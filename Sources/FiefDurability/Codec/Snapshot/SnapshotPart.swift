import FiefGraph
import FiefRuntime

/// Reads a run of blocks of a snapshot without those before it.
struct SnapshotPart {
  let blocks: SnapshotBlocks
  /// A scanner of the file, which has read the header alone.
  let scanner: BlockScanner
  /// The number of blocks in the file.
  let count: Int
  /// Counts the bytes of the blocks.
  let meter: WorkMeter?
  /// The schemas that the rows have to fit, by their keys.
  private let schemas: [TableKey: TableSchema]

  init(_ blocks: SnapshotBlocks, _ scanner: BlockScanner, count: Int, schema: Schema, counting meter: WorkMeter?) {
    self.blocks = blocks
    self.scanner = scanner
    self.count = count
    self.meter = meter
    schemas = Dictionary(schema.tables.map { ($0.key, $0) }) { first, _ in first }
  }

  /// Decodes the pieces that begin in blocks. The last of them may end in later blocks, which are checked too.
  ///
  /// - Parameter range: The blocks, at least one.
  /// - Returns: the pieces, the last one first. So they can be taken out in their order without counting a reference to
  ///   their rows, which no cache may have any more.
  /// - Throws: `CodecError` for a fault; when a block begins its first piece elsewhere than it says, and when rows do
  ///   not fit their table.
  func read(_ range: Range<Int>) throws(CodecError) -> [SnapshotPiece] {
    var pieces = try decoded(range)
    pieces.reverse()
    return pieces
  }

  private func decoded(_ range: Range<Int>) throws(CodecError) -> [SnapshotPiece] {
    assert(!range.isEmpty && range.upperBound <= count, "A part consists of blocks of the file.")
    var pieces: [SnapshotPiece] = []
    var stitcher = PieceStitcher()
    var table = schemas.first
    // Whether it is known where the next piece begins.
    var isInStep = range.lowerBound == 0
    let buffer = ByteWriter()
    // Rows of short strings and numbers take some two bytes for one of the file.
    HeapRoom.make(range.count * Int(scanner.header.blockSize) * 2)
    for index in range.lowerBound..<count {
      let isOwn = index < range.upperBound
      if !isOwn && !isInStep { return pieces }
      let block = try scanner.block(UInt64(index), in: blocks, isLast: index == count - 1, buffer)
      defer { withExtendedLifetime(block) {} }
      var (start, end) = (0, unsafe block.payload.count)
      if !isOwn {
        end = block.firstPiece ?? end
      } else if !isInStep {
        guard let first = block.firstPiece else { continue }
        start = first
        isInStep = true
      }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: block.payload[start..<end])
      let first = try unsafe stitcher.add(bytes, at: block.payloadOffset + UInt64(start)) {
        kind, contents throws(CodecError) in
        pieces.append(try SnapshotPiece(kind, contents))
        try check(pieces[pieces.count - 1], of: &table)
      }
      if isOwn {
        if first.map({ $0 + start }) != block.firstPiece { throw block.misplacesFirstPiece }
        meter?.advance(by: Int(scanner.header.blockSize))
      } else {
        // The part that has this block begins at its first piece, so the last piece of this part ends there.
        if first != nil || block.firstPiece != nil && !stitcher.isEmpty { throw block.misplacesFirstPiece }
        if block.firstPiece != nil { return pieces }
      }
    }
    try stitcher.finish()
    return pieces
  }

  /// Throws if rows do not fit their table. They are checked here, while the processor still has them in its cache.
  ///
  /// - Parameter table: The table of the rows before: most have the same. Looking it up counts a reference to its
  ///   schema, for which all processors would take turns.
  private func check(
    _ piece: SnapshotPiece, of table: inout (key: TableKey, value: TableSchema)?
  ) throws(CodecError) {
    guard case .rows(let key, let rows, let offset) = piece else { return }
    if table?.key != key { table = schemas[key].map { (key, $0) } }
    guard let table, rows.fit(table.value) else {
      throw CodecError(in: .snapshot, .unsound, at: offset, "rows do not fit their table")
    }
  }
}

/// A piece of a snapshot that was read apart from those before it. Rows are decoded; the other pieces are few.
enum SnapshotPiece: Sendable {
  case rows(TableKey, InsertedRows, offset: UInt64)
  case other(PieceKind, contents: [UInt8], offset: UInt64)

  init(_ kind: PieceKind, _ contents: consuming ByteReader) throws(CodecError) {
    var contents = contents
    let offset = contents.offset
    if kind == .inserted {
      let (table, rows) = try contents.inserted()
      self = .rows(table, rows, offset: offset)
    } else {
      self = .other(kind, contents: unsafe [UInt8](try contents.read(contents.left)), offset: offset)
    }
  }

  /// Adds the piece to those before it.
  consuming func add(to pieces: inout SnapshotPieces) throws(CodecError) {
    switch self {
    case .rows(let table, let rows, let offset):
      let start = unsafe ByteReader(UnsafeRawBufferPointer(start: nil, count: 0), .snapshot, at: offset)
      try pieces.add(rows, of: table, from: start)
    case .other(let kind, let contents, let offset):
      let copy = ByteWriter()
      unsafe contents.withUnsafeBytes { unsafe copy.append($0) }
      try pieces.add(kind, unsafe ByteReader(copy.bytes, .snapshot, at: offset))
    }
  }
}
