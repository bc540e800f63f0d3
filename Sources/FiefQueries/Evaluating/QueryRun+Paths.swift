import FiefGraph
import FiefRuntime

// Following bound paths from a row to the values at their ends.

extension QueryRun {
  /// Calls `body` with each value that a path reads, until `body` returns false. `origin` is nil for an element, and
  /// for a missing row, whose properties all read as null.
  ///
  /// The values of a row that several ways lead to may be passed once only, if several hops lead to many rows.
  func forEachValue(of path: BoundPath, from origin: RowLocation?, _ body: (Value) -> Bool) {
    let end = path.end.stored
    var isLength = false
    if case .length = path.end { isLength = true }
    // Out of line, as `read` is. Otherwise each caller's `body` is compiled once for each way to a value.
    @inline(never) func pass(_ value: Value) -> Bool {
      if path.walk.isEmpty { return body(isLength ? value.length : value) }
      for value in walk(path.walk, into: value) { guard body(isLength ? value.length : value) else { return false } }
      return true
    }
    guard let origin, let table = path.table, !path.hops.isEmpty else {
      _ = read(end, at: origin, pass)
      return
    }
    forEachRow(at: path, from: origin) { key, _ in
      if case .row = end { return pass(key.map { .link(ObjectLink(table, $0)) } ?? .null) }
      return read(end, at: key.flatMap { location(of: $0, in: table) }, pass)
    }
  }

  /// The first value that a path reads from a row, or null.
  func firstValue(of path: BoundPath, from origin: RowLocation?) -> Value {
    var first = Value.null
    forEachValue(of: path, from: origin) { value in
      first = value
      return false
    }
    return first
  }

  /// Calls `body` with each row at the end of a path's hops, until it returns false. A missing row is passed as nil.
  /// The rows of the last hop are passed on as they are read, with the number of ways to the row before them. If at
  /// most one hop leads to many rows, each way is passed for itself, in the order of that hop's rows.
  ///
  /// All hops but the last are followed level by level, with the rows of each level in an array. The call depth
  /// therefore does not grow with the length of the path.
  func forEachRow(at path: BoundPath, from origin: RowLocation, _ body: (ObjectKey?, _ ways: Int64) -> Bool) {
    assert(path.start.map { $0 == origin.table } ?? true, "A path begins at a row of its table.")
    guard let last = path.hops.last else {
      _ = body(origin.key, 1)
      return
    }
    func pass(_ row: RowLocation?, _ ways: Int64) -> Bool { step(last, from: row) { body($0, ways) } }
    if path.hops.count == 1 {
      _ = pass(origin, 1)
      return
    }
    var (rows, table) = (ReachedRows(origin.key), origin.table)
    let merges = path.hops.count(where: \.isMany) > 1
    for hop in path.hops.dropLast() { (rows, table) = (follow(hop, from: rows, of: table, merging: merges), hop.table) }
    for (key, ways) in rows.entries where !pass(key.flatMap({ location(of: $0, in: table) }), ways) { return }
  }

  /// The rows to which a hop leads from rows of `table`.
  private func follow(
    _ hop: BoundPath.Hop, from rows: ReachedRows, of table: TableKey, merging merges: Bool
  ) -> ReachedRows {
    var next = ReachedRows(of: merges ? graph[hop.table]?.count ?? 0 : nil)
    for (key, ways) in rows.entries {
      _ = step(hop, from: key.flatMap { location(of: $0, in: table) }) { row in
        next.append(row, ways)
        return true
      }
    }
    next.finish()
    return next
  }

  /// Calls `body` with each row to which a hop leads from one row, until it returns false.
  ///
  /// - Returns: false if `body` returned false.
  private func step(_ hop: BoundPath.Hop, from row: RowLocation?, _ body: (ObjectKey?) -> Bool) -> Bool {
    guard let row else { return hop.isMany ? true : body(nil) }
    let keys: OrderedTree<Int64>
    switch hop {
    case .link(let leaf, _):
      return body(row.cluster[leaf: leaf].load(Int64.self, at: row.slot).map(ObjectKey.init(_:)))
    case .links(let leaf, let type, _):
      let contents = row.cluster[leaf: leaf].values.collection(at: row.slot)
      guard let links = contents as? StoredElements<Int64> else {
        var goesOn = true
        contents?.forEach(as: type) { value in
          goesOn = body(value.linked?.key)
          return goesOn
        }
        return goesOn
      }
      keys = links.elements
    case .entry(let leaf, let key, _):
      let contents = row.cluster[leaf: leaf].values.collection(at: row.slot)
      return body((contents as? StoredDictionary)?[key]?.linked?.key)
    case .backlinks(let origin, let column):
      switch graph[row.table]?.backlinks(to: row.key, from: origin, column) {
      case .one(let key)?: return body(key)
      case .many(let many)?: keys = many
      case nil: return true
      }
    }
    for key in keys { guard body(ObjectKey(key)) else { return false } }
    return true
  }

