import FiefGraph
import FiefValues

/// Chooses how the rows of a query are found: by primary key, by one index, by two indexes or by a scan.
///
/// The planner estimates the rows of an index before it chooses it, which costs two descents. A row from an index costs
/// several times as much as a row of a scan, because it is read alone and not with its whole leaf.
struct QueryPlanner {
  let table: Table
  let conjunction: Conjunction
  /// Whether only the number of rows is wanted. Then an index that answers the whole condition is used however many
  /// rows it gives, unless it would have to add up the counts of more values than a scan is worth.
  var isCounting = false

  /// The number of scanned rows that cost as much as one row from an index.
  static let rowsOfScan = 8

  func plan() -> AccessPath {
    if conjunction.isEmpty { return .scan }
    let direct = plan(conjunction)
    if conjunction.alternatives.isEmpty { return direct }
    if let count = direct.estimate, count <= 16 { return direct }
    var best = direct
    for alternative in conjunction.alternatives {
      guard let plan = union(alternative, cheaperThan: best.estimate ?? table.count / Self.rowsOfScan) else { continue }
      best = plan
    }
    return best
  }

  /// One plan for each alternative; nil when one of them is a scan, or when all together cost no less than `limit`
  /// rows.
  private func union(_ branches: [Conjunction], cheaperThan limit: Int) -> AccessPath? {
    assert(branches.count > 1 && limit >= 0, "A disjunction has alternatives.")
    var plans: [AccessPath] = []
    var count = 0
    for branch in branches {
      let plan = plan(branch)
      guard let rows = plan.estimate else { return nil }
      count += rows
      if count >= limit && count > 16 { return nil }
      if case .nothing = plan { continue }
      plans.append(plan)
    }
    if plans.isEmpty { return .nothing }
    assert(plans.allSatisfy { $0.estimate != nil }, "An alternative is no scan.")
    return .union(plans, isWhole: conjunction.count == 1 && plans.allSatisfy(\.isWhole))
  }

  /// A plan for conditions that must all hold.
  private func plan(_ conjunction: Conjunction) -> AccessPath {
    if let key = table.schema.primaryKey {
      for constraint in conjunction.constraints where constraint.column == key {
        if case .values(let values) = constraint.wanted {
          var keys: [ObjectKey] = []
          for value in values {
            if let found = table.find(primaryKey: value) { keys.append(found) }
          }
          assert(keys.count <= values.count, "A primary key is that of one row.")
          return .keys(keys, isWhole: conjunction.count == 1)
        }
      }
    }
    var best: IndexUse?
    var second: IndexUse?
    for number in table.indexes.indices {
      guard let use = use(of: number, conjunction.constraints) else { continue }
      if use.count == 0 { return .nothing }
      if best.map({ use.count < $0.count || use.count == $0.count && use.answers > $0.answers }) ?? true {
        second = best
        best = use
      } else if second.map({ use.count < $0.count }) ?? true {
        second = use
      }
    }
    if isCounting, let best, best.isExact && best.answers == conjunction.count,
      table.indexes[best.index].hasOneRowPerValue
        || best.ranges.reduce(0, { $0 + $1.count }) < table.count / Self.rowsOfScan
    {
      return .index(best, nil, isWhole: true)
    }
    guard let best, best.count < table.count / Self.rowsOfScan || best.count <= 16 else { return .scan }
    // A second index pays off when the first gives many rows and the second is not much longer to read.
    if let second, best.count > 64, second.count <= best.count * 4,
      table.indexes[best.index].definition.columns[0] != table.indexes[second.index].definition.columns[0]
    {
      return .index(best, second, isWhole: false)
    }
    return .index(best, nil, isWhole: best.answers == conjunction.count)
  }

