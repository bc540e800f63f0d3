import FiefGraph

// Compares the oracle with a graph, and two oracles with each other.

extension Oracle {
  /// The first difference between the graph and the oracle; nil without one.
  func difference(from graph: Graph) -> String? {
    if graph.schema.nextTable != tables.count { return "\(graph.schema.nextTable) tables, not \(tables.count)" }
    if graph.schema.problems != [] { return "schema problems: \(graph.schema.problems)" }
    let backlinks = backlinks()
    for (index, model) in tables.enumerated() {
      let table = graph[TableKey(rawValue: UInt32(index))]
      guard let model else {
        if table != nil { return "table \(index) is still there" }
        continue
      }
      guard let table else { return "'\(model.name)' is not there" }
      if let difference = difference(model, table, backlinks, graph) { return "'\(model.name)' \(difference)" }
    }
    return nil
  }

  /// For each target row and each linking column: the linking rows, once for each link.
  private func backlinks() -> [ObjectLink: [Origin: [Int64]]] {
    var result: [ObjectLink: [Origin: [Int64]]] = [:]
    forEachLink { cell, target in
      result[target, default: [:]][Origin(table: cell.table, column: cell.column), default: []]
        .append(cell.key.rawValue)
    }
    return result
  }

  private struct Origin: Hashable {
    let table: TableKey
    let column: ColumnKey
  }

  private func difference(
    _ model: ModelTable, _ table: Table, _ backlinks: [ObjectLink: [Origin: [Int64]]], _ graph: Graph
  ) -> String? {
    let schema = table.schema
    if schema.key != model.key || schema.name != model.name || schema.kind != model.kind
      || schema.columns != model.columns || schema.primaryKey != model.primaryKey || schema.indexes != model.indexes
      || schema.nextColumn != model.nextColumn
    {
      return "has the facts \(schema.name) \(schema.kind) \(schema.columns) \(schema.indexes), not \(model)"
    }
    if table.count != model.rows.count { return "counts \(table.count) rows, not \(model.rows.count)" }
    if table.nextKey != model.nextKey { return "gives out \(table.nextKey) next, not \(model.nextKey)" }
    var last: Int64 = -1
    var problem: String?
    table.rows.forEach { chunk, cluster in
      cluster.live.forEach { bit in
        let key = ObjectKey(chunk: chunk, bit: bit)
        if problem != nil { return }
        if key.rawValue <= last { problem = "\(key) is out of order" }
        last = key.rawValue
        guard let cells = model.rows[key.rawValue] else {
          problem = "\(key) is there and should not"
          return
        }
        problem =
          Oracle.difference(key, cells, model, table)
          ?? Oracle.difference(backlinks[ObjectLink(model.key, key)] ?? [:], key, table, graph)
      }
      return problem == nil
    }
    if problem == nil, table.contains(ObjectKey(model.nextKey)) || table.contains(ObjectKey(-1)) {
      problem = "has a row that was never made"
    }
    return problem
  }

  /// Compares the cells, the primary key and the index entries of a row.
  private static func difference(
    _ key: ObjectKey, _ cells: [UInt32: ModelCell], _ model: ModelTable, _ table: Table
  ) -> String? {
    for (leaf, column) in model.columns.enumerated() {
      guard let cell = cells[column.key.rawValue] else { return "\(key) has no model of \(column.name)" }
      guard isSame(cell, table, key, leaf, column.type) else {
        return "\(key) \(column.name) is not \(cell)"
      }
    }
    if let primaryKey = model.primaryKey, case .single(let value)? = cells[primaryKey.rawValue],
      table.find(primaryKey: value) != key
    {
      return "\(key) is not found by \(value)"
    }
    for index in table.indexes where index.definition.columns.count == 1 {
      guard case .single(let value)? = cells[index.definition.columns[0].rawValue] else { continue }
      if index.definition.isFullText {
        let held = Set(
          index.entries.filter { $0.key == key }.map { entry in
            if case .string(let word) = entry.first { word } else { "\(entry.first)" }
          })
        guard held == words(of: value) else { return "\(key) is indexed under \(held), not the words of \(value)" }
        continue
      }
      var isHeld = false
      index.forEachRow(in: index.range(of: value)) { if $0 == key { isHeld = true } }
      if !isHeld { return "\(key) is not in its index" }
    }
    return nil
  }

