// Keeping the two ends of every link in step.

extension Transaction {
  /// The place among `target`'s incoming links of those through `column` of `origin`. A column of any-values gets its
  /// place with its first link into the table.
  private func incomingPlace(_ target: Table, _ origin: TableKey, _ column: ColumnKey) -> Int {
    if let place = target.incomingPlace(from: origin, column) { return place }
    target.incoming.append(IncomingLinks(origin: origin, column: column))
    return target.incoming.count - 1
  }

  /// Notes that `cell` links to `target`, once more.
  func addBacklink(_ cell: Cell, to target: ObjectLink) {
    let table = writable(target.table.index)
    table.incoming[incomingPlace(table, cell.table, cell.column)].insert(cell.key, to: target.key)
  }

  /// Notes that `cell` links to `target` once less.
  func removeBacklink(_ cell: Cell, to target: ObjectLink) {
    let table = writable(target.table.index)
    guard let place = table.incomingPlace(from: cell.table, cell.column),
      table.incoming[place].remove(cell.key, from: target.key)
    else { fatalError("A link has no backlink: \(cell) to \(target).") }
  }

  /// Sets a single link of a cell: the short way of `set(_:_:)`, for what nearly all links are.
  ///
  /// Only a link to an ordinary table, by a column that is typed for it and in no index, goes this way. The accessors
  /// of a realm take it: reading the old link, storing the new one and both changes of backlinks need no value to be
  /// made and no check to be said in words.
  ///
  /// - Parameters:
  ///   - target: what to link to; nil for nothing.
  ///   - isKnown: whether the caller saw that row in the working copy and `removals` has not changed since. Then it is
  ///     not looked for, which would cost as much as the backlink: its cluster is seldom in the cache.
  /// - Returns: false when it takes more than that, or something is wrong, which `set(_:_:)` then says; nothing has
  ///   changed then.
  package func setPlainLink(_ target: ObjectLink?, _ cell: Cell, isKnown: Bool) -> Bool {
    checkNotFilling()
    guard let (leaf, linked) = plainLink(cell), target == nil || target?.table == linked,
      let row = peekRow(cell.object)
    else { return false }
    let old = row.cluster._withUnsafeGuaranteedRef { $0.leaves[leaf].load(Int64.self, at: row.slot) }
    if old == target?.key.rawValue { return true }
    if let target, !isKnown, working.peekRow(target) == nil { return false }
    _ = change(cell.table.index, cell.key) { $0.leaves[leaf].store(target?.key.rawValue, at: $1) }
    let table = writable(linked.index)
    let place = incomingPlace(table, cell.table, cell.column)
    if let old, !table.incoming[place].remove(cell.key, from: ObjectKey(old)) {
      fatalError("A link has no backlink: \(cell) to \(old).")
    }
    if let target { table.incoming[place].insert(cell.key, to: target.key) }
    return true
  }

  /// The leaf of a cell that is a plain link to an ordinary table, and that table.
  private func plainLink(_ cell: Cell) -> (leaf: Int, linked: TableKey)? {
    working.peekTable(cell.table.index)?._withUnsafeGuaranteedRef { table in
      let schema = table.schema
      guard let leaf = schema.leaf(of: cell.column), schema.isPlainLink[leaf], let linked = schema.types[leaf].target,
        working.peekTable(linked.index)?._withUnsafeGuaranteedRef({ $0.schema.kind == .ordinary }) ?? false
      else { return nil }
      return (leaf, linked)
    }
  }

  /// The row as the working copy has it, without a walk when its cluster is the hot one.
  private func peekRow(_ object: ObjectLink) -> PeekedRow? {
    guard isHot(object.table.index, object.key.chunk) else { return working.peekRow(object) }
    let cluster = hot.unsafelyUnwrapped.cluster
    return cluster._withUnsafeGuaranteedRef { $0.slot(ofBit: object.key.bit) }.map {
      PeekedRow(key: object.key, cluster: cluster, slot: $0)
    }
  }

  /// `exchange` below for a single value that goes and a single one that comes, either of which may be none.
  func exchange(_ cell: Cell, removing old: Value?, inserting new: Value?, _ store: () -> Void) throws {
    if let old, isOwning(old) { return try exchange(cell, removing: [old], inserting: new.map { [$0] } ?? [], store) }
    if case .link(let link)? = old { removeBacklink(cell, to: link) }
    if case .link(let link)? = new { addBacklink(cell, to: link) }
    store()
  }

  /// Exchanges links of one cell, and what goes with that: backlinks, and the deletion of owned rows that lose their
  /// owner. `store` does the change to the cell itself, when nothing can fail any more.
  ///
  /// - Throws: when a delete rule forbids the deletion of an owned row; nothing has changed then.
  func exchange(_ cell: Cell, removing old: [Value], inserting new: [Value], _ store: () -> Void) throws {
    let orphans = old.filter(isOwning).compactMap(\.linked)
    let deletion = orphans.isEmpty ? nil : try planDeletion(of: orphans)
    for case .link(let link) in old { removeBacklink(cell, to: link) }
    for case .link(let link) in new { addBacklink(cell, to: link) }
    store()
    if let deletion { carryOut(deletion) }
  }
}
