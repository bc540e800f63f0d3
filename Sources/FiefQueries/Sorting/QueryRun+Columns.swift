import FiefGraph
import FiefValues

// Reading the values of sort keys and group keys from rows.

extension QueryRun {
  /// The place of the values of a sort key in the rows of one table.
  private struct Place {
    let key: BoundSortKey
    let table: Table
    /// The leaf in which the path ends.
    let leaf: Int
  }

  /// Reads the values of a sort key into a form that sorts fast. The form depends only on the kind of the values and on
  /// the collation.
  ///
  /// - Parameters:
  ///   - keys: the key and the table, for each table of the rows; the key has one kind in all of them.
  ///   - rows: the rows, from whose order the values have theirs.
  func column(_ keys: [(key: BoundSortKey, table: Table)], _ rows: RowList) -> SortColumn {
    assert(!keys.isEmpty, "Rows are those of a table.")
    let (first, kind) = (keys[0].key, keys[0].key.path.kind)
    assert(keys.allSatisfy { $0.key.path.kind == kind }, "A sort key has one kind of values.")
    let places = keys.compactMap { key, table -> Place? in
      guard case .cell(let leaf, _) = key.path.end, key.path.walk.isEmpty, !key.path.isMany else { return nil }
      return Place(key: key, table: table, leaf: leaf)
    }
    func values() -> SortColumn {
      let values = rows.keys.indices.map { position in
        let (key, table) = keys[rows.table(at: position)]
        return value(of: key, rows.keys[position], in: table)
      }
      let sorted = first.path.sortedKind
      let isOne = keys.allSatisfy { $0.key.path.sortedKind == sorted }
      return SortColumn(values, kind: isOne ? sorted : .any, collation: first.collation)
    }
    guard places.count == keys.count else { return values() }
    switch kind {
    case .int, .bool:
      return numbers(places, of: rows) { leaf, slot in SortColumn.number(Int64.load(from: leaf.values, at: slot)) }
    case .float:
      return numbers(places, of: rows) { leaf, slot in
        SortColumn.number(Double(Float.load(from: leaf.values, at: slot)))
      }
    case .double:
      return numbers(places, of: rows) { leaf, slot in SortColumn.number(Double.load(from: leaf.values, at: slot)) }
    case .date:
      var seconds = [UInt64](repeating: 0, count: rows.keys.count)
      var nanoseconds = seconds
      let standings = read(places, of: rows) { position, leaf, slot in
        let moment = Timestamp.load(from: leaf.values, at: slot)
        seconds[position] = SortColumn.number(moment.seconds)
        nanoseconds[position] = UInt64(moment.nanoseconds)
      }
      return SortColumn(.dates(seconds: seconds, nanoseconds: nanoseconds), standings: standings)
    case .string:
      var texts = [String](repeating: "", count: rows.keys.count)
      let standings = read(places, of: rows) { position, leaf, slot in
        texts[position] = String.load(from: leaf.values, at: slot)
      }
      return SortColumn(first.collation.form(of: texts), standings: standings)
    default: return values()
    }
  }

  @inline(__always)
  private func numbers(_ places: [Place], of rows: RowList, _ number: (borrowing Leaf, Int) -> UInt64) -> SortColumn {
    var numbers = [UInt64](repeating: 0, count: rows.keys.count)
    let standings = read(places, of: rows) { position, leaf, slot in numbers[position] = number(leaf, slot) }
    return SortColumn(.numbers(numbers), standings: standings)
  }

  /// Calls `body` for each row whose path ends in a cell that is not null, with the row's index and the cell's leaf and
  /// slot.
  ///
  /// - Returns: the standings of the rows; nil when no row is null or behind a null link.
  @inline(__always)
  private func read(_ places: [Place], of rows: RowList, _ body: (Int, borrowing Leaf, Int) -> Void)
    -> [SortColumn.Standing]?
  {
    var standings: [SortColumn.Standing]?
    func set(_ standing: SortColumn.Standing, at position: Int) {
      if standings == nil { standings = Array(repeating: .value, count: rows.keys.count) }
      standings?[position] = standing
    }
    let keys = rows.keys
    // Consecutive rows are mostly in one cluster, so the cluster is found once for each run.
    var start = 0
    while start < keys.count {
      let (number, chunk) = (rows.table(at: start), keys[start].chunk)
      let place = places[number]
      var next = start + 1
      while next < keys.count && keys[next].chunk == chunk && rows.table(at: next) == number { next += 1 }
      defer { start = next }
      if !place.key.path.hops.isEmpty {
        for position in start..<next {
          guard let row = end(of: place.key.path, keys[position], in: place.table) else {
            set(place.key.setsNullLinksApart ? .unreached : .null, at: position)
            continue
          }
          let isRead = row.cluster.withLeaf(place.leaf) { leaf in
            if leaf.nulls[row.slot] { return false }
            body(position, leaf, row.slot)
            return true
          }
          if !isRead { set(.null, at: position) }
        }
      } else if let cluster = place.table.rows[chunk] {
        cluster.withLeaf(place.leaf) { leaf in
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
    }
    return standings
  }

  /// The row at the end of to-one links; nil behind a null link.
  private func end(of path: BoundPath, _ key: ObjectKey, in table: Table) -> RowLocation? {
    assert(!path.isMany, "A path over links to one row ends at one.")
    var row = location(of: key, in: table.schema.key)
    for hop in path.hops {
      guard case .link(let leaf, let next) = hop else { return nil }
      row = row.flatMap { $0.cluster[leaf: leaf].load(Int64.self, at: $0.slot) }.flatMap {
        location(of: ObjectKey($0), in: next)
      }
    }
    return row
  }

  /// The value of a sort key in a row; nil behind a null link, unless null links count as null. For a path over
  /// backlinks, it is the value that comes first in the order of the sort.
  func value(of key: BoundSortKey, _ row: ObjectKey, in table: Table) -> Value? {
    guard let row = location(of: row, in: table.schema.key) else { return .null }
    guard key.path.isMany else { return single(key.path, row) ?? (key.setsNullLinksApart ? nil : .null) }
    var found = Value.null
    forEachValue(of: key.path, from: row) { value in
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
