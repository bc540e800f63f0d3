import FiefGraph
import FiefRuntime
import Foundation

/// A whole graph in a file: the change from the empty graph to it, in blocks with checksums.
///
///     ┌────────┬─────────┬─────────┬───┬────────────┬─────────────────┬────────────────────────┐
///     │ header │ block 0 │ block 1 │ … │ last block │ header, a copy  │ XXH64 │ CRC │ FEnd     │
///     └────────┴─────────┴─────────┴───┴────────────┴─────────────────┴────────────────────────┘
///
///     let length = try Snapshot.write(graph, header) { part in try file.append(part) }
///     let snapshot = try Snapshot(reading: bytes)            // snapshot.graph == graph
///
/// Equal graphs have equal bytes behind the header. A snapshot is read whole or not at all; `SnapshotScan` finds the
/// readable parts of a damaged one.
package struct Snapshot: Sendable {
  /// The header of the file.
  package let header: SnapshotHeader
  /// The graph; its version is the header's.
  package let graph: Graph

  /// Writes a snapshot from front to back.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - header: The store, version and other facts of the file. The graph that is read back has the header's
  ///     `version`, whatever the version of `graph` is.
  ///   - key: The key of the contents; nil for a plain file.
  ///   - sink: Receives the bytes, in portions of about a block; each is valid only during the call.
  /// - Returns: the number of bytes.
  /// - Throws: only errors of `sink`, and failures of the cipher.
  /// - Complexity: O(graph). Memory holds some blocks and the largest chunk of rows.
  @discardableResult
  package static func write(
    _ graph: Graph, _ header: SnapshotHeader, key: FileKey? = nil, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> UInt64 {
    try unsafe withoutActuallyEscaping(sink) { sink in
      try unsafe write(graph, to: try BlockWriter(header, key: key, sink))
    }
  }

  /// Writes a snapshot's blocks and its end.
  @discardableResult
  static func write(_ graph: Graph, to blocks: BlockWriter) throws -> UInt64 {
    let delta = Delta(from: .empty, to: graph)
    let pieces = ByteWriter(capacity: 1 << 16)
    let meter = WorkMeter.current
    meter?.begin(.writing, of: delta.stepCount)
    try pieces.delta(delta) { rows in
      try unsafe blocks.add(pieces.bytes)
      pieces.removeAll()
      if rows > 0 { meter?.advance(by: rows) }
    }
    if let schema = delta.schema {
      pieces.piece(.schemaCopy) { pieces.schema(schema) }
      try unsafe blocks.add(pieces.bytes)
    }
    return try blocks.finish()
  }

  /// Encodes a snapshot in memory.
  package static func bytes(_ graph: Graph, _ header: SnapshotHeader) -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      try unsafe write(graph, header) { unsafe bytes.append(contentsOf: $0) }
    } catch {
      fatalError("Writing a snapshot to memory failed: \(error).")
    }
    return bytes
  }

  /// Reads a snapshot from memory, on several threads if it is large.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, without further bytes.
  ///   - key: The key of the file; nil for a plain one.
  ///   - parts: How many parts are read at the same time, at most one for each block. The result does not depend on it.
  /// - Throws: `CodecError` for every fault.
  /// - Complexity: linear in the bytes. The result takes a fixed multiple of their number, and memory for the highest
  ///   key of a table.
  package init(
    reading bytes: UnsafeRawBufferPointer, key: FileKey? = nil, inParts parts: Int? = nil
  ) throws(CodecError) {
    let meter = WorkMeter.current
    let parts = parts ?? Self.parts(of: bytes.count)
    // A fault is looked up from the beginning again, so that it is the first one, whatever the parts are.
    if let read = try? unsafe Self.delta(of: bytes, inParts: parts, key: key, counting: meter) {
      self = try Self.make(read, isChecked: true, bytes.count, meter)
    } else {
      self = try Self.make(try unsafe Self.delta(of: bytes, key: key, meter), isChecked: false, bytes.count, meter)
    }
  }

  /// Reads the blocks one after the other.
  private static func delta(
    of bytes: UnsafeRawBufferPointer, key: FileKey?, _ meter: WorkMeter?
  ) throws(CodecError) -> (SnapshotHeader, Delta) {
    let blocks = unsafe SnapshotBlocks(bytes)
    let buffer = ByteWriter()
    var scanner = try unsafe BlockScanner(blocks.header(buffer), key: key)
    var pieces = SnapshotPieces()
    var stitcher = PieceStitcher()
    while !scanner.isAtEnd {
      let block = try unsafe scanner.next(blocks.block(scanner.index, of: scanner.header, buffer))
      defer { withExtendedLifetime(block) {} }
      let first = try unsafe stitcher.add(block.payload, at: block.payloadOffset) { kind, contents throws(CodecError) in
        try pieces.add(kind, contents)
      }
      if first != block.firstPiece { throw block.misplacesFirstPiece }
      meter?.advance(by: Int(scanner.header.blockSize))
    }
    try unsafe scanner.finish(blocks.rest(from: scanner.offset, buffer))
    try stitcher.finish()
    return (scanner.header, try pieces.finish(at: scanner.offset))
  }

  /// Makes the graph of a snapshot that was read.
  ///
  /// - Parameter isChecked: Whether all rows fit their tables.
  static func make(
    _ read: (header: SnapshotHeader, delta: Delta), isChecked: Bool, _ size: Int, _ meter: WorkMeter?
  ) throws(CodecError) -> Snapshot {
    let share = meter.map { WorkMeter.Share(size, of: $0, inSteps: read.delta.stepCount) }
    let graph = try graph(of: read.delta, isChecked: isChecked, share)
    return Snapshot(header: read.header, graph: graph.numbered(read.header.version))
  }

  private init(header: SnapshotHeader, graph: Graph) {
    self.header = header
    self.graph = graph
  }

  private static func graph(
    of delta: Delta, isChecked: Bool, _ share: WorkMeter.Share?
  ) throws(CodecError) -> Graph {
    do {
      let transaction = Transaction(.empty)
      try transaction.applyFinally(delta, isChecked: isChecked, counting: share)
      share?.finish()
      return transaction.graph
    } catch {
      throw CodecError(in: .snapshot, .unsound, at: 0, "its contents contradict one another (\(error))")
    }
  }
}
