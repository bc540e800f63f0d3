import FiefGraph

/// What a snapshot holds that can still be read, and what of it cannot: for a check of a sound file, and to save what
/// can be saved of a damaged one.
///
///     let scan = SnapshotScan(bytes)
///     scan.damages           // where the file is not as it was written; empty if it is sound
///     scan.delta             // the schema, and the rows of each chunk that is whole
///
/// Every row in it stood in the file as it is. It need not make a sound graph: rows may link to others that are lost.
public struct SnapshotScan: Sendable {
  /// The header, from the beginning of the file or from its end; nil when neither can be read.
  public let header: SnapshotHeader?
  /// Everything that is wrong, from front to back.
  public private(set) var damages: [CodecError] = []
  /// How many blocks there are, as far as can be seen.
  public private(set) var blockCount = 0
  /// How many of them have the checksum that they were written with.
  public private(set) var soundBlockCount = 0
  /// The schema and the rows that can be read. Without a schema the columns of the rows have no names and types.
  public private(set) var delta = Delta()

  /// Looks through a snapshot that lies in memory. Linear; never fails.
  ///
  /// - Parameter bytes: The whole file.
  public init(_ bytes: UnsafeRawBufferPointer) {
    var seed: UInt32 = 0
    var header: SnapshotHeader?
    do {
      (header, seed) = try SnapshotHeader.read(bytes)
    } catch {
      damages.append(error)
      let end = bytes.count - BlockScanner.trailerSize
      if !error.isRefusal(of: .newerFormat), end >= 0,
        let copy = try? SnapshotHeader.read(UnsafeRawBufferPointer(rebasing: bytes[end...]), at: UInt64(end))
      {
        (header, seed) = copy
      }
    }
    self.header = header
    guard let header else { return }
    readBlocks(bytes, header, seed)
    if damages.isEmpty {
      // All blocks are sound: what is wrong otherwise, strict reading finds.
      do {
        _ = try Snapshot(reading: bytes)
      } catch {
        damages.append(error)
      }
    }
  }

  private mutating func readBlocks(_ bytes: UnsafeRawBufferPointer, _ header: SnapshotHeader, _ seed: UInt32) {
    let blockSize = Int(header.blockSize)
    var stitcher = PieceStitcher()
    var isInStep = true
    var offset = SnapshotHeader.size
    var index: UInt64 = 0
    var isAtEnd = false
    while !isAtEnd {
      // The last block may be shorter; where a file was cut there is none behind it.
      let whole = min(blockSize, max(0, bytes.count - BlockScanner.trailerSize - offset))
      guard whole > 0 else { break }
      defer {
        offset += blockSize
        index += 1
      }
      blockCount += 1
      let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + whole])
      do {
        let block = try BlockScanner.block(part, header, seed: seed, index: index, at: UInt64(offset))
        soundBlockCount += 1
        isAtEnd = block.isLast
        let first = isInStep ? 0 : block.firstPiece
        guard let first else { continue }
        isInStep = true
        try stitcher.add(
          UnsafeRawBufferPointer(rebasing: block.payload[first...]), at: block.payloadOffset + UInt64(first)
        ) { kind, contents throws(CodecError) in try add(kind, contents) }
      } catch {
        damages.append(error)
        stitcher.forget()
        isInStep = false
      }
    }
    if !isAtEnd && damages.isEmpty {
      damages.append(
        CodecError(.snapshot, .truncated, at: UInt64(bytes.count), "the file ends before its last block"))
    }
  }

  /// Takes what a piece holds, if it can be read by itself.
  private mutating func add(_ kind: PieceKind, _ contents: consuming ByteReader) throws(CodecError) {
    var contents = contents
    switch kind {
    case .schema, .schemaCopy:
      let schema = try contents.schema()
      if delta.schema == nil { delta.schema = schema }
    case .table:
      let table = TableKey(rawValue: try contents.number32("a table"))
      let nextKey = try contents.signedVarint()
      let place = self.place(of: table)
      delta.tables[place].nextKey = max(nextKey, delta.tables[place].nextKey)
    case .inserted:
      let (table, rows) = try contents.inserted()
      let place = self.place(of: table)
      delta.tables[place].inserted.append(rows)
      // In case that the piece which says so is lost.
      let last = rows.rows.bit(ofSlot: rows.rows.count - 1)
      let next = (rows.chunk &<< 8 | Int64(last)) &+ 1
      delta.tables[place].nextKey = max(next, delta.tables[place].nextKey)
    case .deleted, .updated: throw contents.wrong(.malformed, "a snapshot changes rows")
    }
  }

  /// The place of a table among those of the delta: the last, since they ascend.
  private mutating func place(of table: TableKey) -> Int {
    if delta.tables.last?.table != table { delta.tables.append(TableDelta(table: table, nextKey: 0)) }
    return delta.tables.count - 1
  }
}

extension CodecError {
  fileprivate func isRefusal(of code: Code) -> Bool { self.code == code }
}
