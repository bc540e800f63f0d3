import FiefRuntime

extension Table {
  /// Calls `body` with every row, ascending.
  func forEachRow(_ body: (ObjectKey, Cluster, Int) -> Void) {
    forEachRow(from: ObjectKey(0)) {
      body($0, $1, $2)
      return true
    }
  }

  /// Calls `body` with the rows from a key on, ascending, until it returns false.
  package func forEachRow(from first: ObjectKey, _ body: (ObjectKey, Cluster, Int) -> Bool) {
    assert(first.rawValue >= 0, "Keys count from 0.")
    rows.forEach(from: first.chunk) { chunk, cluster in
      var slot = 0
      var goesOn = true
      cluster.live.forEach { bit in
        let key = ObjectKey(chunk: chunk, bit: bit)
        if goesOn && key >= first { goesOn = body(key, cluster, slot) }
        slot += 1
      }
      return goesOn
    }
  }

  /// Calls `body` with the entries of each values that several rows have in some columns, ascending, until it returns
  /// false. O(rows · log rows).
  func forEachRepetition(in columns: [ColumnKey], _ body: ([IndexEntry]) -> Bool) {
    assert(!columns.isEmpty, "Values of a column repeat.")
    let entries = entries(IndexDefinition(columns))
    var start = 0
    while start < entries.count {
      let end = IndexEntry.endOfRun(from: start, in: entries)
      if end - start > 1, !body(Array(entries[start..<end])) { return }
      start = end
    }
  }

  /// Adds the primary keys of new rows.
  ///
  /// - Returns: Whether two rows may have one primary key: whether the hash of a new one is that of another row.
  func insertPrimaryKeys(of rows: [InsertedRows]) -> Bool {
    let parts = Processors.parts(of: rows.count, least: 32)
    return primary.insert(contentsOf: Processors.map(parts.count) { primaryKeys(of: rows[parts[$0]]) })
  }

  private func primaryKeys(of rows: ArraySlice<InsertedRows>) -> HashIndex.Additions {
    var entries = HashIndex.Additions(capacity: rows.reduce(0) { $0 + $1.rows.count })
    for inserted in rows { inserted.rows.forEachPrimaryKey(schema, inChunk: inserted.chunk) { entries.append($0) } }
    return entries
  }

  /// Rebuilds the index of the primary keys of all rows.
  func buildPrimaryKeys() {
    primary = HashIndex()
    guard schema.primaryKeyLeaf >= 0 else { return }
    var all: [InsertedRows] = []
    rows.forEach { chunk, cluster in
      all.append(InsertedRows(chunk: chunk, rows: cluster))
      return true
    }
    _ = insertPrimaryKeys(of: all)
    assert(primary.count == count, "Each row has one primary key.")
  }

  /// The entries of every row, ascending by values and then by key.
  func entries(_ definition: IndexDefinition) -> [IndexEntry] {
    var entries: [IndexEntry] = []
    entries.reserveCapacity(count)
    forEachRow { key, cluster, slot in
      forEachEntry(of: key, in: cluster, slot: slot, definition) { entries.append($0) }
    }
    assert(definition.isFullText || entries.count == count, "Each row has one entry.")
    entries.sort { IndexEntry.compare($0, $1) < 0 }
    return entries
  }
}

extension Cluster {
  /// Calls `body` with the primary key of each row.
  fileprivate func forEachPrimaryKey(
    _ schema: TableSchema, inChunk chunk: Int64, _ body: (HashIndex.Entry) -> Void
  ) {
    let leaf = leaves[schema.primaryKeyLeaf]
    let type = schema.types[schema.primaryKeyLeaf]
    func forEach(_ hash: (Int) -> UInt64?) {
      var slot = 0
      live.forEach { bit in
        let value = leaf.nulls[slot] ? Value.null.primaryKeyHash : hash(slot)
        guard let value else { fatalError("A primary key is of a type that cannot be one.") }
        body(HashIndex.Entry(hash: value, key: ObjectKey(chunk: chunk, bit: bit).rawValue))
        slot += 1
      }
    }
    switch leaf.values {
    case .int8, .int16, .int32, .int64:
      let integers = Int64.buffer(of: leaf.values)
      forEach { KeyHash.of(integers[$0]) }
    case .string(let texts): forEach { KeyHash.of(texts[$0]) }
    default: forEach { leaf.values.value(at: $0, as: type).primaryKeyHash }
    }
  }
}
