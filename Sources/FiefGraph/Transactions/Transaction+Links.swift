import FiefRuntime

// Keeps links and backlinks consistent.

extension Transaction {
  /// The index in `target.incoming` of the links through the column of a cell. A column of any-values gets an entry
  /// with its first link into the table.
  private func incomingIndex(in target: Table, of cell: Cell) -> Int {
    assert(cell.table.index < working.tables.count, "A link comes from a table of the graph.")
    if let index = target.incomingIndex(from: cell.table, cell.column) { return index }
    target.incoming.append(IncomingLinks(origin: cell.table, column: cell.column))
    return target.incoming.count - 1
  }

  /// Adds one backlink from `cell` to `target`.
  func addBacklink(_ cell: Cell, to target: ObjectLink) {
    assert(working[target.table] != nil, "A link leads to a table that exists.")
    assert(target.key.rawValue >= 0 && cell.key.rawValue >= 0, "A link has rows at both ends.")
    let table = writable(target.table.index)
    table.incoming[incomingIndex(in: table, of: cell)].insert(cell.key, to: target.key)
  }

  /// Adds the backlinks of links of a column to an ordinary table. If a link leads to a chunk without rows, none is
  /// added.
  ///
  /// - Returns: Whether every link leads to a row.
  func addBacklinks(
    _ links: consuming [GatheredLinks], from origin: TableKey, _ column: ColumnKey, to target: TableKey
  ) -> Bool {
    if links.allSatisfy(\.isEmpty) { return true }
    let table = writable(target.index)
    let rows = table.rows
    let chunks = GatheredLinks.chunks(consume links)
    guard chunks.allSatisfy({ rows.borrowed($0.chunk) != nil }) else { return false }
    let index = incomingIndex(in: table, of: Cell(origin, ObjectKey(0), column))
    return table.incoming[index].insert(chunks).allSatisfy { chunk, targets in
      (targets - (rows.read(chunk) { $0.live } ?? Bitmap256())).isEmpty
    }
  }

  /// Removes one backlink from `cell` to `target`.
  func removeBacklink(_ cell: Cell, to target: ObjectLink) {
    let table = writable(target.table.index)
    guard let index = table.incomingIndex(from: cell.table, cell.column),
      table.incoming[index].remove(cell.key, from: target.key)
    else { fatalError("A link has no backlink: \(cell) to \(target).") }
    assert(table.incoming[index].origin == cell.table, "A backlink is kept under the column that it comes from.")
  }

  /// Sets a single link of a cell: the fast path of `set(_:_:)`, for nearly all links.
  ///
  /// It handles only links to an ordinary table, through a column that is typed for the table and in no index. The
  /// accessors of a realm use it. Reading the old link, storing the new one and updating both backlinks need no `Value`
  /// and no error message.
  ///
  /// - Parameters:
  ///   - target: The row to link to; nil for null.
  ///   - isKnown: Whether the caller found the target in the working copy and `removals` has not changed since. The
  ///     target is then not looked up. The lookup would cost as much as the backlink, because the target's cluster is
  ///     seldom in the cache.
  /// - Returns: False if the link does not qualify or cannot be set; nothing has changed then, and `set(_:_:)` must be
  ///   called, which throws the error.
  package func setPlainLink(_ target: ObjectLink?, _ cell: Cell, isKnown: Bool) -> Bool {
    checkNotFilling()
    guard let (leaf, linked) = plainLink(cell, .single), target == nil || target?.table == linked,
      let row = borrowedRow(cell.object)
    else { return false }
    let old = row.cluster.with { $0.leaves[leaf].load(Int64.self, at: row.slot) }
    if old == target?.key.rawValue { return true }
    if let target, !isKnown, working.borrowedRow(target) == nil { return false }
    assert(target.map(contains) ?? true, "The target was found, and is still there.")
    _ = change(cell.key, of: cell.table.index) { $0.leaves[leaf].store(target?.key.rawValue, at: $1) }
    borrowedWritable(linked.index).with { table in
      let index = incomingIndex(in: table, of: cell)
      guard let old else {
        if let target { table.incoming[index].insert(cell.key, to: target.key) }
        return
      }
      if !table.incoming[index].move(cell.key, from: ObjectKey(old), to: target?.key) {
        fatalError("A link has no backlink: \(cell) to \(old).")
      }
    }
    assert(working.value(cell) == target.map { .link($0) } ?? .null, "A cell has the link that was set last.")
    return true
  }

