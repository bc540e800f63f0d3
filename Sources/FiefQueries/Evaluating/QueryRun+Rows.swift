import FiefGraph
import FiefRuntime
import FiefValues

// The machine that runs a program over one row, or over one element without a row.

extension QueryRun {
  /// Whether the row satisfies the program. `row` is nil for an element.
  func matches(_ program: Program, _ row: RowLocation?) -> Bool {
    if let test = program.onlyTest { return matches(test, row) }
    assert(!program.instructions.isEmpty, "A program has an instruction.")
    var result = false
    var index = 0
    let instructions = program.instructions
    while index < instructions.count {
      switch instructions[index] {
      case .test(let test): result = matches(program.tests[test], row)
      case .constant(let value): result = value
      case .leaveNot: result.toggle()
      case .andStep(let end): if !result { index = end - 1 }
      case .orStep(let end): if result { index = end - 1 }
      case .enterNot, .enterAnd, .leaveAnd, .enterOr, .leaveOr: break
      }
      index += 1
    }
    return result
  }

  func matches(_ test: Test, _ row: RowLocation?) -> Bool {
    switch test {
    case .general(let test): return matches(test, row)
    case .subquery(let test): return row.map { matches(test, $0) } ?? false
    default: break
    }
    guard let row else { return false }
    switch test {
    case .integers(let column, let range, let isInverted, let ofNull):
      guard let number = row.cluster[leaf: column].load(Int64.self, at: row.slot) else { return ofNull }
      return range.contains(number) != isInverted
    case .integerSet(let column, let members, let ofNull):
      return row.cluster[leaf: column].load(Int64.self, at: row.slot).map(members.contains) ?? ofNull
    case .numbers(let column, let low, let high, let orNaN, let isInverted, let ofNull):
      let leaf = row.cluster[leaf: column]
      if leaf.nulls[row.slot] { return ofNull }
      let number: Double
      if case .float(let array) = leaf.values {
        number = Double(array[row.slot])
      } else {
        number = Double.load(from: leaf.values, at: row.slot)
      }
      return (number >= low && number <= high || number.isNaN && orNaN) != isInverted
    case .sameText(let column, let text, _, let isInverted, let ofNull):
      guard let found = row.cluster[leaf: column].load(String.self, at: row.slot) else { return ofNull }
      return ByteOrder.areIdentical(found, text) != isInverted
    case .text(let column, let matcher, let ofNull):
      return row.cluster[leaf: column].load(String.self, at: row.slot).map(matcher.matches) ?? ofNull
    case .cell(let column, let type, let matcher):
      return matcher.matches(row.cluster[leaf: column].value(at: row.slot, as: type))
    case .linked(let hops, let test, let ofNull, _):
      var row = row
      for hop in hops {
        guard case .link(let leaf, let table) = hop,
          let number = row.cluster[leaf: leaf].load(Int64.self, at: row.slot),
          let next = location(of: ObjectKey(number), in: table)
        else { return ofNull }
        row = next
      }
      return matches(test, row)
    case .general, .subquery: return false
    }
  }

  /// Finds a row by its key; nil when it does not exist.
  func location(of key: ObjectKey, in table: TableKey) -> RowLocation? {
    guard let (cluster, slot) = graph[table]?.find(key) else { return nil }
    assert(slot < cluster.count, "A row has a slot of its cluster.")
    return RowLocation(table: table, key: key, cluster: cluster, slot: slot)
  }

  // MARK: General tests

  private func matches(_ test: GeneralTest, _ row: RowLocation?) -> Bool {
    var right = test.right
    if case .path(let path, let relation, let options) = right {
      let other = firstValue(of: path, from: begin(path, row, at: test.level))
      right = .constant(ValueMatcher(relation, other, options: options))
    }
    // ANY and NONE look for a value that satisfies the relation. ALL looks for one that does not.
    let wanted = test.quantifier != .all
    var isFound = false
    forEachValue(of: test.left, from: begin(test.left, row, at: test.level)) { value in
      isFound = matches(right, value) == wanted
      return !isFound
    }
    return isFound != (test.quantifier == .all || test.quantifier == .none)
  }

  private func matches(_ right: GeneralTest.Right, _ value: Value) -> Bool {
    switch right {
    case .constant(let matcher): matcher.matches(value)
    case .shape(let shape): contains(shape, value)
    case .nested(let constants, let others, let isEqual):
      (others.matches(value) || constants.contains { $0.equals(value, part) }) == isEqual
    case .path: preconditionFailure("The value of a path is read once for a row.")
    }
  }

  private func begin(_ path: BoundPath, _ row: RowLocation?, at level: Int) -> RowLocation? {
    if path.level == level { return row }
    guard let table = path.start, path.level < scope.count else { return nil }
    return location(of: scope[path.level], in: table)
  }

  /// Whether the point that `value` links to lies in a shape. Rows that are not valid points lie in no shape.
  private func contains(_ shape: BoundShape, _ value: Value) -> Bool {
    guard case .link(let link) = value, let row = location(of: link.key, in: link.table),
      case .string("Point") = row.cluster[leaf: shape.typeLeaf].value(at: row.slot, as: ColumnType(.string)),
      let coordinates = row.cluster[leaf: shape.coordinatesLeaf].values.collection(at: row.slot),
      coordinates.count >= 2
    else { return false }
    let type = ColumnType(.double, shape: .list)
    guard case .double(let longitude) = coordinates.value(at: 0, as: type),
      case .double(let latitude) = coordinates.value(at: 1, as: type),
      let point = GeoPoint(latitude: latitude, longitude: longitude)
    else { return false }
    return shape.contains(point)
  }

  // MARK: Subqueries

  private func matches(_ test: SubqueryTest, _ row: RowLocation) -> Bool {
    // An outermost subquery tests each row once, and a nested one each row as often as there are ways to it.
    guard test.level > 0, let deepest = test.deepest else { return isTrue(test, row) }
    let key = deepest == test.level ? row.key : scope[deepest]
    assert(test.outerLevels.allSatisfy { $0 < scope.count }, "The rows around a subquery are known.")
    let outer = test.outerLevels.map { scope[$0] }
    if let answer = subqueries[test.memo]?.answer(of: key, beside: outer) { return answer }
    let answer = isTrue(test, row)
    subqueries[test.memo, default: SubqueryMemo()].keep(answer, of: key, beside: outer)
    return answer
  }

  private func isTrue(_ test: SubqueryTest, _ row: RowLocation) -> Bool {
    guard let origin = begin(test.path, row, at: test.level), let table = test.path.table else { return false }
    var count: Int64 = 0
    // `scope` holds one row for each level that is being evaluated.
    let depth = scope.count
    assert(depth <= test.level + 1, "A level has one row.")
    while scope.count <= test.level { scope.append(row.key) }
    scope[test.level] = row.key
    scope.append(row.key)
    forEachRow(at: test.path, from: origin) { key, ways in
      guard let element = key.flatMap({ location(of: $0, in: table) }) else { return true }
      scope[test.level + 1] = element.key
      if matches(test.program, element) { count = count.addingSaturating(ways) }
      return true
    }
    scope.removeLast(scope.count - depth)
    assert(scope.count == depth && count >= 0, "What is tested inside leaves nothing behind.")
    switch test.relation {
    case .equal: return count == test.count
    case .notEqual: return count != test.count
    case .less: return count < test.count
    case .lessOrEqual: return count <= test.count
    case .greater: return count > test.count
    default: return count >= test.count
    }
  }
}
