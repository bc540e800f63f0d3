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
