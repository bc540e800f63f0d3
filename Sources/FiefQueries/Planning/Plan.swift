import FiefGraph

/// How the rows of a query are found in one version.
enum Plan {
  /// There can be none.
  case nothing
  /// By primary key: these rows at most.
  case keys([ObjectKey], isWhole: Bool)
  /// By an index; and by a second one, if both together are worth it.
  case index(IndexUse, IndexUse?, isWhole: Bool)
  /// By several plans, none of them a scan, whose rows together are those that can satisfy.
  case union([Plan], isWhole: Bool)
  /// By looking at all rows.
  case scan

  /// Whether what it gives needs no test.
  var isWhole: Bool {
    switch self {
    case .nothing: true
    case .keys(_, let isWhole), .index(_, _, let isWhole), .union(_, let isWhole): isWhole
    case .scan: false
    }
  }

  /// About how many rows it gives; nil for a scan.
  var estimate: Int? {
    switch self {
    case .nothing: 0
    case .keys(let keys, _): keys.count
    case .index(let use, _, _): use.count
    case .union(let plans, _): plans.reduce(0) { $0 + ($1.estimate ?? 0) }
    case .scan: nil
    }
  }

  /// How many rows satisfy the condition, if that is known without reading them.
  func count(in table: Table) -> Int? {
    switch self {
    case .nothing: 0
    case .index(let use, nil, true) where use.isExact: use.rowCount(in: table)
    default: nil
    }
  }

  /// The rows; nil for a scan. Plans nest two deep.
  func rows(of table: Table) -> RowSelection? {
    switch self {
    case .nothing: return RowSelection()
    case .keys(let keys, _): return RowSelection(keys)
    case .index(let use, nil, _): return use.rows(of: table)
    case .index(let use, let second?, _): return use.rows(of: table).intersection(second.rows(of: table))
    case .union(let plans, _):
      var keys: [ObjectKey] = []
      for plan in plans { keys += plan.rows(of: table) ?? RowSelection() }
      return RowSelection(keys)
    case .scan: return nil
    }
  }
}

/// What one index answers of a query.
struct IndexUse {
  /// The place of the index in its table.
  let index: Int
  /// The positions of values, apart and ascending unless several values are wanted.
  var ranges: [Range<Int>]
  /// The positions of further words that rows must have, and of parts of which they must not have all; of a full-text
  /// index.
  var further: [Range<Int>] = []
  var unwanted: [[Range<Int>]] = []
  /// About how many rows there are; 0 only when there is none.
  let count: Int
  /// How many of the conjuncts are answered by it.
  let answers: Int
  /// Whether each row has one of the values, so that counting by value counts rows.
  var isExact = true

  /// How many rows there are; one that has several of the values counts as often.
  func rowCount(in table: Table) -> Int { ranges.reduce(0) { $0 + table.indexes[index].rowCount(in: $1) } }

  /// The rows of the values.
  func rows(of table: Table) -> RowSelection {
    var found = rows(ranges, table)
    for range in further { found = found.intersection(rows([range], table)) }
    for part in unwanted {
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
    return RowSelection(keys)
  }
}