  /// The use of the index at `number` for the constraints; nil when it answers none of them.
  private func use(of number: Int, _ constraints: [Constraint]) -> IndexUse? {
    let index = table.indexes[number]
    let columns = index.definition.columns
    assert(!columns.isEmpty, "An index has a column.")
    if index.definition.isFullText { return useOfWords(number, of: index, for: constraints) }
    guard let first = constraint(columns[0], constraints) else { return nil }
    if columns.count == 1, case .values(let values) = first.wanted, values.count == 1 {
      let range = index.range(of: values[0])
      return IndexUse(index: number, ranges: [range], count: index.estimatedRowCount(in: range), answers: 1)
    }
    // The index is descended by its leading columns as long as each is compared with a single value.
    var leading: [Value] = []
    var last: Constraint.Wanted?
    var answers = 0
    for column in columns {
      guard let constraint = leading.isEmpty ? first : self.constraint(column, constraints) else { break }
      answers += constraint.answers
      if case .values(let values) = constraint.wanted, values.count == 1 {
        leading.append(values[0])
        continue
      }
      last = constraint.wanted
      break
    }
    let ranges: [Range<Int>]
    switch last {
    case nil: ranges = [index.range(leading)]
    case .values(let values)?:
      var distinct: [Value] = []
      var seen: Set<ValueKey> = []
      for value in values where seen.insert(ValueKey(value)).inserted { distinct.append(value) }
      ranges = distinct.map { index.range(leading + [$0]) }
    case .range(let low, let includesLow, let high, let includesHigh)?:
      let lower =
        low.map { index.position(leading + [$0], after: !includesLow) }
        ?? index.position(leading + [.null], after: true)
      let upper =
        high.map { index.position(leading + [$0], after: includesHigh) } ?? index.position(leading, after: true)
      ranges = [lower..<max(lower, upper)]
    case .prefix(let text)?: ranges = [index.range(leading, prefix: text)]
    case .words?: return nil
    }
    assert(ranges.allSatisfy { $0.upperBound <= index.values.count }, "An index has the positions that are read.")
    return IndexUse(
      index: number, ranges: ranges, count: ranges.reduce(0) { $0 + index.estimatedRowCount(in: $1) },
      answers: answers)
  }

  /// The use of a full-text index. Words much more frequent than the rarest one are not looked up. They are tested on
  /// the rows that the other words give.
  private func useOfWords(_ number: Int, of index: PropertyIndex, for constraints: [Constraint]) -> IndexUse? {
    var search: WordSearch?
    var answers = 0
    for constraint in constraints where constraint.column == index.definition.columns[0] {
      guard case .words(let words) = constraint.wanted else { continue }
      search = search.map { $0.joined(words) } ?? words
      answers += 1
    }
    guard let search else { return nil }
    assert(!search.wanted.isEmpty, "An index is asked for words alone.")
    typealias Found = (range: Range<Int>, rows: Int)
    func find(_ term: WordSearch.Term) -> Found {
      let range = term.isPrefix ? index.range([], prefix: term.word) : index.range([.string(term.word)])
      return (range, index.estimatedRowCount(in: range))
    }
    func isRarer(_ a: Found, _ b: Found) -> Bool { a.rows < b.rows }
    let wanted = search.wanted.map(find).sorted(by: isRarer)
    let unwanted = search.unwanted.map { $0.map(find).sorted(by: isRarer) }.filter { $0[0].rows > 0 }
    assert(wanted[0].rows >= 0 && !wanted.isEmpty, "The rarest word has a number of rows.")
    let limit = 64 + 8 * wanted[0].rows
    let further = wanted.dropFirst().filter { $0.rows <= limit }
    let parts = unwanted.filter { $0.allSatisfy { $0.rows <= limit } }
    let isWhole = further.count == wanted.count - 1 && parts.count == unwanted.count
    return IndexUse(
      index: number, ranges: [wanted[0].range], further: further.map(\.range),
      unwanted: parts.map { $0.map(\.range) }, count: wanted[0].rows, answers: isWhole ? answers : 0,
      isExact: wanted.count == 1 && unwanted.isEmpty && !search.wanted[0].isPrefix)
  }

