import FiefGraph
import FiefRuntime
import FiefValues

// Comparisons of one cell with constants: tests that scan leaf by leaf, and the constraints that an index can answer.

extension Binder {
  /// The leaf and type of the single cell at the end of a path over to-one links; nil for other paths.
  func cell(_ path: BoundPath) -> (leaf: Int, type: ColumnType)? {
    guard case .cell(let leaf, let type) = path.end, path.walk.isEmpty, path.level == scopes.count - 1,
      path.hops.allSatisfy(\.isLink)
    else { return nil }
    return (leaf, type)
  }

  /// Wraps the test so that it applies to the row at which the path begins.
  mutating func wrapped(_ test: Test, _ path: BoundPath) -> Test {
    guard !path.hops.isEmpty else { return test }
    assert(!path.isMany, "A test of one cell is behind links to one row.")
    memos += 1
    return .linked(path.hops, test, ofNull: test.ofNull, memo: memos - 1)
  }

  /// The test of a cell of the row itself: a relation to a constant that is no shape and no collection.
  static func cellTest(
    leaf: Int, type: ColumnType, _ relation: Comparison.Operator, _ fitting: ComparedValues.Fitting,
    options: TextOptions
  ) -> Test {
    assert(leaf >= 0 && type.shape == .single, "A cell has one value.")
    switch (type.kind, fitting) {
    case (.int, .range(.int(let low), .int(let high))):
      return low <= high
        ? .integers(leaf: leaf, low...high, isInverted: false, ofNull: false)
        : .integers(leaf: leaf, .min ... .max, isInverted: true, ofNull: false)
    case (.int, .members(let values)), (.bool, .members(let values)), (.link, .members(let values)):
      let numbers = values.compactMap { value -> Int64? in
        switch value {
        case .int(let number): number
        case .bool(let flag): flag ? 1 : 0
        case .link(let link): link.key.rawValue
        default: nil
        }
      }
      return .integerSet(leaf: leaf, Set(numbers), ofNull: values.contains(.null))
    case (_, .value(let value)):
      return cellTest(leaf: leaf, type: type, relation, value: value, options: options)
    default: return .cell(leaf: leaf, type, ValueMatcher(relation, fitting, options: options))
    }
  }

  /// The test of a cell of the row itself: a relation to one value.
  static func cellTest(
    leaf: Int, type: ColumnType, _ relation: Comparison.Operator, value: Value, options: TextOptions
  ) -> Test {
    let ofNull = Meaning.holds(.null, relation, value)
    switch (type.kind, value) {
    case (.int, .int(let number)):
      if let test = integers(leaf: leaf, relation, number, ofNull: ofNull) { return test }
    case (.bool, .bool(let flag)):
      if let test = integers(leaf: leaf, relation, flag ? 1 : 0, ofNull: ofNull) { return test }
    case (.link, .link(let link)):
      if let test = integers(leaf: leaf, relation, link.key.rawValue, ofNull: ofNull) { return test }
    case (.int, .null), (.bool, .null), (.link, .null):
      // No value satisfies `== nil` and every value satisfies `!= nil`. `ofNull` decides for null cells.
      return .integers(leaf: leaf, .min ... .max, isInverted: relation != .notEqual, ofNull: ofNull)
    case (.double, .double(let number)):
      return numbers(leaf: leaf, relation, number, ofNull: ofNull)
    case (.float, .float(let number)):
      return numbers(leaf: leaf, relation, Double(number), ofNull: ofNull)
    case (.string, .string(let text)) where relation != .fullText:
      if options.isEmpty && (relation == .equal || relation == .notEqual) {
        return .sameText(
          leaf: leaf, text, short: RawStrings.words(ofShort: text),
          isInverted: relation == .notEqual, ofNull: ofNull)
      }
      return .text(leaf: leaf, TextMatcher(relation, text, options: options), ofNull: ofNull)
    default: break
    }
    return .cell(leaf: leaf, type, ValueMatcher(relation, value, options: options))
  }

