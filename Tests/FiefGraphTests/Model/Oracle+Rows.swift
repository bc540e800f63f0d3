import FiefGraph

// Creates rows and sets single cells.

extension Oracle {
  /// This state, with the keys that a later state has assigned.
  func keepingKeys(of later: Oracle) -> Oracle {
    var kept = self
    for (index, table) in later.tables.enumerated() where index < kept.tables.count {
      guard let table, let present = kept.tables[index] else { continue }
      kept.tables[index]?.nextKey = max(present.nextKey, table.nextKey)
    }
    return kept
  }

  mutating func create(
    in key: TableKey, primaryKey: Value?, cells: [(ColumnKey, Value)], throwing: Bool
  ) throws -> ObjectKey {
    guard let table = self[key] else { throw Refusal(.missingObject) }
    guard table.kind != .embedded else { throw Refusal(.ownership) }
    switch (table.primaryKey.flatMap(table.column), primaryKey) {
    case (nil, nil): break
    case (nil, _), (_, nil): throw Refusal(.invalidValue)
    case (let column?, let value?):
      try check(value, column.type)
      for cells in table.rows.values {
        if case .single(let other)? = cells[column.key.rawValue], ModelOrder.compare(other, value) == 0 {
          throw Refusal(.duplicatePrimaryKey)
        }
      }
    }
    return try addRow(key, primaryKey: primaryKey, cells: cells, throwing: throwing)
  }

  private mutating func addRow(
    _ table: TableKey, primaryKey: Value?, cells: [(ColumnKey, Value)], throwing: Bool
  ) throws -> ObjectKey {
    guard let facts = self[table] else { throw Refusal(.missingObject) }
    var row: [UInt32: ModelCell] = [:]
    for column in facts.columns { row[column.key.rawValue] = Oracle.unset(column.type) }
    if let key = facts.primaryKey, let primaryKey { row[key.rawValue] = .single(primaryKey) }
    for (key, value) in cells {
      guard let column = facts.column(key) else { throw Refusal(.missingObject) }
      guard key != facts.primaryKey, column.type.shape == .single, value.linked == nil,
        Oracle.fits(value, column.type)
      else { throw Refusal(.invalidValue) }
      row[key.rawValue] = .single(value)
    }
    if throwing { throw Refusal.thrownByClosure }
    let key = ObjectKey(facts.nextKey)
    tables[Int(table.rawValue)]?.rows[key.rawValue] = row
    tables[Int(table.rawValue)]?.nextKey += 1
    try checkUnique(ObjectLink(table, key))
    return key
  }

  mutating func createOwned(
    in table: TableKey, by cell: Cell, _ spot: OwnedPosition, cells: [(ColumnKey, Value)], throwing: Bool
  ) throws -> ObjectKey {
    let type = try column(of: cell).type
    guard self[table]?.kind == .embedded,
      type.kind == .any ? table.rawValue < 2 && type.shape != .set : type.kind == .link && type.target == table
    else { throw Refusal(.ownership) }
    let new = Value.link(ObjectLink(table, ObjectKey(self[table]?.nextKey ?? 0)))
    guard let contents = self.cell(cell) else { throw Refusal(.missingObject) }
    let (old, changed) = try Oracle.placing(new, spot, contents)
    let doomed = try doomed(by: [old].compactMap(\.linked).filter(isOwned))
    if doomed.contains(cell.object) { throw Refusal(.deleteDenied) }
    put(changed, cell)
    erase(doomed)
    // The values that may not repeat are compared with those that are left.
    return try addRow(table, primaryKey: nil, cells: cells, throwing: throwing)
  }

  /// The value that was at the spot, and the contents with `new` in its place.
  private static func placing(_ new: Value, _ spot: OwnedPosition, _ contents: ModelCell) throws -> (Value, ModelCell) {
    switch (spot, contents) {
    case (.value, .single(let old)): return (old, .single(new))
    case (.inserted(let position), .list(var values)):
      values.insert(new, at: position)
      return (.null, .list(values))
    case (.element(let position), .list(var values)):
      let old = values[position]
      values[position] = new
      return (old, .list(values))
    case (.entry(let key), .dictionary(let entries)):
      return (value(forKey: key, entries) ?? .null, .dictionary(setting(new, forKey: key, entries)))
    default: throw Refusal(.invalidValue)
    }
  }

  mutating func set(_ value: Value, _ cell: Cell) throws {
    let column = try column(of: cell)
    guard case .single(let old)? = self.cell(cell) else { throw Refusal(.invalidValue) }
    if ModelOrder.isIdentical(old, value) { return }
    try check(value, column.type)
    var next = self
    next.put(.single(value), cell)
    try next.checkUnique(cell.object)
    try exchange(cell, .single(value))
  }
}
