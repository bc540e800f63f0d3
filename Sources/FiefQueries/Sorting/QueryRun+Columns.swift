import FiefGraph
import FiefValues

// Reading the values of sort keys and group keys from rows.

extension QueryRun {
  /// Reads the values of a sort key into a form that sorts fast. The form depends only on the kind of the values and on
  /// the collation.
  func column(_ key: BoundSortKey, _ keys: ContiguousArray<ObjectKey>, of table: Table) -> SortColumn {
    let path = key.path
    guard case .cell(let leaf, let type) = path.end, path.walk.isEmpty, !path.isMany else {
      return SortColumn(keys.map { value(of: key, $0, in: table) }, path.sortedKind, key.collation)
    }
    switch type.kind {
    case .int, .bool:
      return words(key, leaf, keys, table) { leaf, slot in SortColumn.word(Int64.load(from: leaf.values, at: slot)) }
    case .float:
      return words(key, leaf, keys, table) { leaf, slot in
        SortColumn.word(Double(Float.load(from: leaf.values, at: slot)))
      }
    case .double:
      return words(key, leaf, keys, table) { leaf, slot in SortColumn.word(Double.load(from: leaf.values, at: slot)) }
    case .date:
      var seconds = [UInt64](repeating: 0, count: keys.count)
      var nanoseconds = seconds
      let standings = read(key, leaf, keys, table) { position, leaf, slot in
        let moment = Timestamp.load(from: leaf.values, at: slot)
        seconds[position] = SortColumn.word(moment.seconds)
        nanoseconds[position] = UInt64(moment.nanoseconds)
      }
      return .moments(seconds: seconds, nanoseconds: nanoseconds, standings)
    case .string:
      var texts = [String](repeating: "", count: keys.count)
      let standings = read(key, leaf, keys, table) { position, leaf, slot in
        texts[position] = String.load(from: leaf.values, at: slot)
      }
      return key.collation.column(texts, standings)
    default: return SortColumn(keys.map { value(of: key, $0, in: table) }, type.kind, key.collation)
    }
  }

  @inline(__always)
  private func words(
    _ key: BoundSortKey, _ leaf: Int, _ keys: ContiguousArray<ObjectKey>, _ table: Table,
    _ word: (borrowing Leaf, Int) -> UInt64
  ) -> SortColumn {
    var words = [UInt64](repeating: 0, count: keys.count)
    let standings = read(key, leaf, keys, table) { position, leaf, slot in words[position] = word(leaf, slot) }
    return .words(words, standings)
  }

  /// Calls `body` for each row whose path ends in a cell that is not null, with the row's index and the cell's leaf and
  /// slot.
  ///
  /// - Returns: the standings of the rows; nil when no row is null or behind a null link.
  @inline(__always)
  private func read(
    _ key: BoundSortKey, _ end: Int, _ keys: ContiguousArray<ObjectKey>, _ table: Table,
    _ body: (Int, borrowing Leaf, Int) -> Void
  ) -> [SortColumn.Standing]? {
    var standings: [SortColumn.Standing]?
    func set(_ standing: SortColumn.Standing, at position: Int) {
      if standings == nil { standings = Array(repeating: .value, count: keys.count) }
      standings?[position] = standing
    }
    if key.path.hops.isEmpty {
      // Consecutive rows are mostly in one cluster, so the cluster is found once for each run.
      var start = 0
      while start < keys.count {
        let chunk = keys[start].chunk
        var next = start + 1
        while next < keys.count && keys[next].chunk == chunk { next += 1 }
        if let cluster = table.rows[chunk] {
          cluster.withLeaf(end) { leaf in
            for position in start..<next {
              if let slot = cluster.slot(ofBit: keys[position].bit), !leaf.nulls[slot] {
                body(position, leaf, slot)
              } else {
                set(.null, at: position)
              }
            }
          }
        } else {
          for position in start..<next { set(.null, at: position) }
        }
        start = next
      }
      return standings
    }
    for position in keys.indices {
      var row = self.location(of: keys[position], in: table.schema.key)
      for hop in key.path.hops {
        guard case .link(let leaf, let next) = hop else { break }
        row = row.flatMap { $0.cluster[leaf: leaf].load(Int64.self, at: $0.slot) }.flatMap {
          self.location(of: ObjectKey($0), in: next)
        }
      }
      guard let row else {
        set(key.setsNullLinksApart ? .unreached : .null, at: position)
        continue
      }
      let isRead = row.cluster.withLeaf(end) { leaf in
        if leaf.nulls[row.slot] { return false }
        body(position, leaf, row.slot)
        return true
      }
      if !isRead { set(.null, at: position) }
    }
    return standings
  }

  /// The value of a sort key in a row; nil behind a null link, unless null links count as null. For a path over
  /// backlinks, it is the value that comes first in the order of the sort.
  func value(of key: BoundSortKey, _ row: ObjectKey, in table: Table) -> Value? {
    guard let row = location(of: row, in: table.schema.key) else { return .null }
    guard key.path.isMany else { return single(key.path, row) ?? (key.setsNullLinksApart ? nil : .null) }
    var found = Value.null
    forEachValue(of: key.path, row) { value in
      if value.isNull { return true }
      if found.isNull || (key.ascending ? key.compare(value, found) < 0 : key.compare(value, found) > 0) {
        found = value
      }
      return true
    }
    return found
  }
}

extension BoundSortKey {
  fileprivate func compare(_ a: Value, _ b: Value) -> Int {
    if case .string(let a) = a, case .string(let b) = b { return collation.compare(a, b) }
    return StoredOrder.compare(a, b)
  }
}
