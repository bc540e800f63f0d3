import FiefGraph

/// How the rows of a query are found in one version.
enum Plan {
  /// There can be none.
  case nothing
  /// By primary key: these rows at most.
  case keys([ObjectKey], answers: Int)
  /// By an index: the entries at these positions; and by a second one, if both together are worth it.
  case index(IndexUse, IndexUse?)
  /// By looking at all rows.
  case scan
}

/// What one index answers of a query.
struct IndexUse {
  /// The place of the index in its table.
  let index: Int
  /// The positions of the entries, apart and ascending unless several values are wanted.
  let ranges: [Range<Int>]
  /// How many entries there are.
  let count: Int
  /// How many of the conjuncts are answered by it.
  let answers: Int

  /// The rows of the entries.
  func rows(of table: Table) -> RowSelection {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(count)
    for range in ranges {
      table.indexes[index].entries.forEachLeaf(in: range) { entries, _ in
        for entry in entries { keys.append(entry.key) }
        return true
      }
    }
    return RowSelection(keys)
  }
}
