import FiefGraph

// Following bound paths from a row to the values at their ends.

extension QueryRun {
  /// Calls `body` with each value that a path reads, until `body` returns false. `origin` is nil for an element, and
  /// for a missing row, whose properties all read as null.
  ///
  /// The values of a row that several ways lead to may be passed once only, if several hops lead to many rows.
  func forEachValue(of path: BoundPath, from origin: RowLocation?, _ body: (Value) -> Bool) {
    switch path.end {
    case .length(let end):
      var texts = path
      texts.end = end
      return forEachValue(of: texts, from: origin) { body($0.length) }
    case .element:
      _ = walk(path.walk, into: element, body)
      return
    default: break
    }
    guard let origin else {
      _ = read(path, at: nil, body)
      return
    }
    if path.hops.isEmpty {
      _ = read(path, at: origin, body)
      return
    }
    guard let table = path.table else { return }
    assert(!path.hops.isEmpty, "A path of no hops ends at its row.")
    forEachRow(at: path, from: origin) { key, _ in
      if case .row = path.end {
        return body(key.map { .link(ObjectLink(table, $0)) } ?? .null)
      }
      return read(path, at: key.flatMap { location(of: $0, in: table) }, body)
    }
  }

  /// Calls `body` with each row at the end of a path's hops, until it returns false. A missing row is passed as nil.
  /// The rows of the last hop are passed on as they are read, with the number of ways to the row before them.
  ///
  /// All hops but the last are followed level by level, with the rows of each level in an array. The call depth
  /// therefore does not grow with the length of the path.
  func forEachRow(at path: BoundPath, from origin: RowLocation, _ body: (ObjectKey?, _ ways: Int64) -> Bool) {
    assert(path.start.map { $0 == origin.table } ?? true, "A path begins at a row of its table.")
    guard let last = path.hops.last else {
      _ = body(origin.key, 1)
      return
    }
    if path.hops.count == 1 {
      _ = step(last, from: origin) { body($0, 1) }
      return
    }
    var rows = ReachedRows(origin.key)
    var table = origin.table
    for hop in path.hops.dropLast() {
      var next = ReachedRows(of: graph[hop.table]?.count ?? 0)
      rows.forEach { key, ways in
        step(hop, from: key.flatMap { location(of: $0, in: table) }) { row in
          next.append(row, ways)
          return true
        }
      }
      next.finish()
      rows = next
      table = hop.table
    }
    rows.forEach { key, ways in
      step(last, from: key.flatMap { location(of: $0, in: table) }) { body($0, ways) }
    }
  }

  /// - Returns: false if `body` returned false.
  private func step(_ hop: BoundPath.Hop, from row: RowLocation?, _ body: (ObjectKey?) -> Bool) -> Bool {
    guard let row else { return hop.isMany ? true : body(nil) }
    switch hop {
    case .link(let leaf, _):
      return body(row.cluster[leaf: leaf].load(Int64.self, at: row.slot).map(ObjectKey.init(_:)))
    case .links(let leaf, let type, _):
      guard let contents = row.cluster[leaf: leaf].values.collection(at: row.slot) else { return true }
      return contents.forEachKey(as: type, body)
    case .backlinks(let origin, let column):
      guard let bag = graph[row.table]?.backlinks(to: row.key, from: origin, column) else { return true }
      switch bag {
      case .one(let key): return body(key)
      case .many(let keys):
        for key in keys { guard body(ObjectKey(key)) else { return false } }
        return true
      }
    }
  }

  /// Reads the end of a path at a row; nil stands for a missing row.
  ///
  /// - Returns: false if `body` returned false.
  private func read(_ path: BoundPath, at row: RowLocation?, _ body: (Value) -> Bool) -> Bool {
    switch path.end {
    case .row: return body(row.map { .link(ObjectLink($0.table, $0.key)) } ?? .null)
    case .element, .length: return true
    case .cell(let leaf, let type):
      guard let row else { return walk(path.walk, into: .null, body) }
      return walk(path.walk, into: row.cluster[leaf: leaf].value(at: row.slot, as: type), body)
    case .elements(let leaf, let type):
      guard let contents = row.flatMap({ $0.cluster[leaf: leaf].values.collection(at: $0.slot) }) else { return true }
      var goesOn = true
      contents.forEach(as: type) { value in
        goesOn = walk(path.walk, into: value, body)
        return goesOn
      }
      return goesOn
    case .keys(let leaf):
      guard let row, let contents = row.cluster[leaf: leaf].values.collection(at: row.slot) as? StoredDictionary else {
        return true
      }
      for entry in contents.entries { guard body(.string(entry.key)) else { return false } }
      return true
    case .entry(let leaf, _, let key):
      guard let row, let contents = row.cluster[leaf: leaf].values.collection(at: row.slot) as? StoredDictionary else {
        return walk(path.walk, into: .null, body)
      }
      return walk(path.walk, into: contents[key] ?? .null, body)
    case .aggregate(let aggregate): return body(value(of: aggregate, row))
    }
  }

  /// Follows subscripts into an any-value. A missing element or key reads as null. `anyElement` of a value without
  /// elements reads no values.
  private func walk(_ steps: [PropertyPath.Component], into value: Value, _ body: (Value) -> Bool) -> Bool {
    if steps.isEmpty { return body(value) }
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
    for value in values { guard body(value) else { return false } }
    return true
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
    forEachValue(of: aggregate.path, from: row) {
      total.add($0)
      return true
    }
    return total.result
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
  var length: Value {
    switch self {
    case .string(let text): .int(Int64(text.count))
    case .data(let bytes): .int(Int64(bytes.count))
    default: .null
    }
  }
}

extension StoredCollection {
  /// Calls `body` with the target of each link, nil for null, until it returns false.
  ///
  /// - Returns: false if `body` returned false.
  func forEachKey(as type: ColumnType, _ body: (ObjectKey?) -> Bool) -> Bool {
    if let links = self as? StoredElements<Int64> {
      var goesOn = true
      links.elements.forEachLeaf(in: 0..<links.elements.count) { keys, _ in
        for key in keys where goesOn { goesOn = body(ObjectKey(key)) }
        return goesOn
      }
      return goesOn
    }
    var goesOn = true
    forEach(as: type) { value in
      goesOn = body(value.linked?.key)
      return goesOn
    }
    return goesOn
  }
}
