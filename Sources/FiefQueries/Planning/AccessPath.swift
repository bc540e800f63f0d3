import FiefGraph

/// How the rows of a query are found in one version.
enum AccessPath {
  /// No row can satisfy the condition.
  case nothing
  /// A lookup by primary key. These are the only candidates.
  case keys([ObjectKey], isWhole: Bool)
  /// A lookup in an index, and in a second one if the intersection is worth it.
  case index(IndexUse, IndexUse?, isWhole: Bool)
  /// The union of several plans, none of which is a scan.
  case union([AccessPath], isWhole: Bool)
  case scan

  /// Whether all rows of the plan satisfy the condition, so that no test is needed.
  var isWhole: Bool {
    switch self {
    case .nothing: true
    case .keys(_, let isWhole), .index(_, _, let isWhole), .union(_, let isWhole): isWhole
    case .scan: false
    }
  }

  /// The approximate number of rows of the plan; nil for a scan.
  var estimate: Int? {
    switch self {
    case .nothing: 0
    case .keys(let keys, _): keys.count
    case .index(let use, _, _): use.count
    case .union(let plans, _): plans.reduce(0) { $0 + ($1.estimate ?? 0) }
    case .scan: nil
    }
  }

  /// The number of rows that satisfy the condition, if it is known without reading them.
  func count(in table: Table) -> Int? {
    switch self {
    case .nothing: 0
    case .index(let use, nil, true) where use.isExact: use.rowCount(in: table)
    default: nil
    }
  }

  /// The rows of the plan; nil for a scan. Plans nest at most two deep.
  func rows(of table: Table) -> RowSelection? {
    switch self {
    case .nothing: return RowSelection()
    case .keys(let keys, _): return RowSelection(keys)
    case .index(let use, nil, _): return use.rows(of: table)
    case .index(let use, let second?, _): return use.rows(of: table).intersection(second.rows(of: table))
    case .union(let plans, _):
      var keys: [ObjectKey] = []
      assert(plans.allSatisfy { if case .union = $0 { false } else { true } }, "Plans nest two deep.")
      for plan in plans { keys += plan.rows(of: table) ?? RowSelection() }
      return RowSelection(keys)
    case .scan: return nil
    }
  }
}

/// The part of a query that one index answers.
struct IndexUse {
  /// The number of the index in its table.
  let index: Int
  /// The positions of the wanted values. The ranges are disjoint and ascending unless several values are wanted.
  var ranges: [Range<Int>]
  /// Positions of further words, for full-text indexes. Rows must have all words of `further`, and must not have all
  /// words of any part of `unwanted`.
  var further: [Range<Int>] = []
  var unwanted: [[Range<Int>]] = []
  /// The approximate number of rows; 0 only when no row exists.
  let count: Int
  /// The number of conjuncts that the index answers.
  let answers: Int
  /// Whether each row has only one of the values, so that counting entries counts rows.
  var isExact = true

  /// The number of rows. A row with several of the values counts once for each.
  func rowCount(in table: Table) -> Int {
    let count = ranges.reduce(0) { $0 + table.indexes[index].rowCount(in: $1) }
    assert(count <= table.count || !isExact || ranges.count > 1, "A row has one value of a column.")
    return count
  }

  /// The rows that the index gives.
  func rows(of table: Table) -> RowSelection {
    assert(table.indexes.indices.contains(index), "A plan uses an index of its table.")
    var found = rows(ranges, table)
    for range in further { found = found.intersection(rows([range], table)) }
    for part in unwanted {
      assert(!part.isEmpty, "A part that excludes has words.")
      var all = rows([part[0]], table)
      for range in part.dropFirst() { all = all.intersection(rows([range], table)) }
      found = found.subtracting(all)
    }
    return found
  }

  private func rows(_ ranges: [Range<Int>], _ table: Table) -> RowSelection {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(count)
    for range in ranges { table.indexes[index].forEachRow(in: range) { keys.append($0) } }
    assert(keys.allSatisfy(table.contains), "An index has rows of its table.")
    return RowSelection(keys)
  }
}
