extension Delta {
  /// The difference that leads from `old` to `new`.
  ///
  /// - Complexity: Proportional to the differences, times the height of the trees, if one graph derives from the other;
  ///   linear in their sizes if the graphs are unrelated.
  public init(from old: Graph, to new: Graph) {
    self.init()
    var visited = 0
    for (index, table) in new.tables.enumerated() {
      guard let table else { continue }
      visited += 1
      let before = index < old.tables.count ? old.tables[index] : nil
      if before === table { continue }
      var comparison = TableComparison(from: before, to: table)
      if let delta = comparison.result() { tables.append(delta) }
      visited += comparison.visited
    }
    // Versions of one graph share table schemas, so schemas are compared by identity first.
    if !Delta.haveEqualSchemas(old, new) { schema = new.schema }
    nodesVisited = visited
  }

  private static func haveEqualSchemas(_ a: Graph, _ b: Graph) -> Bool {
    a.tables.count == b.tables.count
      && zip(a.tables, b.tables).allSatisfy { a, b in
        a === b || a?.schema === b?.schema || a?.schema == b?.schema
      }
  }
}

/// The comparison of two versions of one table.
private struct TableComparison {
  let old: Table?
  let new: Table
  /// For each leaf of the new version, the old leaf that stores the same column in the same form.
  let oldLeaves: [Int?]
  var delta: TableDelta
  var changes: [[(key: ObjectKey, change: CellChange)]]
  var visited = 0

  init(from old: Table?, to new: Table) {
    self.old = old
    self.new = new
    oldLeaves = new.schema.columns.map { column in old?.schema.leaf(holding: column) }
    delta = TableDelta(table: new.schema.key, nextKey: new.nextKey)
    changes = Array(repeating: [], count: new.schema.columns.count)
    assert(old.map { $0.schema.key == new.schema.key } ?? true, "Two versions of one table are compared.")
  }

  /// The differences; nil if the versions are equal.
  mutating func result() -> TableDelta? {
    guard let old else {
      compareChunks(RadixTree(), new.rows)
      return delta
    }
    // A cluster that both versions share can be skipped only if its leaves belong to the same columns in both.
    if old.schema === new.schema
      || old.schema.columns.count == oldLeaves.count && oldLeaves.enumerated().allSatisfy({ $0 == $1 })
    {
      compareChunks(old.rows, new.rows)
    } else {
      compareAllChunks(old.rows, new.rows)
    }
    for (leaf, cells) in changes.enumerated() where !cells.isEmpty {
      delta.updated.append(ColumnDelta(column: new.schema.columns[leaf].key, cells: cells))
    }
    let isUnchanged =
      delta.deleted.isEmpty && delta.inserted.isEmpty && delta.updated.isEmpty && old.nextKey == new.nextKey
    return isUnchanged ? nil : delta
  }

  private mutating func compareChunks(_ old: RadixTree<Cluster>, _ new: RadixTree<Cluster>) {
    visited += RadixTree.difference(from: old, to: new) { chunk, before, after in
      compare(chunk, from: before, to: after)
      return true
    }
  }

  private mutating func compareAllChunks(_ old: RadixTree<Cluster>, _ new: RadixTree<Cluster>) {
    var chunks: Set<Int64> = []
    for tree in [old, new] {
      tree.forEach { chunk, _ in
        chunks.insert(chunk)
        return true
      }
    }
    for chunk in chunks.sorted() { compare(chunk, from: old[chunk], to: new[chunk]) }
  }

  private mutating func compare(_ chunk: Int64, from before: Cluster?, to after: Cluster?) {
    visited += 1
    guard let after else {
      if let before { delta.deleted.append(DeletedRows(chunk: chunk, rows: before.live)) }
      return
    }
    guard let before else {
      delta.inserted.append(InsertedRows(chunk: chunk, rows: after))
      return
    }
    assert(before.count > 0 && after.count > 0, "No cluster of a version is empty.")
    let gone = before.live - after.live
    let come = after.live - before.live
    if !gone.isEmpty { delta.deleted.append(DeletedRows(chunk: chunk, rows: gone)) }
    if !come.isEmpty { delta.inserted.append(InsertedRows(chunk: chunk, rows: after.restricted(to: come))) }
    for (leaf, column) in new.schema.columns.enumerated() {
      visited += 1
      var comparison = ColumnComparison(from: before, to: after, oldLeaf: oldLeaves[leaf], newLeaf: leaf, column.type)
      comparison.forEachChange { changes[leaf].append((ObjectKey(chunk: chunk, bit: $0), $1)) }
      visited += comparison.visited
    }
  }
}

