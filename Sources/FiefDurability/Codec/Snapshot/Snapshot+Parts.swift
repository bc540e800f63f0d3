import Dispatch
import FiefGraph
import FiefRuntime
import Synchronization

// Reading a large snapshot on several threads.
//
//     blocks   │ 0 │ 1 │ 2 │ 3 │ 4 │ 5 │ 6 │ 7 │
//     pieces   ├──┬─────┬──┬───┬───────┬──┬────┤
//     part 0   ├──┬─────┬──┬───┤                    its blocks 0 to 3, and the rest of its last piece
//     part 1                   ├───────┬──┬────┤    from the first piece that begins in block 4
//
// The schema is read first. Each part checks its blocks, decodes the pieces that begin in them, and compares their rows
// with the schema. The pieces are put together in their order afterwards, and one of the threads computes the digest of
// the whole meanwhile. A part ends at its first fault. Then the caller reads the file again in one part, which finds
// the first fault of all.

extension Snapshot {
  /// How many parts a file of `count` bytes is read in: one for a small one, because starting threads takes as long.
  /// More than processors, so that a processor that is done early has something left to do.
  static func parts(of count: Int) -> Int {
    Processors.count == 1 ? 1 : min(count >> 19, Processors.count * 4)
  }

  /// Reads a large snapshot from its file, on several threads. The file is not in memory as a whole.
  ///
  /// - Returns: nil for a small file, on one processor, and for a file with any fault, which is found by reading its
  ///   bytes.
  static func inParts(of file: any OpenFile, size: Int, key: FileKey?) throws(CodecError) -> Snapshot? {
    let meter = WorkMeter.current
    let blocks = SnapshotBlocks(file, size: size)
    guard let read = try? delta(of: blocks, inParts: parts(of: size), key: key, counting: meter) else { return nil }
    return try make(read, isChecked: true, size, meter)
  }

  /// Reads the blocks in parts, at the same time.
  ///
  /// - Returns: a change of which all rows fit their tables; nil for fewer than two parts.
  /// - Throws: an error for a fault, which need not be the first one.
  package static func delta(
    of bytes: UnsafeRawBufferPointer, inParts parts: Int, key: FileKey? = nil, counting meter: WorkMeter? = nil
  ) throws(CodecError) -> (SnapshotHeader, Delta)? {
    try delta(of: unsafe SnapshotBlocks(bytes), inParts: parts, key: key, counting: meter)
  }

  private static func delta(
    of blocks: SnapshotBlocks, inParts parts: Int, key: FileKey?, counting meter: WorkMeter?
  ) throws(CodecError) -> (SnapshotHeader, Delta)? {
    guard parts > 1 else { return nil }
    let buffer = ByteWriter()
    let scanner = try unsafe BlockScanner(blocks.header(buffer), key: key)
    let count = blocks.count(of: scanner.header)
    let parts = min(parts, count)
    guard parts > 1 else { return nil }
    let results = Mutex<[Int: Result<[SnapshotPiece], CodecError>]>([:])
    let schema = try schema(of: blocks, scanner, count)
    let reading = SnapshotPart(blocks, scanner, count: count, schema: schema, counting: meter)
    let end = Mutex(Result<BlockScanner, CodecError>.success(scanner))
    DispatchQueue.concurrentPerform(iterations: parts + 1) { number in
      // The digest comes first: it takes longer than a part, so it must not be the last that others wait for.
      if number == 0 {
        let passed = Result { () throws(CodecError) in
          var scanner = scanner
          try scanner.pass(count, in: blocks)
          return scanner
        }
        return end.withLock { $0 = passed }
      }
      let part = number - 1
      let range = count * part / parts..<count * (part + 1) / parts
      let result = Result { () throws(CodecError) in try reading.read(range) }
      results.withLock { $0[part] = result }
    }
    var last = try end.withLock { $0 }.get()
    try unsafe last.finish(blocks.rest(from: last.offset, buffer))
    var pieces = SnapshotPieces()
    for part in 0..<parts {
      guard let result = results.withLock({ $0.removeValue(forKey: part) }) else {
        fatalError("Part \(part) of a snapshot was not read.")
      }
      var left = try result.get()
      while let piece = left.popLast() { try piece.add(to: &pieces) }
    }
    let delta = try pieces.finish(at: last.offset)
    // The schema was read twice.
    guard (delta.schema ?? .empty).isIdentical(to: schema) else {
      throw CodecError(in: .snapshot, .unsound, at: 0, "its schema changed while it was read")
    }
    return (last.header, delta)
  }

  /// The schema, which is the first piece; an empty one for a file without it.
  private static func schema(
    of blocks: SnapshotBlocks, _ scanner: BlockScanner, _ count: Int
  ) throws(CodecError) -> Schema {
    let buffer = ByteWriter()
    var stitcher = PieceStitcher()
    var schema: Schema?
    for index in 0..<count where schema == nil {
      let block = try scanner.block(UInt64(index), in: blocks, isLast: index == count - 1, buffer)
      defer { withExtendedLifetime(block) {} }
      try unsafe stitcher.add(block.payload, at: block.payloadOffset) { kind, contents throws(CodecError) in
        var contents = contents
        if schema == nil { schema = kind == .schema ? try contents.schema() : .empty }
      }
    }
    return schema ?? .empty
  }
}
