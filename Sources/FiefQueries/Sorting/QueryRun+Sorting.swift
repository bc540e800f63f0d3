import FiefGraph
import FiefValues

extension QueryRun {
  /// Applies the modifiers of a query to rows, in order.
  ///
  /// - Parameters:
  ///   - rows: rows of the queried tables.
  ///   - parts: the tables, and the modifiers as bound to each.
  ///   - wanted: how many of the first rows are needed.
  func arrange(_ rows: RowList, of parts: [(modifiers: [BoundQueryModifier], table: Table)], wanted: Int) -> RowList {
    var rows = rows
    let modifiers = parts[0].modifiers
    for (index, modifier) in modifiers.enumerated() {
      switch modifier {
      case .limit(let count, let offset): rows = rows.limited(count, offset: offset)
      case .distinct:
        var seen: Set<[ValueKey]> = []
        rows = rows.filtered { [rows] position in
          let (modifiers, table) = parts[rows.table(at: position)]
          return combination(modifiers[index].distinctPaths, of: rows.keys[position], in: table.schema.key)
            .map { seen.insert($0).inserted } ?? false
        }
      case .sort(let keys):
        var needed = index + 1 == modifiers.count ? wanted : Int.max
        if index + 1 < modifiers.count, case .limit(let count, let offset) = modifiers[index + 1] {
          let (sum, isOver) = offset.addingReportingOverflow(count)
          needed = isOver ? .max : sum
        }
        let columns = keys.indices.map { key in
          (column(parts.map { ($0.modifiers[index].sortKeys[key], $0.table) }, rows), keys[key].ascending)
        }
        rows = rows.picked(order(of: rows.keys.count, by: columns, wanted: min(needed, rows.keys.count)))
      }
    }
    return wanted < rows.keys.count ? rows.limited(wanted, offset: 0) : rows
  }

  /// If fewer than one in this many rows are wanted, they are selected with a heap and the others are not sorted.
  private static let fewOfMany = 16

  /// The positions in the order of some columns, the most significant one first: at least the first `wanted` of them.
  private func order(of count: Int, by columns: [(column: SortColumn, ascending: Bool)], wanted: Int) -> [Int] {
    assert(wanted >= 0 && wanted <= count, "No more rows are wanted than there are.")
    if wanted == 0 { return [] }
    if wanted < count / Self.fewOfMany { return firstPositions(columns, of: count, wanted: wanted) }
    var order = Array(0..<count)
    // Each sort is stable, so the least significant column is sorted first.
    for (column, ascending) in columns.reversed() { column.sort(&order, ascending: ascending) }
    assert(order.count == count, "A sort keeps all rows.")
    return order
  }

  /// The first positions in the order of some columns, the most significant column first.
  private func firstPositions(_ columns: [(column: SortColumn, ascending: Bool)], of count: Int, wanted: Int) -> [Int] {
    /// Compares two rows by all columns, and equal rows by position.
    func isBefore(_ a: Int, _ b: Int) -> Bool {
      for (column, ascending) in columns {
        let relation = column.compare(a, b)
        if relation != 0 { return ascending ? relation < 0 : relation > 0 }
      }
      return a < b
    }
    // The first column decides nearly all comparisons, so the common kinds are compared directly in its buffer.
    let (first, ascending) = columns[0]
    switch (first.form, first.standings) {
    case (.numbers(let words), nil):
      return unsafe words.withUnsafeBufferPointer { words in
        FirstPositions.of(count, wanted: wanted) { a, b in
          unsafe words[a] == words[b] ? isBefore(a, b) : (words[a] < words[b]) == ascending
        }
      }
    case (.texts(let texts), nil):
      return unsafe texts.withUnsafeBufferPointer { texts in
        FirstPositions.of(count, wanted: wanted) { a, b in
          let relation = unsafe StoredOrder.compare(texts[a], texts[b])
          return relation == 0 ? isBefore(a, b) : (relation < 0) == ascending
        }
      }
    default: return FirstPositions.of(count, wanted: wanted, isBefore)
    }
  }

  /// The values of paths in a row; nil when a link on one of the paths is null.
  private func combination(_ paths: [BoundPath], of key: ObjectKey, in table: TableKey) -> [ValueKey]? {
    guard let row = location(of: key, in: table) else { return nil }
    var combination: [ValueKey] = []
    for path in paths {
      guard let value = single(path, row) else { return nil }
      combination.append(ValueKey(value))
    }
    return combination
  }

  /// The value of a path to one value; nil when a link on the path is null.
  func single(_ path: BoundPath, _ row: RowLocation) -> Value? {
    assert(!path.isMany, "A path to one value is read.")
    var (row, key): (RowLocation, ObjectKey?) = (row, row.key)
    for hop in path.hops {
      guard case .link(let leaf, let table) = hop else { return nil }
      key = row.cluster[leaf: leaf].load(Int64.self, at: row.slot).map(ObjectKey.init(_:))
      guard let key, let next = location(of: key, in: table) else { return nil }
      row = next
    }
    return firstValue(of: BoundPath(start: row.table, end: path.end, walk: path.walk), from: row)
  }
}