  /// The constraint on a column, and the number of conjuncts that it covers. Values take precedence over ranges, and
  /// several ranges are intersected.
  private func constraint(
    _ column: ColumnKey, _ constraints: [Constraint]
  ) -> (wanted: Constraint.Wanted, answers: Int)? {
    var chosen: (wanted: Constraint.Wanted, answers: Int)?
    for constraint in constraints where constraint.column == column {
      switch (chosen?.wanted, constraint.wanted) {
      case (_, .words), (.words?, _): break
      case (nil, _): chosen = (constraint.wanted, 1)
      case (.range?, .range), (.prefix?, .range), (.range?, .prefix), (.prefix?, .prefix):
        if let both = chosen?.wanted.intersection(constraint.wanted) { chosen = (both, (chosen?.answers ?? 0) + 1) }
      case (_, .values): if case .values? = chosen?.wanted {} else { chosen = (constraint.wanted, 1) }
      case (.values?, _): break
      }
    }
    assert(chosen.map { $0.answers > 0 } ?? true, "A constraint covers a conjunct.")
    return chosen
  }
}

extension Constraint.Wanted {
  /// The intersection of two ranges; nil when one of them is not a range.
  fileprivate func intersection(_ other: Constraint.Wanted) -> Constraint.Wanted? {
    guard case .range(var low, var includesLow, var high, var includesHigh) = self,
      case .range(let otherLow, let includesOtherLow, let otherHigh, let includesOtherHigh) = other
    else { return nil }
    if let otherLow {
      let order = low.map { StoredOrder.compare($0, otherLow) } ?? -1
      if order < 0 { (low, includesLow) = (otherLow, includesOtherLow) }
      if order == 0 { includesLow = includesLow && includesOtherLow }
    }
    if let otherHigh {
      let order = high.map { StoredOrder.compare($0, otherHigh) } ?? 1
      if order > 0 { (high, includesHigh) = (otherHigh, includesOtherHigh) }
      if order == 0 { includesHigh = includesHigh && includesOtherHigh }
    }
    return .range(low: low, includesLow: includesLow, high: high, includesHigh: includesHigh)
  }
}

extension PropertyIndex {
  /// The first position whose leading values do not precede `values`; with `after`, the first that follows them.
  func position(_ values: [Value], after: Bool) -> Int {
    assert(values.count <= definition.columns.count, "An index has the columns that are compared.")
    if values.count == 1 { return after ? upperBound(values[0]) : lowerBound(values[0]) }
    return self.values.partitionPoint { entry in
      let order = Self.compare(entry, values)
      return after ? order > 0 : order >= 0
    }
  }

  /// The positions whose leading values are `values`.
  func range(_ values: [Value]) -> Range<Int> {
    if values.count == 1 { return range(of: values[0]) }
    let low = position(values, after: false)
    assert(low <= position(values, after: true), "Equal values follow one another.")
    return low..<position(values, after: true)
  }

  /// The positions whose leading values are `values` and whose next column is a string with the prefix.
  func range(_ values: [Value], prefix: String) -> Range<Int> {
    assert(!prefix.isEmpty, "No string has an empty prefix.")
    let low = position(values + [.string(prefix)], after: false)
    let position = values.count
    let bytes = Array(prefix.utf8)
    let high = self.values.partitionPoint { entry in
      let order = Self.compare(entry, values)
      if order != 0 { return order > 0 }
      guard case .string(let text) = position == 0 ? entry.first : entry.rest[position - 1] else {
        return StoredOrder.compare(position == 0 ? entry.first : entry.rest[position - 1], .string("")) > 0
      }
      return !text.utf8.starts(with: bytes) && StoredOrder.compare(text, prefix) > 0
    }
    return low..<max(low, high)
  }

  private static func compare(_ entry: IndexedValue, _ values: [Value]) -> Int {
    for (position, value) in values.enumerated() {
      let order = StoredOrder.compare(position == 0 ? entry.first : entry.rest[position - 1], value)
      if order != 0 { return order }
    }
    return 0
  }
}
