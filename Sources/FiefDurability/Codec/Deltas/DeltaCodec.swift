import FiefGraph

/// Encodes changes as bytes: both kinds of file use this codec.
///
///     let bytes = DeltaCodec.encode(Delta(from: old, to: new))
///     let delta = try bytes.withUnsafeBytes { try DeltaCodec.decode($0) }
///     let next = try old.applying(delta)                     // == new
///
/// Every accepted encoding is canonical: `encode(decode(b)) == b` for every `b` that is accepted, and
/// `decode(encode(d))` equals `d` in content. Memory is allocated only for bytes that exist. `Transaction.apply` checks
/// whether the change is valid. FORMAT.md describes the form.
package enum DeltaCodec {
  /// Encodes `delta`. Linear.
  ///
  /// - Parameter delta: A change that was made by comparing graphs, or decoded. Traps when a leaf in it is vacant, or
  ///   one column holds collections of different types, which does not happen in a graph.
  package static func encode(_ delta: Delta) -> [UInt8] {
    let writer = ByteWriter()
    writer.delta(delta) { _ in }
    return unsafe [UInt8](writer.bytes)
  }

  /// Decodes `bytes`. Linear.
  ///
  /// - Throws: `CodecError`, whose offset counts from the beginning of `bytes`.
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Delta {
    try unsafe decode(ByteReader(bytes, .delta))
  }

  static func decode(_ reader: consuming ByteReader) throws(CodecError) -> Delta {
    var reader = reader
    var pieces = DeltaPieces()
    while reader.left > 0 {
      let (kind, contents) = try reader.piece()
      try pieces.add(kind, contents)
    }
    return pieces.delta
  }
}

extension ByteWriter {
  /// Appends all pieces of a change. Calls `flush` between pieces, so that a stream can remove complete ones, with the
  /// number of new rows in the last.
  func delta(_ delta: Delta, flush: (_ rows: Int) throws -> Void) rethrows {
    if let schema = delta.schema {
      piece(.schema) { self.schema(schema) }
      try flush(0)
    }
    for table in delta.tables {
      piece(.table) {
        varint(UInt64(table.table.rawValue))
        signedVarint(table.nextKey)
      }
      if !table.deleted.isEmpty { piece(.deleted) { deleted(table.deleted) } }
      try flush(0)
      for rows in table.inserted {
        piece(.inserted) {
          varint(UInt64(table.table.rawValue))
          inserted(rows)
        }
        try flush(rows.rows.count)
      }
      for column in table.updated {
        piece(.updated) { updated(column) }
        try flush(0)
      }
    }
  }

  private func inserted(_ rows: InsertedRows) {
    let cluster = rows.rows
    guard cluster.count > 0 else { fatalError("A chunk of rows without rows cannot be encoded.") }
    signedVarint(rows.chunk)
    bitmap(cluster.live)
    let leaves = cluster.leafCount
    varint(leaves)
    for index in 0..<leaves { leaf(cluster[leaf: index]) }
  }
}

/// A change that is assembled from its pieces.
struct DeltaPieces {
  private(set) var delta = Delta()
  private var last: PieceKind?
  /// The columns of the last table whose cells change.
  private var columns: Set<ColumnKey> = []

  /// Adds the next piece, in the order of the format.
  mutating func add(_ kind: PieceKind, _ contents: consuming ByteReader) throws(CodecError) {
    var contents = contents
    switch kind {
    case .schema:
      guard last == nil else { throw contents.wrong(.malformed, "the schema is not the first piece") }
      delta.schema = try contents.schema()
      try contents.finish("the schema")
    case .table:
      let start = contents
      let table = TableKey(rawValue: try contents.number32("a table"))
      if let before = delta.tables.last, before.table >= table {
        throw start.wrong(.notCanonical, "tables do not ascend")
      }
      delta.tables.append(TableDelta(table: table, nextKey: try contents.signedVarint()))
      columns = []
      try contents.finish("a table")
    case .deleted:
      guard last == .table else { throw contents.wrong(.malformed, "rows that go stand in a wrong place") }
      let rows = try contents.deleted()
      try contents.finish("a piece of rows that go")
      delta.tables[delta.tables.count - 1].deleted = rows
    case .inserted:
      let start = contents
      try checkPlaceOfRows(start)
      let (table, rows) = try contents.inserted()
      try add(rows, of: table, from: start)
    case .updated:
      guard let last, last != .schema else { throw contents.wrong(.malformed, "cells stand in a wrong place") }
      let start = contents
      let column = try contents.updated()
      // Cells that change twice could all have one primary key in between, whose rows are then searched one by one.
      guard columns.insert(column.column).inserted else {
        throw start.wrong(.notCanonical, "the cells of a column stand in two places")
      }
      try contents.finish("a piece of cells")
      delta.tables[delta.tables.count - 1].updated.append(column)
    case .schemaCopy: throw contents.wrong(.malformed, "a schema is repeated")
    }
    last = kind
  }

  /// Adds new rows that were decoded already.
  ///
  /// - Parameter start: A reader at the beginning of the piece, for errors.
  mutating func add(_ rows: consuming InsertedRows, of table: TableKey, from start: ByteReader) throws(CodecError) {
    try checkPlaceOfRows(start)
    let index = delta.tables.count - 1
    guard table == delta.tables[index].table else { throw start.wrong(.malformed, "new rows are of another table") }
    if let before = delta.tables[index].inserted.last, before.chunk >= rows.chunk {
      throw start.wrong(.notCanonical, "chunks of rows do not ascend")
    }
    delta.tables[index].inserted.append(rows)
    last = .inserted
  }

  private func checkPlaceOfRows(_ start: ByteReader) throws(CodecError) {
    guard let last, last == .table || last == .deleted || last == .inserted else {
      throw start.wrong(.malformed, "new rows stand in a wrong place")
    }
  }
}

extension ByteReader {
  /// Reads new rows of one chunk, to the end of the reader, and their table.
  mutating func inserted() throws(CodecError) -> (TableKey, InsertedRows) {
    let table = TableKey(rawValue: try number32("a table"))
    let chunk = try signedVarint()
    let live = try bitmap()
    let count = live.count
    let leafCount = try self.count(of: "columns", eachAtLeast: 2)
    var leaves: ContiguousArray<Leaf> = []
    for _ in 0..<leafCount { leaves.append(try leaf(count: count)) }
    try finish("a piece of new rows")
    return (table, InsertedRows(chunk: chunk, rows: Cluster(live: live, leaves: leaves)))
  }
}
