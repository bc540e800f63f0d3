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
    entries.sort { IndexEntry.compare($0, $1) < 0 }
    return entries
  }
}
