import FiefCopying
import FiefGraph
import FiefQueries
import FiefSessions

// The positions at which an observed collection changed between two versions.

extension Difference {
  /// Returns the positions at which a table changed.
  func positions(of table: TableKey, _ isModified: (ObjectKey) -> Bool, modified: Set<ObjectKey>) -> PositionChanges {
    var changes = PositionChanges()
    let delta = self.changes(of: table)
    changes.deletions = (delta?.deleted ?? []).positions(in: old[table]) { ($0.chunk, $0.rows) }
    changes.insertions = (delta?.inserted ?? []).positions(in: new[table]) { ($0.chunk, $0.rows.live) }
    if !modified.isEmpty {
      var chunks: [Int64: Bitmap256] = [:]
      for key in modified
      where isModified(key) && old.contains(ObjectLink(table, key)) && new.contains(ObjectLink(table, key)) {
        let bits = chunks[key.chunk] ?? Bitmap256()
        chunks[key.chunk] = bits | Bitmap256(bit: key.bit)
      }
      changes.modifications = chunks.sorted { $0.key < $1.key }.positions(in: old[table]) { ($0.key, $0.value) }
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
    var changed: [Int64: Bitmap256] = [:]
    var deleted: [ObjectKey] = []
    if let delta = self.changes(of: query.table) {
      for column in delta.updated {
        for cell in column.cells { changed[cell.key.chunk, default: Bitmap256()][cell.key.bit] = true }
      }
      for (chunk, rows) in delta.inserted.map({ ($0.chunk, $0.rows.live) }) {
        changed[chunk] = (changed[chunk] ?? Bitmap256()) | rows
      }
      for block in delta.deleted {
        block.rows.forEach { deleted.append(ObjectKey(chunk: block.chunk, bit: $0)) }
      }
    }
    let tested = RowSelection(blocks: changed)
    let matching = tested.isEmpty ? tested : query.selection(in: new, among: tested)
    let before = selected
    let touched = deleted.isEmpty ? tested : RowSelection(Array(tested.keys) + deleted)
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
  func positions(of location: CollectionLocation, _ isModified: (ObjectLink) -> Bool, anyModified: Bool)
    -> PositionChanges
  {
    let before = old.collection(location.cell)
    if !new.contains(location.cell.object) { return .all(gone: before?.count ?? 0) }
    var changes = PositionChanges()
    switch change(of: location.cell) {
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
      changes.deletions = before.positions(of: removed, location.type)
      changes.insertions = new.collection(location.cell).positions(of: inserted, location.type)
    default: break
    }
    if anyModified, location.type.canLink, let before {
      let deleted = Set(changes.deletions)
      var modifications = Set(changes.modifications)
      var position = 0
      before.forEach(as: location.type) { value in
        if let link = value.linked, isModified(link), !deleted.contains(position) { modifications.insert(position) }
        position += 1
        return true
      }
      changes.modifications = modifications.sorted()
    }
    return changes
  }
}

extension StoredCollection? {
  /// Returns the positions of the given values among the elements.
  fileprivate func positions(of values: [StoredValue], _ type: ColumnType) -> [Int] {
    guard let self, !values.isEmpty else { return [] }
    let wanted = Set(values.map(HashedValue.init))
    var positions: [Int] = []
    var position = 0
    self.forEach(as: type) { value in
      if wanted.contains(HashedValue(value)) { positions.append(position) }
      position += 1
      return true
    }
    return positions
  }
}

extension Array {
  /// Returns the positions of rows of a table, given by chunks in ascending order. Linear in the clusters of the table.
  fileprivate func positions(in table: Table?, _ part: (Element) -> (chunk: Int64, rows: Bitmap256)) -> [Int] {
    guard let table, !isEmpty else { return [] }
    var positions: [Int] = []
    var next = startIndex
    var start = 0
    table.rows.forEach { number, cluster in
      let (chunk, rows) = part(self[next])
      if chunk == number {
        rows.forEach { bit in
          if let slot = cluster.slot(ofBit: bit) { positions.append(start + slot) }
        }
        next += 1
      }
      start += cluster.count
      return next < endIndex
    }
    return positions
  }
}