  /// Calls `body` with what the end of a path stores in a row, until it returns false; nil stands for a missing row.
  ///
  /// - Returns: false if `body` returned false.
  @inline(never)
  private func read(_ end: BoundPath.End, at row: RowLocation?, _ body: (Value) -> Bool) -> Bool {
    func contents(_ leaf: Int) -> StoredCollection? {
      row.flatMap { $0.cluster[leaf: leaf].values.collection(at: $0.slot) }
    }
    switch end {
    case .row: return body(row.map { .link(ObjectLink($0.table, $0.key)) } ?? .null)
    case .element: return body(element)
    case .length: preconditionFailure("A length is that of a stored value.")
    case .cell(let leaf, let type):
      return body(row.map { $0.cluster[leaf: leaf].value(at: $0.slot, as: type) } ?? .null)
    case .elements(let leaf, let type):
      var goesOn = true
      contents(leaf)?.forEach(as: type) { value in
        goesOn = body(value)
        return goesOn
      }
      return goesOn
    case .keys(let leaf):
      guard let dictionary = contents(leaf) as? StoredDictionary else { return true }
      for entry in dictionary.entries { guard body(.string(entry.key)) else { return false } }
      return true
    case .entry(let leaf, _, let key): return body((contents(leaf) as? StoredDictionary)?[key] ?? .null)
    case .aggregate(let aggregate): return body(value(of: aggregate, row))
    }
  }

  /// The values to which subscripts into an any-value lead. A missing element or key reads as null. `anyElement` of a
  /// value without elements leads to no values.
  private func walk(_ steps: [PropertyPath.Component], into value: Value) -> [Value] {
    var values = [value]
    for step in steps {
      var next: [Value] = []
      for value in values {
        let contents = nested(value)
        switch step {
        case .index(let index):
          guard let list = contents, list.shape == .list, index < list.count else {
            next.append(.null)
            continue
          }
          next.append(list.value(at: index, as: ColumnType(.any, shape: .list)))
        case .key(let key): next.append((contents as? StoredDictionary)?[key] ?? .null)
        default:
          contents?.forEach(as: ColumnType(.any, shape: .list)) {
            next.append($0)
            return true
          }
        }
      }
      values = next
    }
    return values
  }

  /// An any-value itself, or the contents of the collection that it holds.
  func part(_ value: Value) -> NestedConstant.Part<Value> {
    guard let contents = nested(value) else {
      guard case .link(let link) = value, link.table.isNested else { return .value(value) }
      // An empty collection may have no stored contents.
      return link.table == .nestedLists ? .list([]) : .dictionary([:])
    }
    if let dictionary = contents as? StoredDictionary {
      var values: [IdenticalText: Value] = [:]
      for entry in dictionary.entries { values[IdenticalText(entry.key)] = entry.value }
      return .dictionary(values)
    }
    var elements: [Value] = []
    contents.forEach(as: ColumnType(.any, shape: .list)) {
      elements.append($0)
      return true
    }
    return .list(elements)
  }

  /// The contents of the collection that an any-value holds, or nil.
  private func nested(_ value: Value) -> StoredCollection? {
    guard case .link(let link) = value, link.table.isNested else { return nil }
    return graph.collection(Cell(link.table, link.key, .nestedElements))
  }

  // MARK: Aggregates

  private func value(of aggregate: BoundAggregate, _ row: RowLocation?) -> Value {
    var total = Accumulator(aggregate.operation, aggregate.elementKind)
    guard let row else { return total.result }
    if aggregate.operation == .count { return .int(Int64(count(of: aggregate.path, from: row))) }
    add(valuesOf: aggregate.path, from: row, to: &total)
    return total.result
  }

  /// Adds the values that a path reads from a row, each as often as ways lead to it. Several hops to many rows would
  /// merge these ways.
  func add(valuesOf path: BoundPath, from row: RowLocation, to total: inout Accumulator) {
    assert(path.hops.count(where: \.isMany) <= 1, "An aggregate reads one collection.")
    forEachValue(of: path, from: row) { value in
      total.add(value)
      return true
    }
  }

  /// The number of elements of the collection to which a path leads.
  private func count(of path: BoundPath, from row: RowLocation) -> Int {
    switch (path.hops.first, path.end) {
    case (.backlinks(let origin, let column)?, _):
      return graph[row.table]?.backlinks(to: row.key, from: origin, column)?.count ?? 0
    case (.links(let leaf, _, _)?, _), (nil, .elements(let leaf, _)):
      return row.cluster[leaf: leaf].values.collection(at: row.slot)?.count ?? 0
    default: preconditionFailure("Elements are counted in a collection.")
    }
  }
}

extension Value {
  /// The number of characters of a string, or of bytes of data; null for any other value.
  package var length: Value {
    switch self {
    case .string(let text): .int(Int64(text.count))
    case .data(let bytes): .int(Int64(bytes.count))
    default: .null
    }
  }
}
