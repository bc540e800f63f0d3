import FiefGraph
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
  ///   - sink: Receives the bytes, in portions of about a block; each is valid only during the call.
  /// - Returns: the number of bytes.
  /// - Throws: only errors of `sink`.
  /// - Complexity: O(graph). Memory holds some blocks and the largest chunk of rows.
  @discardableResult
  package static func write(
    _ graph: Graph, _ header: SnapshotHeader, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> UInt64 {
    try unsafe withoutActuallyEscaping(sink) { sink in try unsafe write(graph, to: try BlockWriter(header, sink)) }
  }

  /// Writes a snapshot's blocks and its end.
  @discardableResult
  static func write(_ graph: Graph, to blocks: BlockWriter) throws -> UInt64 {
    let delta = Delta(from: .empty, to: graph)
    let pieces = ByteWriter(capacity: 1 << 16)
    try pieces.delta(delta) {
      try unsafe blocks.add(pieces.bytes)
      pieces.removeAll()
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

  /// Reads a snapshot from memory.
  ///
  /// - Parameter bytes: The whole file, without further bytes.
  /// - Throws: `CodecError` for every fault.
  /// - Complexity: linear in the bytes. The result takes a fixed multiple of their number, and memory for the highest
  ///   key of a table.
  package init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var source = unsafe BytesSource(bytes)
    do {
      self = try Self.read(&source)
    } catch let error as CodecError {
      throw error
    } catch {
      fatalError("Memory could not be read: \(error).")
    }
  }

  /// Reads a snapshot from front to back, a block at a time.
  ///
  /// - Parameter pull: Writes the next bytes of the file to the buffer and returns their number, 0 only at the end.
  /// - Throws: `CodecError` for faults in the bytes; errors of `pull`.
  package init(pulling pull: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    self = try unsafe withoutActuallyEscaping(pull) { pull in
      var source = unsafe PullSource(pull)
      return try Self.read(&source)
    }
  }

  private static func read(_ source: inout some SnapshotSource) throws -> Snapshot {
    let first = try unsafe source.next(SnapshotHeader.size)
    var scanner = try unsafe BlockScanner(first)
    var pieces = SnapshotPieces()
    var stitcher = PieceStitcher()
    while !scanner.isAtEnd {
      let bytes = try unsafe source.next(Int(scanner.header.blockSize), butLast: BlockScanner.trailerSize)
      let block = try unsafe scanner.next(bytes)
      let first = try unsafe stitcher.add(block.payload, at: block.payloadOffset) { kind, contents throws(CodecError) in
        try pieces.add(kind, contents)
      }
      if first != block.firstPiece {
        throw CodecError(
          in: .snapshot, .malformed, at: block.payloadOffset, "the block begins its first piece elsewhere")
      }
    }
    try unsafe scanner.finish(try source.next(BlockScanner.trailerSize))
    if unsafe !(try source.next(1)).isEmpty {
      throw CodecError(in: .snapshot, .trailing, at: scanner.offset, "there are bytes behind its end")
    }
    try stitcher.finish()
    let delta = try pieces.finish(at: scanner.offset)
    return Snapshot(header: scanner.header, graph: try Self.graph(of: delta).numbered(scanner.header.version))
  }

  private init(header: SnapshotHeader, graph: Graph) {
    self.header = header
    self.graph = graph
  }

  private static func graph(of delta: Delta) throws(CodecError) -> Graph {
    do {
      return try Graph.empty.applying(delta)
    } catch {
      throw CodecError(in: .snapshot, .unsound, at: 0, "its contents contradict one another (\(error))")
    }
  }
}
