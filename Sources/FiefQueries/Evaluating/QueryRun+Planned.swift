import FiefGraph
import FiefRuntime

// Running a query by its plan.

extension QueryRun {
  /// All rows that satisfy the query's condition.
  ///
  /// - Parameter wanted: a scan stops after the cluster in which it reaches this number of rows. Other plans ignore it.
  func select(_ condition: CompiledCondition, in table: Table, upTo wanted: Int = .max) -> RowSelection {
    select(
      condition, in: table, by: QueryPlanner(table: table, conjunction: condition.conjunction).plan(), upTo: wanted)
  }

  /// All rows that satisfy the query's condition, found by the given plan.
  func select(_ condition: CompiledCondition, in table: Table, by plan: AccessPath, upTo wanted: Int = .max)
    -> RowSelection
  {
    if let found = plan.rows(of: table) {
      return plan.isWhole ? found : select(condition.program, in: table, among: found)
    }
    if wanted == .max, let parts = inParts(condition.program, of: table, { $0.scanned(by: $1, in: $2) }) {
      var found = RowSelection()
      for part in parts { for block in part.blocks { found.append(block.chunk, block.bits) } }
      return found
    }
    return scanned(by: condition.program, in: table, upTo: wanted)
  }

  private func scanned(by program: Program, in table: Table, upTo wanted: Int = .max) -> RowSelection {
    var found = RowSelection()
    scan(program, in: table) { chunk, cluster, slots in
      found.append(chunk, slots.spread(to: cluster))
      return found.count < wanted
    }
    return found
  }

  /// The rows of a selection that satisfy a program. Rows that do not exist are left out.
  func select(_ program: Program, in table: Table, among base: RowSelection) -> RowSelection {
    var found = RowSelection()
    for block in base.blocks {
      guard let cluster = table.rows[block.chunk] else { continue }
      let wanted = (block.bits & cluster.live).packed(at: cluster.live)
      if wanted.isEmpty { continue }
      examined += wanted.count
      found.append(
        block.chunk, select(program, in: table, chunk: block.chunk, cluster: cluster, among: wanted).spread(to: cluster)
      )
    }
    assert(found.count <= base.count, "Only rows of the base are found.")
    return found
  }

  /// The number of rows that satisfy the query's condition.
  func count(_ condition: CompiledCondition, in table: Table) -> Int {
    if condition.program.isAlwaysTrue { return table.count }
    let plan = QueryPlanner(table: table, conjunction: condition.conjunction, isCounting: true).plan()
    if let count = cheapCount(condition, in: table, by: plan) { return count }
    guard case .scan = plan else { return select(condition, in: table, by: plan).count }
    let parts = inParts(condition.program, of: table) { $0.counted(by: $1, in: $2) }
    let count = parts?.reduce(0, +) ?? counted(by: condition.program, in: table)
    assert(count <= table.count, "No more rows are counted than there are.")
    return count
  }

  private func counted(by program: Program, in table: Table) -> Int {
    var count = 0
    scan(program, in: table) { _, _, slots in
      count &+= slots.count
      return true
    }
    return count
  }

  /// The number of rows, if it takes much less time than finding them: from an index, or by counting a range of
  /// integers.
  func cheapCount(_ condition: CompiledCondition, in table: Table, by plan: AccessPath) -> Int? {
    if let count = plan.count(in: table) { return count }
    guard ShortCut.rangeCounts.isOn, case .scan = plan,
      case .integers(let column, let range, let isInverted, let ofNull) = condition.program.onlyTest
    else { return nil }
    ShortCut.rangeCounts.taken()
    var count = 0
    // Leaves without nulls are counted without a bitmap.
    table.rows.forEachBorrowed { _, cluster in
      cluster.with { cluster in
        let nulls = cluster.nulls(leaf: column)
        if nulls.isEmpty {
          let found = cluster.count(leaf: column, integersIn: range)
          count &+= isInverted ? cluster.count &- found : found
        } else {
          var found = cluster.slots(leaf: column, integersIn: range)
          if isInverted { found = Bitmap256(prefix: cluster.count) - found }
          count &+= (ofNull ? found | nulls : found - nulls).count
        }
        return true
      }
    }
    assert(count <= table.count, "No more rows are counted than there are.")
    examined += table.count
    return count
  }

  /// The row with the lowest key that satisfies the query's condition, or nil.
  func first(_ condition: CompiledCondition, in table: Table) -> ObjectKey? {
    let plan = QueryPlanner(table: table, conjunction: condition.conjunction).plan()
    guard case .scan = plan else { return select(condition, in: table, by: plan).first }
    var found: ObjectKey?
    scan(condition.program, in: table) { chunk, cluster, slots in
      if let slot = slots.next(from: 0) { found = ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot)) }
      return found == nil
    }
    assert(found.map { table.contains($0) } ?? true, "A row that is found exists.")
    return found
  }

  /// Calls `body` with each cluster and the slots of its rows that satisfy a program, until it returns false.
  @inline(__always)
  func scan(_ program: Program, in table: Table, _ body: (Int64, Cluster, Bitmap256) -> Bool) {
    scanned = table.count
    if let only = program.onlyTest {
      scan(only, in: table) { chunk, cluster, slots in
        examined &+= cluster.count
        return body(chunk, cluster, slots)
      }
    } else {
      scan(table) { chunk, cluster in
        examined &+= cluster.count
        return body(
          chunk, cluster,
          select(program, in: table, chunk: chunk, cluster: cluster, among: Bitmap256(prefix: cluster.count)))
      }
    }
  }

  /// Calls `body` with each cluster and the slots of its rows that satisfy one test, until it returns false.
  ///
  /// Strings have loops of their own, because a test that is taken apart for each cluster costs as much as half a scan.
  @inline(__always)
  func scan(_ test: Test, in table: Table, _ body: (Int64, Cluster, Bitmap256) -> Bool) {
    switch test {
    case .sameText(let column, let text, let short, let isInverted, let ofNull):
      scan(table) { chunk, cluster in
        let found = cluster.slots(leaf: column, equalTo: text, short: short)
        let nulls = cluster.nulls(leaf: column)
        if found.isEmpty && nulls.isEmpty && !isInverted { return body(chunk, cluster, found) }
        return body(
          chunk, cluster,
          Self.adjusted(found, nulls: nulls, isInverted: isInverted, ofNull: ofNull) & Bitmap256(prefix: cluster.count))
      }
    case .text(let column, let matcher, let ofNull):
      scan(table) { chunk, cluster in
        let all = Bitmap256(prefix: cluster.count)
        return body(chunk, cluster, Self.select(matcher, ofNull: ofNull, cluster: cluster, leaf: column, among: all))
      }
    default:
      scan(table) { chunk, cluster in
        body(
          chunk, cluster,
          select(test, in: table, chunk: chunk, cluster: cluster, among: Bitmap256(prefix: cluster.count)))
      }
    }
  }

  /// Calls `body` with each cluster until it returns false. The caller holds the table during the scan, which keeps the
  /// clusters alive, so they are neither retained nor released.
  @inline(__always)
  private func scan(_ table: Table, _ body: (Int64, Cluster) -> Bool) {
    table.rows.forEachBorrowed(from: chunks.lowerBound) { chunk, cluster in
      chunk < chunks.upperBound && cluster.with { body(chunk, $0) }
    }
  }
}
