extension Table {
  /// Calls `body` with every row, ascending.
  func forEachRow(_ body: (ObjectKey, Cluster, Int) -> Void) {
    rows.forEach { chunk, cluster in
      var slot = 0
      cluster.live.forEach { bit in
        body(ObjectKey(chunk: chunk, bit: bit), cluster, slot)
        slot += 1
      }
      return true
    }
  }

  /// Calls `body` with the rows from a key on, ascending, until it returns false.
  ///
  /// - Complexity: linear in the clusters of the table, and in the rows that are passed.
  package func forEachRow(from first: ObjectKey, _ body: (ObjectKey, Cluster, Int) -> Bool) {
    assert(first.rawValue >= 0, "Keys count from 0.")
    rows.forEach { chunk, cluster in
      if chunk < first.chunk { return true }
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

  /// The entries of every row, ascending by values and then by key.
  func entries(_ definition: IndexDefinition) -> [IndexEntry] {
    var entries: [IndexEntry] = []
    entries.reserveCapacity(count)
    forEachRow { key, cluster, slot in
      if definition.isFullText {
        entries += wordEntries(of: key, in: cluster, slot: slot, definition)
      } else {
        entries.append(entry(of: key, in: cluster, slot: slot, columns: definition.columns))
      }
    }
    assert(definition.isFullText || entries.count == count, "Each row has one entry.")
    entries.sort { IndexEntry.compare($0, $1) < 0 }
    return entries
  }
}