  /// Appends a link to a list of links: the fast path of `append(_:toList:)`, for ordinary targets.
  ///
  /// - Parameters:
  ///   - target: The row to link to.
  ///   - isKnown: As in `setPlainLink`.
  /// - Returns: False if the cell is no list of such links, or one of the rows does not exist; nothing has changed
  ///   then, and `append(_:toList:)` must be called, which throws the error.
  package func appendPlainLink(_ target: ObjectLink, toList cell: Cell, isKnown: Bool) -> Bool {
    checkNotFilling()
    guard let (leaf, linked) = plainLink(cell, .list), target.table == linked, borrowedRow(cell.object) != nil,
      isKnown || working.borrowedRow(target) != nil
    else { return false }
    assert(contains(target), "The target was found, and is still there.")
    _ = change(cell.key, of: cell.table.index) { cluster, slot in
      cluster.leaves[leaf].values.updateCollection(at: slot) { contents in
        own(&contents, as: .link(to: linked, shape: .list)).with { $0.asElements.append(target.key.rawValue) }
      }
    }
    borrowedWritable(linked.index).with { table in
      table.incoming[incomingIndex(in: table, of: cell)].insert(cell.key, to: target.key)
    }
    assert(working.collection(cell)?.asElements.read(LastInteger()) == target.key.rawValue, "It is the last one now.")
    return true
  }

  /// The leaf of a cell that is a plain link, or a list of links, to an ordinary table, and the key of that table.
  private func plainLink(_ cell: Cell, _ shape: ColumnShape) -> (leaf: Int, linked: TableKey)? {
    // The table holds its schema.
    let schema = working.borrowedTable(cell.table.index)?.with { unsafe Borrowed($0.schema) }
    return schema?.with { schema in
      guard let leaf = schema.leaf(of: cell.column), schema.isPlainLink[leaf], schema.types[leaf].shape == shape,
        let linked = schema.types[leaf].target,
        working.borrowedTable(linked.index)?.with({ $0.schema.kind == .ordinary }) ?? false
      else { return nil }
      return (leaf, linked)
    }
  }

  /// The row in the working copy, without a lookup if its cluster is cached.
  private func borrowedRow(_ object: ObjectLink) -> BorrowedRow? {
    guard isCached(object.table.index, object.key.chunk) else { return working.borrowedRow(object) }
    assert(isCachedClusterSound, "The cached cluster is the one that the working copy holds, alone.")
    let cluster = unsafe cachedCluster.unsafelyUnwrapped.cluster
    return cluster.with { $0.slot(ofBit: object.key.bit) }.map {
      BorrowedRow(key: object.key, cluster: cluster, slot: $0)
    }
  }

  /// `exchange` below for at most one removed and one inserted value.
  func exchange(_ cell: Cell, removing old: Value?, inserting new: Value?, _ store: () -> Void) throws {
    if let old, isOwning(old) { return try exchange(cell, removing: [old], inserting: new.map { [$0] } ?? [], store) }
    if case .link(let link)? = old { removeBacklink(cell, to: link) }
    if case .link(let link)? = new { addBacklink(cell, to: link) }
    store()
  }

  /// Replaces links of one cell: updates backlinks and deletes owned rows that lose their owner. `store` changes the
  /// cell itself, and is called when no error is possible any more.
  ///
  /// - Throws: `GraphError` if a delete rule forbids the deletion of an owned row; nothing has changed then.
  func exchange(_ cell: Cell, removing old: [Value], inserting new: [Value], _ store: () -> Void) throws {
    let deletion = try exchangeBacklinks(cell, removing: old, inserting: new)
    store()
    if let deletion { apply(deletion) }
  }

  /// - Returns: The deletion of the owned rows that lose their owner, if any.
  private func exchangeBacklinks(_ cell: Cell, removing old: [Value], inserting new: [Value]) throws -> Deletion? {
    assert(
      new.allSatisfy { $0.linked.map { working[$0.table] != nil } ?? true }, "A link leads to a table that exists.")
    let orphans = old.filter(isOwning).compactMap(\.linked)
    let deletion = orphans.isEmpty ? nil : try planDeletion(of: orphans)
    for case .link(let link) in old { removeBacklink(cell, to: link) }
    for case .link(let link) in new { addBacklink(cell, to: link) }
    return deletion
  }
}
