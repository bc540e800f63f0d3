import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
import FiefSessions

// The positions at which an observed collection changed between two versions.

extension VersionDifference {
  /// Returns the positions at which a table changed.
  func positions(of table: TableKey, modified: Set<ObjectKey>) -> PositionChanges {
    var changes = PositionChanges()
    let delta = self.changes(of: table)
    changes.deletions = TableDelta.positions(of: delta?.deletedParts ?? [], in: old[table])
    changes.insertions = TableDelta.positions(of: delta?.insertedParts ?? [], in: new[table])
    if !modified.isEmpty {
      var chunks: [Int64: Bitmap256] = [:]
      for key in modified where old.contains(ObjectLink(table, key)) && new.contains(ObjectLink(table, key)) {
        chunks[key.chunk, default: Bitmap256()][key.bit] = true
      }
      let parts = chunks.sorted { $0.key < $1.key }.map { (chunk: $0.key, rows: $0.value) }
      changes.modifications = TableDelta.positions(of: parts, in: old[table])
    }
    return changes
  }

  /// Returns the positions at which the result of a query changed. Only rows that were changed are tested.
  ///
  /// - Parameters:
  ///   - selected: the rows in the old version; those of the new one on return.
  ///   - modified: the rows that count as modified.
  func positions(
    of query: CompiledQuery, _ selected: inout RowSelection, modified: Set<ObjectKey>
  ) -> PositionChanges {
    let delta = self.changes(of: query.table)
    let tested = delta.map { $0.rows($0.insertedParts) } ?? RowSelection()
    let matching = tested.isEmpty ? tested : query.selection(in: new, among: tested)
    let before = selected
    let touched = delta.map { $0.rows($0.insertedParts + $0.deletedParts) } ?? tested
    selected = before.replacing(touched, by: matching)
    var changes = PositionChanges()
    for key in touched {
      let (old, new) = (before.index(of: key), selected.index(of: key))
      if let old, new == nil { changes.deletions.append(old) }
      if old == nil, let new { changes.insertions.append(new) }
    }
    for key in modified {
      if let position = before.index(of: key), selected.contains(key) { changes.modifications.append(position) }
    }
    changes.modifications.sort()
    return changes
  }

  /// Returns the positions at which a list or set changed.
  func positions(of cell: Cell, _ type: ColumnType, _ modified: ModifiedRows) -> PositionChanges {
    let before = old.collection(cell)
    if !new.contains(cell.object) { return PositionChanges(deletions: Array(0..<(before?.count ?? 0))) }
    var changes = PositionChanges()
    switch change(of: cell) {
    case .list(let splices):
      // The offset from old positions to new ones.
      var shift = 0
      for splice in splices {
        let replaced = min(splice.range.count, splice.values.count)
        let start = splice.range.lowerBound
        changes.modifications += start..<start + replaced
        changes.deletions += start + replaced..<splice.range.upperBound
        changes.insertions += start + shift + replaced..<start + shift + splice.values.count
        shift += splice.values.count - splice.range.count
      }
    case .set(let removed, let inserted):
      changes.deletions = before.positions(of: removed, type)
      changes.insertions = new.collection(cell).positions(of: inserted, type)
    default: break
    }
    if type.canLink, let before, modified.mayBe(in: before, of: cell) {
      let deleted = Set(changes.deletions)
      var modifications = Set(changes.modifications)
      var position = 0
      before.forEach(as: type) { value in
        if let link = value.linked, modified.contains(link), !deleted.contains(position) {
          modifications.insert(position)
        }
        position += 1
        return true
      }
      changes.modifications = modifications.sorted()
    }
    return changes
  }

  /// Returns the keys at which a map changed, in ascending order.
  func keys(of map: CollectionLocation, _ modified: ModifiedRows) -> ElementChanges<String> {
    let before = old.collection(map.cell) as? StoredDictionary
    if !new.contains(map.cell.object) { return ElementChanges(deletions: before?.entries.map(\.key) ?? []) }
    var changes = ElementChanges<String>()
    var others: Set<IdenticalText> = []
    if case .dictionary(let removed, let set) = change(of: map.cell) {
      changes.deletions = removed
      for entry in set {
        if before?.find(entry.key).isPresent ?? false {
          others.insert(IdenticalText(entry.key))
        } else {
          changes.insertions.append(entry.key)
        }
      }
    }
    if map.type.canLink, let before, modified.mayBe(in: before, of: map.cell) {
      let after = new.collection(map.cell) as? StoredDictionary
      for entry in before.entries {
        guard let link = entry.value.linked, modified.contains(link), after?.find(entry.key).isPresent ?? false else {
          continue
        }
        others.insert(IdenticalText(entry.key))
      }
    }
    func sorted(_ keys: [String]) -> [String] { keys.sorted { StoredOrder.compare($0, $1) < 0 } }
    return ElementChanges(
      deletions: sorted(changes.deletions), insertions: sorted(changes.insertions),
      modifications: sorted(others.map(\.text)))
  }
}

extension StoredCollection? {
  /// Returns the positions of elements of a set, ascending.
  fileprivate func positions(of values: [StoredValue], _ type: ColumnType) -> [Int] {
    guard let set = self as? AnyStoredElements else { return [] }
    return values.compactMap { value in
      let (position, isPresent) = set.find(value, as: type)
      return isPresent ? position : nil
    }.sorted()
  }
}

extension TableDelta {
  /// Rows of some chunks, ascending.
  typealias Parts = [(chunk: Int64, rows: Bitmap256)]

  var deletedParts: Parts { deleted.map { ($0.chunk, $0.rows) } }
  var insertedParts: Parts { inserted.map { ($0.chunk, $0.rows.live) } }

  /// Returns the rows of which a cell changed, and some others.
  func rows(_ others: Parts) -> RowSelection {
    var rows: [Int64: Bitmap256] = [:]
    for column in updated {
      for cell in column.cells { rows[cell.key.chunk, default: Bitmap256()][cell.key.bit] = true }
    }
    for (chunk, more) in others { rows[chunk] = (rows[chunk] ?? Bitmap256()) | more }
    return RowSelection(blocks: rows)
  }

  /// Returns the positions of rows of a table. Linear in the clusters of the table.
  fileprivate static func positions(of parts: TableDelta.Parts, in table: Table?) -> [Int] {
    guard let table, !parts.isEmpty else { return [] }
    var positions: [Int] = []
    var (next, start) = (0, 0)
    table.rows.forEach { number, cluster in
      let (chunk, rows) = parts[next]
      if chunk == number {
        rows.forEach { bit in
          if let slot = cluster.slot(ofBit: bit) { positions.append(start + slot) }
        }
        next += 1
      }
      start += cluster.count
      return next < parts.count
    }
    return positions
  }
}
