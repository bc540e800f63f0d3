import FiefGraph

/// The readable and the damaged parts of a snapshot, for checking a file, and for saving rows from a damaged one.
///
///     let scan = SnapshotScan(bytes)
///     scan.damages           // the faults of the file; empty if it is sound
///     scan.delta             // the schema, and the rows of each whole chunk
///
/// Every row is exactly as it was in the file. The rows need not make a sound graph: they may link to lost rows.
package struct SnapshotScan: Sendable {
  /// The header, from the beginning of the file or from its end; nil if neither can be read.
  package let header: SnapshotHeader?
  /// All faults, from front to back.
  package private(set) var damages: [CodecError] = []
  /// The number of blocks, as far as the file shows.
  package private(set) var blockCount = 0
  /// The number of blocks with a correct checksum.
  package private(set) var soundBlockCount = 0
  /// The schema and the rows that can be read. Without a schema the columns of the rows have no names and types.
  package private(set) var delta = Delta()

  /// Scans a snapshot in memory. Linear; never fails.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - key: The key of the file; nil for a plain one. Of an encrypted file without its key only the checksums are
  ///     checked, and `delta` is empty.
  package init(_ bytes: UnsafeRawBufferPointer, key: FileKey? = nil) {
    var seed: UInt32 = 0
    var header: SnapshotHeader?
    do {
      (header, seed) = try unsafe SnapshotHeader.read(bytes)
    } catch {
      damages.append(error)
      let end = bytes.count - BlockScanner.trailerSize
      if !error.isRefusal(of: .newerFormat), end >= 0,
        let copy = try? unsafe SnapshotHeader.read(
          UnsafeRawBufferPointer(rebasing: bytes[end...]), at: UInt64(end), isCopy: true)
      {
        (header, seed) = copy
      }
    }
    self.header = header
    guard let header else { return }
    let cipher = try? header.cipher(reading: key)
    unsafe readBlocks(of: bytes, header, by: cipher, seed: seed)
    if damages.isEmpty && (header.key == nil || cipher != nil) {
      // All blocks are sound; strict reading finds any other fault.
      do {
        _ = try unsafe Snapshot(reading: bytes, key: header.key == nil ? nil : key)
      } catch {
        damages.append(error)
      }
    }
  }

  private mutating func readBlocks(
    of bytes: UnsafeRawBufferPointer, _ header: SnapshotHeader, by cipher: ContentCipher?, seed: UInt32
  ) {
    let blockSize = Int(header.blockSize)
    let isLocked = header.key != nil && cipher == nil
    var stitcher = PieceStitcher()
    var isInStep = true
    var offset = header.length
    var index: UInt64 = 0
    var isAtEnd = false
    while !isAtEnd {
      // The last block may be shorter; a file that was cut has no end behind it.
      let whole = min(blockSize, max(0, bytes.count - BlockScanner.trailerSize - offset))
      guard whole > 0 else { break }
      defer {
        offset += blockSize
        index += 1
      }
      blockCount += 1
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + whole])
      do {
        let block = try unsafe BlockScanner.block(
          part, header, by: cipher, seed: seed, index: index, at: UInt64(offset))
        defer { withExtendedLifetime(block) {} }
        soundBlockCount += 1
        isAtEnd = block.isLast
        if isLocked { continue }
        let first = isInStep ? 0 : block.firstPiece
        guard let first else { continue }
        isInStep = true
        try unsafe stitcher.add(
          UnsafeRawBufferPointer(rebasing: block.payload[first...]), at: block.payloadOffset + UInt64(first)
        ) { kind, contents throws(CodecError) in try add(kind, contents) }
      } catch {
        damages.append(error)
        stitcher.removeAll()
        isInStep = false
      }
    }
    if !isAtEnd && damages.isEmpty {
      damages.append(
        CodecError(in: .snapshot, .truncated, at: UInt64(bytes.count), "the file ends before its last block"))
    }
  }

  /// Adds the contents of a piece that can be read without the others.
  private mutating func add(_ kind: PieceKind, _ contents: consuming ByteReader) throws(CodecError) {
    var contents = contents
    switch kind {
    case .schema, .schemaCopy:
      let schema = try contents.schema()
      if delta.schema == nil { delta.schema = schema }
    case .table:
      let table = TableKey(rawValue: try contents.number32("a table"))
      let nextKey = try contents.signedVarint()
      let index = self.index(of: table)
      delta.tables[index].nextKey = max(nextKey, delta.tables[index].nextKey)
    case .inserted:
      let (table, rows) = try contents.inserted()
      let index = self.index(of: table)
      delta.tables[index].inserted.append(rows)
      // The piece of the table, which has this number, may be lost.
      let last = rows.rows.bit(ofSlot: rows.rows.count - 1)
      let next = (rows.chunk &<< 8 | Int64(last)) &+ 1
      delta.tables[index].nextKey = max(next, delta.tables[index].nextKey)
    case .deleted, .updated: throw contents.wrong(.malformed, "a snapshot changes rows")
    }
  }

  /// The position of a table in the delta: the last one, because tables ascend.
  private mutating func index(of table: TableKey) -> Int {
    if delta.tables.last?.table != table { delta.tables.append(TableDelta(table: table, nextKey: 0)) }
    return delta.tables.count - 1
  }
}

extension CodecError {
  fileprivate func isRefusal(of code: Code) -> Bool { self.code == code }
}
