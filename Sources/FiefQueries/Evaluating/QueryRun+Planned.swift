import FiefGraph

// Answering a query by its plan.

extension QueryRun {
  /// All rows that satisfy the query's condition.
  func select(_ query: Query, _ table: Table) -> RowSelection {
    switch Planner(table: table, constraints: query.constraints).plan() {
    case .nothing: return RowSelection()
    case .keys(let keys, let answers):
      let found = RowSelection(keys)
      return answers == query.conjuncts ? found : select(query.program, table, among: found)
    case .index(let use, let second):
      var found = use.rows(of: table)
      if let second { found = found.intersection(second.rows(of: table)) }
      return second == nil && use.answers == query.conjuncts ? found : select(query.program, table, among: found)
    case .scan:
      var found = RowSelection()
      scan(query.program, table) { chunk, cluster, slots in
        found.append(chunk, slots.spread(to: cluster))
        return true
      }
      return found
    }
  }

  /// The rows of a selection that satisfy a program. Rows that are not there do not.
  func select(_ program: Program, _ table: Table, among base: RowSelection) -> RowSelection {
    var found = RowSelection()
    for block in base.blocks {
      guard let cluster = table.rows[block.chunk] else { continue }
      let wanted = (block.bits & cluster.live).packed(at: cluster.live)
      if wanted.isEmpty { continue }
      examined += wanted.count
      found.append(block.chunk, select(program, table, block.chunk, cluster, among: wanted).spread(to: cluster))
    }
    return found
  }

  /// How many rows satisfy the query's condition.
  func count(_ query: Query, _ table: Table) -> Int {
    if query.program.isAlwaysTrue { return table.count }
    switch Planner(table: table, constraints: query.constraints).plan() {
    case .nothing: return 0
    case .index(let use, nil) where use.answers == query.conjuncts: return use.count
    case .keys, .index: return select(query, table).count
    case .scan: break
    }
    var count = 0
    // A range of integers is counted without a bitmap in between.
    if case .integers(let place, let range, let isInverted, let ofNull) = query.program.onlyTest {
      table.rows.forEach { _, cluster in
        let leaf = cluster[leaf: place]
        if leaf.nulls.isEmpty {
          let found = leaf.values.countIntegers(in: range)
          count &+= isInverted ? cluster.count &- found : found
        } else {
          var found = leaf.values.slots(in: range)
          if isInverted { found = Bitmap256(prefix: cluster.count) - found }
          count &+= (ofNull ? found | leaf.nulls : found - leaf.nulls).count
        }
        return true
      }
      examined += table.count
      return count
    }
    scan(query.program, table) { _, _, slots in
      count &+= slots.count
      return true
    }
    return count
  }

  /// The row with the lowest key that satisfies the query's condition, or nil.
  func first(_ query: Query, _ table: Table) -> ObjectKey? {
    guard case .scan = Planner(table: table, constraints: query.constraints).plan() else {
      return select(query, table).first
    }
    var found: ObjectKey?
    scan(query.program, table) { chunk, cluster, slots in
      if let slot = slots.next(from: 0) { found = ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot)) }
      return found == nil
    }
    return found
  }

  /// Calls `body` with each cluster and the slots of the rows that satisfy a program, until it returns false.
  @inline(__always)
  func scan(_ program: Program, _ table: Table, _ body: (Int64, Cluster, Bitmap256) -> Bool) {
    let only = program.onlyTest
    table.rows.forEach { chunk, cluster in
      examined += cluster.count
      let all = Bitmap256(prefix: cluster.count)
      if let only { return body(chunk, cluster, select(only, table, chunk, cluster, among: all)) }
      return body(chunk, cluster, select(program, table, chunk, cluster, among: all))
    }
  }
}
