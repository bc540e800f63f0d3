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

  /// The same for a single value that goes and a single one that comes, either of which may be none.
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
