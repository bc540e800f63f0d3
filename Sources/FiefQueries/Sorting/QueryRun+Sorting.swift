import FiefGraph
import FiefValues

extension QueryRun {
  /// Applies the modifiers of a query to rows, in order.
  func arrange(
    _ keys: ContiguousArray<ObjectKey>, of table: Table, _ modifiers: [BoundQueryModifier]
  ) -> ContiguousArray<ObjectKey> {
    var keys = keys
    for (index, modifier) in modifiers.enumerated() {
      switch modifier {
      case .limit(let count, let offset):
        keys = ContiguousArray(keys.dropFirst(offset).prefix(count))
      case .distinct(let paths): keys = distinct(keys, of: table, paths)
      case .sort(let sortKeys):
        var wanted = keys.count
        if index + 1 < modifiers.count, case .limit(let count, let offset) = modifiers[index + 1] {
          wanted = min(wanted, offset.addingReportingOverflow(count).overflow ? wanted : offset + count)
        }
        keys = sorted(keys, of: table, sortKeys, wanted: wanted)
      }
    }
    return keys
  }

  /// If fewer than one in this many rows are wanted, they are selected with a heap and the others are not sorted.
  private static let fewOfMany = 16

  /// Sorts rows and returns at least the first `wanted` of them.
  private func sorted(
    _ keys: ContiguousArray<ObjectKey>, of table: Table, _ sortKeys: [BoundSortKey], wanted: Int
  ) -> ContiguousArray<ObjectKey> {
    // The empty array is one static object for all threads, and initializing it would write its count.
    if keys.isEmpty || wanted == 0 { return [] }
    var order: [Int]
    if wanted < keys.count / Self.fewOfMany {
      order = firstPositions(sortKeys.map { (column($0, keys, of: table), $0.ascending) }, keys.count, wanted)
    } else {
      order = Array(keys.indices)
      // Each sort is stable, so the least significant key is sorted first.
      for key in sortKeys.reversed() { column(key, keys, of: table).sort(&order, ascending: key.ascending) }
    }
    return unsafe ContiguousArray(unsafeUninitializedCapacity: order.count) { indexes, filled in
      for index in order.indices { unsafe indexes.initializeElement(at: index, to: keys[order[index]]) }
      filled = order.count
    }
  }

  /// The first positions in the order of some columns, the most significant column first.
  private func firstPositions(_ columns: [(column: SortColumn, ascending: Bool)], _ count: Int, _ wanted: Int) -> [Int]
  {
    /// Compares two rows by all columns, and equal rows by position.
    func isBefore(_ a: Int, _ b: Int) -> Bool {
      for (column, ascending) in columns {
        let relation = column.compare(a, b)
        if relation != 0 { return ascending ? relation < 0 : relation > 0 }
      }
      return a < b
    }
    // The first column decides nearly all comparisons, so the common kinds are compared directly in its buffer.
    switch columns[0] {
    case (.words(let words, nil), let ascending):
      return unsafe words.withUnsafeBufferPointer { words in
        FirstPositions.of(count, wanted: wanted) { a, b in
          unsafe words[a] == words[b] ? isBefore(a, b) : (words[a] < words[b]) == ascending
        }
      }
    case (.texts(let texts, nil), let ascending):
      return unsafe texts.withUnsafeBufferPointer { texts in
        FirstPositions.of(count, wanted: wanted) { a, b in
          let relation = unsafe StoredOrder.compare(texts[a], texts[b])
          return relation == 0 ? isBefore(a, b) : (relation < 0) == ascending
        }
      }
    default: return FirstPositions.of(count, wanted: wanted, isBefore)
    }
  }

  /// Keeps the first row of each combination of values.
  private func distinct(
    _ keys: ContiguousArray<ObjectKey>, of table: Table, _ paths: [BoundPath]
  ) -> ContiguousArray<ObjectKey> {
    if paths.isEmpty { return keys }
    var seen: Set<[MeantValue]> = []
    return keys.filter { key in
      combination(paths, key, table.schema.key).map { seen.insert($0).inserted } ?? false
    }
  }

  /// The values of paths in a row; nil when a link on one of the paths is null.
  func combination(_ paths: [BoundPath], _ key: ObjectKey, _ table: TableKey) -> [MeantValue]? {
    guard let row = location(of: key, in: table) else { return nil }
    var combination: [MeantValue] = []
    for path in paths {
      guard let value = single(path, row) else { return nil }
      combination.append(MeantValue(value))
    }
    return combination
  }

  /// The value of a path to one value; nil when a link on the path is null.
  func single(_ path: BoundPath, _ row: RowLocation) -> Value? {
    var (row, key): (RowLocation, ObjectKey?) = (row, row.key)
    for hop in path.hops {
      guard case .link(let leaf, let table) = hop else { return nil }
      key = row.cluster[leaf: leaf].load(Int64.self, at: row.slot).map(ObjectKey.init(_:))
      guard let key, let next = location(of: key, in: table) else { return nil }
      row = next
    }
    var found = Value.null
    forEachValue(of: BoundPath(start: row.table, end: path.end, walk: path.walk), row) { value in
      found = value
      return false
    }
    return found
  }
}
