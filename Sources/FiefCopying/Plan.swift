/// What is to be done to bring something into a store; see README.md for a drawing.
///
/// It is filled by one walk, applied once, and emptied for the next use. It never writes before `apply`.
package final class Plan {
  // Exclusivity is not checked at run time on these: one walk uses them, and none is held while others run.

  @exclusivity(unchecked) package var rows: ContiguousArray<PlannedRow> = []
  @exclusivity(unchecked) package var cells: ContiguousArray<PlannedCell> = []
  @exclusivity(unchecked) package var elements: ContiguousArray<PlannedElement> = []
  /// Whether the kernel may still refuse something that the walk could not see.
  @exclusivity(unchecked) package var canBeRefused = false

  /// A plan of nothing.
  package init() {}

  /// Takes a row up.
  ///
  /// - Returns: its number.
  package func add(_ row: PlannedRow) -> Int {
    rows.append(row)
    return rows.count - 1
  }

  /// Forgets everything, and keeps the memory unless that is much.
  package func removeAll() {
    let isSmall = rows.count < 4096 && cells.count < 65_536 && elements.count < 65_536
    rows.removeAll(keepingCapacity: isSmall)
    cells.removeAll(keepingCapacity: isSmall)
    elements.removeAll(keepingCapacity: isSmall)
    canBeRefused = false
  }
}

/// What is done with rows that are there already, or with collections of such rows.
package enum PlanPolicy {
  /// They are not touched: keys that are taken were refused by the walk.
  case error
  /// What differs is changed; objects without a key are changed in their places, sets united, dictionaries merged.
  case modified
  /// Everything is exchanged.
  case all
}