extension TableSchema {
  /// The leaf that holds the cells of `column` in this schema, if it stores them in the same form.
  func leaf(holding column: Column) -> Int? {
    guard let leaf = leaf(of: column.key), columns[leaf].type.hasSameStorage(as: column.type) else { return nil }
    return leaf
  }
}

extension ColumnType {
  /// Whether cells of both types have the same stored form and meaning, so that a leaf of one is valid for the other.
  func hasSameStorage(as other: ColumnType) -> Bool {
    kind == other.kind && shape == other.shape && target == other.target
      && (shape == .single || shape == .dictionary || kind == .link || isOptional == other.isOptional)
  }
}

/// The comparison of one column in two clusters of the same chunk.
private struct ColumnComparison {
  let before: Cluster
  let after: Cluster
  let old: Leaf
  let new: Leaf
  let type: ColumnType
  var visited = 0

  /// - Parameter oldLeaf: Nil for a new column, which is compared with a leaf of unset cells.
  init(from before: Cluster, to after: Cluster, oldLeaf: Int?, newLeaf: Int, _ type: ColumnType) {
    assert(newLeaf < after.leaves.count && oldLeaf ?? -1 < before.leaves.count, "A leaf is one of its cluster.")
    self.before = before
    self.after = after
    self.type = type
    old = oldLeaf.map { before.leaves[$0] } ?? Leaf(for: type, count: before.count)
    new = after.leaves[newLeaf]
  }

  /// Calls `body` with the bit of each row that both clusters have and whose cell differs, and with the change.
  mutating func forEachChange(_ body: (Int, CellChange) -> Void) {
    if before.live != after.live {
      (before.live & after.live).forEach { bit in
        guard let oldSlot = before.slot(ofBit: bit), let newSlot = after.slot(ofBit: bit) else { return }
        if let change = change(from: oldSlot, to: newSlot) { body(bit, change) }
      }
    } else if old.nulls != new.nulls || !old.values.isSameStorage(as: new.values) {
      (new.values.slotsDiffering(from: old.values) | (old.nulls ^ new.nulls)).forEach { slot in
        if let change = change(from: slot, to: slot) { body(after.bit(ofSlot: slot), change) }
      }
    }
  }

  /// Whether a cell differs. Both clusters must have the same rows and columns.
  var isDifferent: Bool {
    mutating get {
      assert(before.live == after.live, "Cells are compared slot by slot where the rows are the same.")
      if old.nulls != new.nulls { return true }
      if old.values.isSameStorage(as: new.values) { return false }
      var start = 0
      while let slot = new.values.firstSlotDiffering(from: old.values, at: start) {
        if !type.isCollection || differsSoon(at: slot) || change(from: slot, to: slot) != nil { return true }
        start = slot + 1
      }
      return false
    }
  }

  /// Whether two collections differ in their counts or their first elements. The whole difference of a long list costs
  /// far more.
  private func differsSoon(at slot: Int) -> Bool {
    let (before, after) = (old.values.collection(at: slot), new.values.collection(at: slot))
    guard let before, let after, before.count == after.count else { return before?.count ?? 0 != after?.count ?? 0 }
    if type.shape == .dictionary { return false }
    return (0..<min(before.count, 1000)).contains { before.value(at: $0, as: type) != after.value(at: $0, as: type) }
  }

  /// Whether two cells are equal.
  mutating func isEqual(from oldSlot: Int, to newSlot: Int) -> Bool {
    oldSlot == newSlot && old.values.isSameStorage(as: new.values) && old.nulls == new.nulls
      || change(from: oldSlot, to: newSlot) == nil
  }

  /// The difference of two cells; nil if they are equal.
  private mutating func change(from oldSlot: Int, to newSlot: Int) -> CellChange? {
    if type.isCollection {
      return CellChange(
        from: old.values.collection(at: oldSlot), to: new.values.collection(at: newSlot), type, &visited)
    }
    let value = new.value(at: newSlot, as: type)
    return old.value(at: oldSlot, as: type) == value ? nil : .value(value)
  }
}

