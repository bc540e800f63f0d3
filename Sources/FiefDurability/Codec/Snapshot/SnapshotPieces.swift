import FiefGraph

/// Assembles the change from the empty graph from the pieces of a snapshot, and requires the one order and form that
/// equal graphs share.
struct SnapshotPieces {
  private var pieces = DeltaPieces()
  private var isComplete = false

  mutating func add(_ kind: PieceKind, _ contents: consuming ByteReader) throws(CodecError) {
    if isComplete { throw contents.wrong(.malformed, "there are pieces behind the last") }
    switch kind {
    case .schema, .table, .inserted: try pieces.add(kind, contents)
    case .deleted, .updated: throw contents.wrong(.malformed, "a snapshot changes rows")
    case .schemaCopy:
      let start = contents
      let copy = try contents.schema()
      try contents.finish("the schema")
      guard let schema = pieces.delta.schema, schema.isIdentical(to: copy) else {
        throw start.wrong(.malformed, "the copy of the schema is another")
      }
      isComplete = true
    }
  }

  /// Adds new rows that were decoded already; see `DeltaPieces`.
  mutating func add(_ rows: consuming InsertedRows, of table: TableKey, from start: ByteReader) throws(CodecError) {
    if isComplete { throw start.wrong(.malformed, "there are pieces behind the last") }
    try pieces.add(rows, of: table, from: start)
  }

  /// Returns the change after all pieces were added.
  func finish(at offset: UInt64) throws(CodecError) -> Delta {
    let delta = pieces.delta
    func wrong(_ reason: String) -> CodecError { CodecError(in: .snapshot, .notCanonical, at: offset, reason) }
    if delta.schema != nil && !isComplete { throw wrong("the copy of the schema is missing") }
    if let schema = delta.schema, schema.isIdentical(to: .empty) { throw wrong("it spells a schema that nothing says") }
    // Equal graphs have pieces for equal tables: for each declared table, and for the two others if they were used.
    let said = delta.tables.map(\.table)
    for table in delta.tables.prefix(2) where table.table.isNested && table.nextKey == 0 && table.inserted.isEmpty {
      throw wrong("it spells a table that nothing says")
    }
    let declared = delta.schema?.tables.map(\.key) ?? []
    let isEachSaid = said.filter { !$0.isNested } == declared.filter { !$0.isNested }
    if !isEachSaid { throw wrong("tables are missing, or not in the schema") }
    return delta
  }
}

extension Schema {
  /// Whether two schemas have the same bytes. (Names that Swift compares as equal may have different bytes.)
  func isIdentical(to other: Schema) -> Bool {
    func bytes(_ schema: Schema) -> ByteWriter {
      let writer = ByteWriter()
      writer.schema(schema)
      return writer
    }
    let (a, b) = (bytes(self), bytes(other))
    return unsafe a.count == b.count && zip(a.bytes, b.bytes).allSatisfy { $0 == $1 }
  }
}