  private static func isSame(
    _ cell: ModelCell, _ table: Table, _ key: ObjectKey, _ leaf: Int, _ type: ColumnType
  ) -> Bool {
    if case .single(let value) = cell {
      return table.value(key, leaf: leaf).map { ModelOrder.isIdentical($0, value) } ?? false
    }
    let values = values(cell)
    let contents = table.collection(key, leaf: leaf)
    guard contents?.count ?? 0 == values.count else { return false }
    guard let contents else { return true }
    var position = 0
    contents.forEach(as: type) { value in
      guard ModelOrder.isIdentical(value, values[position]) else { return false }
      position += 1
      return true
    }
    if position < values.count { return false }
    if case .dictionary(let entries) = cell {
      guard let dictionary = contents as? StoredDictionary else { return false }
      return zip(dictionary.entries, entries).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) }
    }
    return true
  }

  private static func difference(
    _ expected: [Origin: [Int64]], _ key: ObjectKey, _ table: Table, _ graph: Graph
  ) -> String? {
    var found = 0
    for incoming in table.incoming {
      guard let bag = incoming.bag(of: key) else { continue }
      found += 1
      let origins = expected[Origin(table: incoming.origin, column: incoming.column)]?.sorted() ?? []
      var actual: [Int64] = []
      bag.forEach { actual.append($0.rawValue) }
      let isRight =
        bag.count == origins.count && actual == origins && bag[origins.count - 1].rawValue == origins.last
        && bag.multiplicity(of: bag[0]) == origins.filter { $0 == origins[0] }.count
      if !isRight { return "\(key) is linked to by \(actual), not \(origins)" }
    }
    if found != expected.count { return "\(key) is linked to through \(found) columns, not \(expected.count)" }
    let owner = graph.owner(of: ObjectLink(table.schema.key, key))
    guard table.schema.kind == .embedded else { return owner == nil ? nil : "\(key) has an owner" }
    guard expected.count == 1, let (origin, keys) = expected.first, keys.count == 1 else {
      return "\(key) has owners \(expected)"
    }
    return owner == Cell(origin.table, ObjectKey(keys[0]), origin.column) ? nil : "\(key) is owned by \(owner as Any)"
  }

  // MARK: Two oracles

  /// Whether the graphs that both oracles predict have equal contents.
  static func areEqual(_ a: Oracle, _ b: Oracle) -> Bool {
    guard a.tables.count == b.tables.count else { return false }
    return zip(a.tables, b.tables).allSatisfy { a, b in
      guard let a, let b else { return a == nil && b == nil }
      guard a.key == b.key, a.name == b.name, a.kind == b.kind, a.columns == b.columns, a.primaryKey == b.primaryKey,
        a.indexes == b.indexes, a.nextColumn == b.nextColumn, a.nextKey == b.nextKey, a.rows.count == b.rows.count
      else { return false }
      return a.rows.allSatisfy { key, cells in
        guard let others = b.rows[key] else { return false }
        return cells.allSatisfy { column, cell in others[column].map { areEqual(cell, $0) } ?? false }
      }
    }
  }

  private static func areEqual(_ a: ModelCell, _ b: ModelCell) -> Bool {
    let (left, right) = (values(a), values(b))
    guard left.count == right.count, zip(left, right).allSatisfy(ModelOrder.isIdentical) else { return false }
    switch (a, b) {
    case (.dictionary(let a), .dictionary(let b)):
      return zip(a, b).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) }
    case (.single, .single), (.list, .list), (.set, .set): return true
    default: return false
    }
  }
}