  private static func integers(leaf: Int, _ relation: Comparison.Operator, _ number: Int64, ofNull: Bool) -> Test? {
    assert(leaf >= 0, "A cell is in a leaf.")
    let range: ClosedRange<Int64>?
    switch relation {
    case .equal, .notEqual: range = number...number
    case .less: range = number == .min ? nil : .min...(number - 1)
    case .lessOrEqual: range = .min...number
    case .greater: range = number == .max ? nil : (number + 1) ... .max
    case .greaterOrEqual: range = number ... .max
    default: return nil
    }
    guard let range else { return .integers(leaf: leaf, .min ... .max, isInverted: true, ofNull: ofNull) }
    return .integers(leaf: leaf, range, isInverted: relation == .notEqual, ofNull: ofNull)
  }

  /// A test of doubles in the order of `StoredOrder`: a NaN equals a NaN and precedes all other numbers.
  private static func numbers(leaf: Int, _ relation: Comparison.Operator, _ number: Double, ofNull: Bool) -> Test {
    assert(relation == .notEqual || relation == .equal || relation.isOrder, "Numbers are equal or in an order.")
    var (low, high, orNaN) = (-Double.infinity, Double.infinity, false)
    if number.isNaN {
      switch relation {
      case .equal, .notEqual, .lessOrEqual: (low, high, orNaN) = (.infinity, -.infinity, true)
      case .less: (low, high) = (.infinity, -.infinity)
      case .greater: break
      default: orNaN = true
      }
    } else {
      switch relation {
      case .equal, .notEqual: (low, high) = (number, number)
      case .less:
        orNaN = true
        if number == -.infinity { (low, high) = (.infinity, -.infinity) } else { high = number.nextDown }
      case .lessOrEqual: (high, orNaN) = (number, true)
      case .greater: if number == .infinity { (low, high) = (.infinity, -.infinity) } else { low = number.nextUp }
      default: low = number
      }
    }
    return .numbers(leaf: leaf, low: low, high: high, orNaN: orNaN, isInverted: relation == .notEqual, ofNull: ofNull)
  }

  // MARK: Index constraints

  /// The answer of an index for a relation to a constant; nil without one.
  func constraint(
    _ path: BoundPath, _ relation: Comparison.Operator, _ fitting: ComparedValues.Fitting, options: TextOptions
  ) -> Constraint? {
    guard case .cell(let leaf, _) = path.end, path.hops.isEmpty, path.level == 0, scopes.count == 1, path.walk.isEmpty,
      case .row(let table, _) = scopes[0], options.isEmpty
    else { return nil }
    assert(table.columns.indices.contains(leaf), "A leaf is that of a column.")
    let wanted: Constraint.Wanted
    switch (relation, fitting) {
    case (_, .range(let low, let high)): wanted = .range(low: low, includesLow: true, high: high, includesHigh: true)
    case (_, .members(let members)): wanted = .values(members)
    case (.equal, .value(let value)): wanted = .values([value])
    // For any-values and for null, the order of comparisons differs from the order of the index.
    case (_, .value(let value)) where path.kind == .any || value.isNull: return nil
    case (.less, .value(let high)): wanted = .range(low: nil, includesLow: true, high: high, includesHigh: false)
    case (.lessOrEqual, .value(let high)): wanted = .range(low: nil, includesLow: true, high: high, includesHigh: true)
    case (.greater, .value(let low)): wanted = .range(low: low, includesLow: false, high: nil, includesHigh: true)
    case (.greaterOrEqual, .value(let low)): wanted = .range(low: low, includesLow: true, high: nil, includesHigh: true)
    case (.beginsWith, .value(.string(let text))) where !text.isEmpty: wanted = .prefix(text)
    case (.fullText, .value(.string(let text))):
      let search = WordSearch(text)
      if search.wanted.isEmpty { return nil }
      wanted = .words(search)
    default: return nil
    }
    return Constraint(column: table.columns[leaf].key, wanted: wanted)
  }
}