extension CellChange {
  /// The difference of two contents of a collection cell; nil if they are equal.
  fileprivate init?(from old: StoredCollection?, to new: StoredCollection?, _ type: ColumnType, _ visited: inout Int) {
    if old === new { return nil }
    assert(type.isCollection, "Only cells of collections are compared by their elements.")
    let old = old ?? .empty(for: type)
    let new = new ?? .empty(for: type)
    if old.isSameStorage(as: new) { return nil }
    switch type.shape {
    case .list:
      let (old, new) = (old.asElements, new.asElements)
      let edits = new.changes(from: old, visited: &visited)
      if edits.isEmpty { return nil }
      self = .list(
        edits.map { edit in
          ListSplice(range: edit.oldRange, values: edit.newRange.map { new.value(at: $0, as: type) })
        })
    case .set:
      let (old, new) = (old.asElements, new.asElements)
      let edits = new.changes(from: old, visited: &visited)
      if edits.isEmpty { return nil }
      self = .set(
        removed: edits.flatMap { $0.oldRange.map { old.value(at: $0, as: type) } },
        inserted: edits.flatMap { $0.newRange.map { new.value(at: $0, as: type) } })
    case .dictionary:
      let (removed, set) = new.asDictionary.changes(from: old.asDictionary, visited: &visited)
      if removed.isEmpty && set.isEmpty { return nil }
      self = .dictionary(removed: removed, set: set)
    case .single: return nil
    }
  }
}

extension Graph: Equatable {
  /// Whether both graphs have equal schemas, the same rows under the same keys with identical values, and the same next
  /// keys. The versions and the shapes of the trees are ignored.
  ///
  /// - Complexity: That of their delta.
  public static func == (a: Graph, b: Graph) -> Bool { Delta(from: a, to: b).isEmpty }
}

extension Graph {
  /// Whether the graph visibly differs from an earlier version of the same graph. Keys that were used, but have no row,
  /// are ignored. Stops at the first difference.
  ///
  /// - Parameter row: A row that probably differs, and is compared first. The result does not depend on it.
  package func differs(from old: Graph, probablyIn row: (table: Int, key: ObjectKey)? = nil) -> Bool {
    if tables.count != old.tables.count { return true }
    if let row, hasCell(row.key, ofTable: row.table, differentFrom: old) { return true }
    for index in tables.indices where tables[index] !== old.tables[index] {
      guard let new = tables[index], let old = old.tables[index], old.schema === new.schema || old.schema == new.schema,
        old.count == new.count
      else { return true }
      let columns = new.schema.columns
      var isDifferent = false
      RadixTree.difference(from: old.rows, to: new.rows) { _, before, after in
        guard let before, let after, before.live == after.live else {
          isDifferent = true
          return false
        }
        isDifferent = columns.indices.contains { leaf in
          var comparison = ColumnComparison(from: before, to: after, oldLeaf: leaf, newLeaf: leaf, columns[leaf].type)
          return comparison.isDifferent
        }
        return !isDifferent
      }
      if isDifferent { return true }
    }
    return false
  }

  /// Whether a row exists in both of two versions of a store, with identical cells.
  ///
  /// - Complexity: linear in the columns; constant if nothing near the row differs. For collections, that of their
  ///   difference.
  func hasEqualRow(_ link: ObjectLink, in other: Graph) -> Bool {
    guard let new = self[link.table], let old = other[link.table],
      new.schema === old.schema || new.schema == old.schema,
      let after = new.rows[link.key.chunk], let before = old.rows[link.key.chunk],
      let newSlot = after.slot(ofBit: link.key.bit), let oldSlot = before.slot(ofBit: link.key.bit)
    else { return false }
    if after === before { return true }
    let columns = new.schema.columns
    return columns.indices.allSatisfy { leaf in
      var comparison = ColumnComparison(from: before, to: after, oldLeaf: leaf, newLeaf: leaf, columns[leaf].type)
      return comparison.isEqual(from: oldSlot, to: newSlot)
    }
  }

  /// Whether a single cell of a row certainly differs from its content in an older version. A commit of a small write
  /// then compares some cells rather than a whole cluster.
  private func hasCell(_ key: ObjectKey, ofTable index: Int, differentFrom old: Graph) -> Bool {
    guard index < tables.count, let new = tables[index], let old = old.tables[index], new.schema === old.schema
    else { return false }
    let isDifferent = new.rows.read(key.chunk) { after in
      old.rows.read(key.chunk) { before in
        guard after.live == before.live, let slot = after.slot(ofBit: key.bit) else { return false }
        let columns = new.schema.columns
        return columns.indices.contains { leaf in
          guard !columns[leaf].type.isCollection else { return false }
          return after.withLeaf(leaf) { after in
            before.withLeaf(leaf) { before in after.values.differs(from: before.values, at: slot) }
          }
        }
      } ?? false
    }
    return isDifferent ?? false
  }
}
