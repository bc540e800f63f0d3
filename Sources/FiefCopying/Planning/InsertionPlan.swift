/// The changes that bring a value into a store; see README.md for a drawing.
///
/// A plan is filled by one walk, applied once, and emptied for the next use. It does not write before `apply`.
package final class InsertionPlan {
  // Exclusivity is not checked at run time here. One walk uses the arrays, and no access spans calls to other code.

  @safe @exclusivity(unchecked) package var rows: ContiguousArray<PlannedRow> = []
  @safe @exclusivity(unchecked) package var cells: ContiguousArray<PlannedCell> = []
  @safe @exclusivity(unchecked) package var elements: ContiguousArray<PlannedElement> = []
  /// Owned rows that are in their cells, and that have to be completed; empty unless the plan is being applied.
  @safe @exclusivity(unchecked) var owned: ContiguousArray<Int> = []
  /// Whether the kernel may still refuse a change that the walk could not check.
  @safe @exclusivity(unchecked) package var canBeRefused = false

  package init() {}

  /// Adds a row.
  ///
  /// - Returns: its index.
  package func add(_ row: consuming PlannedRow) -> Int {
    assert(row.step.parent < rows.count, "A row is reached from an earlier one.")
    assert(row.same < 0 || row.isUpdate && row.same < rows.count, "A row that stands for an earlier one changes that.")
    rows.append(row)
    return rows.count - 1
  }

  /// Calls `body` with each row, in the order of the distance from the root. Owned rows are as far as their owner and
  /// go first; linked rows wait. `body` may add rows.
  func forEachRowByDistance(_ body: (Int) throws -> Void) rethrows {
    var (nextOwned, next) = (0, 0)
    while true {
      while nextOwned < rows.count, !rows[nextOwned].isOwned { nextOwned += 1 }
      if nextOwned < rows.count {
        try body(nextOwned)
        nextOwned += 1
        continue
      }
      while next < rows.count, rows[next].isOwned { next += 1 }
      guard next < rows.count else { return }
      try body(next)
      next += 1
    }
  }

  /// Removes everything. The memory is kept unless the plan was large.
  package func removeAll() {
    let isSmall = rows.count < 4096 && cells.count < 65_536 && elements.count < 65_536
    rows.removeAll(keepingCapacity: isSmall)
    cells.removeAll(keepingCapacity: isSmall)
    elements.removeAll(keepingCapacity: isSmall)
    owned.removeAll(keepingCapacity: isSmall)
    canBeRefused = false
  }
}

/// The treatment of existing rows and their collections.
package enum PlanPolicy {
  /// Existing rows are not changed. The walk has already refused keys that are taken.
  case error
  /// Only differences are written. Objects without a key are changed in place, sets united and dictionaries merged.
  case modified
  /// Everything is replaced.
  case all
}
