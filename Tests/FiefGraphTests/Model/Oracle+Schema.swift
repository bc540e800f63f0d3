import FiefGraph

// Changes the schema with its data.

extension Oracle {
  private func facts(_ key: TableKey) throws -> ModelTable {
    guard let table = self[key] else { throw Refusal(.missingObject) }
    if key.rawValue < 2 { throw Refusal(.invalidSchema) }
    return table
  }

  /// Stores a changed table schema if the whole schema is still sound.
  private mutating func adopt(_ table: ModelTable) throws {
    self[table.key] = table
    try checkSchema()
  }

  // MARK: Tables

  mutating func addTable(_ name: String, _ kind: TableKind) throws -> TableKey {
    let key = TableKey(rawValue: UInt32(tables.count))
    tables.append(ModelTable(key: key, name: name, kind: kind))
    try checkSchema()
    return key
  }

  mutating func removeTable(_ key: TableKey) throws {
    _ = try facts(key)
    for case .some(let other) in tables
    where other.key != key && other.columns.contains(where: { $0.type.target == key }) {
      throw Refusal(.invalidSchema)
    }
    try clear([key])
    self[key] = nil
  }

  mutating func renameTable(_ key: TableKey, to name: String) throws {
    var table = try facts(key)
    table.name = name
    try adopt(table)
  }

  // MARK: Columns

  mutating func addColumn(
    to key: TableKey, _ name: String, _ type: ColumnType, _ rule: DeleteRule, _ value: Value?
  ) throws -> ColumnKey {
    var table = try facts(key)
    if let value, type.shape != .single || value.linked != nil || !Oracle.fits(value, type) {
      throw Refusal(.invalidValue)
    }
    let column = Column(key: ColumnKey(rawValue: table.nextColumn), name: name, type: type, deleteRule: rule)
    table.columns.append(column)
    table.nextColumn += 1
    for row in table.rows.keys {
      table.rows[row]?[column.key.rawValue] = value.map(ModelCell.single) ?? Oracle.unset(type)
    }
    try adopt(table)
    return column.key
  }

  mutating func removeColumn(_ column: ColumnKey, of key: TableKey) throws {
    let table = try facts(key)
    guard table.column(column) != nil else { throw Refusal(.missingObject) }
    let cells = table.rows.values.compactMap { $0[column.rawValue] }
    erase(try doomed(by: cells.flatMap(Oracle.links).filter(isOwned)))
    guard var rest = self[key] else { return }
    rest.columns.removeAll { $0.key == column }
    rest.indexes.removeAll { $0.columns.contains(column) }
    if rest.primaryKey == column { rest.primaryKey = nil }
    for row in rest.rows.keys { rest.rows[row]?[column.rawValue] = nil }
    self[key] = rest
  }

  private mutating func update(_ column: ColumnKey, of key: TableKey, _ change: (inout Column) -> Void) throws {
    var table = try facts(key)
    guard let position = table.columns.firstIndex(where: { $0.key == column }) else { throw Refusal(.missingObject) }
    change(&table.columns[position])
    try adopt(table)
  }

  mutating func renameColumn(_ column: ColumnKey, of table: TableKey, to name: String) throws {
    try update(column, of: table) { $0.name = name }
  }

  mutating func setDeleteRule(_ rule: DeleteRule, ofColumn column: ColumnKey, of table: TableKey) throws {
    try update(column, of: table) { $0.deleteRule = rule }
  }

  // MARK: Primary keys and indexes

  mutating func setPrimaryKey(_ column: ColumnKey?, of key: TableKey) throws {
    var table = try facts(key)
    table.primaryKey = column
    try adopt(table)
    try checkUnique(key)
  }

  mutating func addIndex(_ index: IndexDefinition, to key: TableKey) throws {
    var table = try facts(key)
    table.indexes.append(index)
    try adopt(table)
    try checkUnique(key)
  }

  mutating func removeIndex(over columns: [ColumnKey], of key: TableKey, _ isFullText: Bool) throws {
    var table = try facts(key)
    let count = table.indexes.count
    table.indexes.removeAll { $0.columns == columns && $0.isFullText == isFullText }
    if table.indexes.count == count { throw Refusal(.invalidSchema) }
    self[key] = table
  }

  // MARK: Types

  mutating func setOptional(
    _ isOptional: Bool, column: ColumnKey, of table: TableKey, replacing replacement: Value?
  ) throws -> ColumnKey {
    guard var type = self[table]?.column(column)?.type else { throw Refusal(.missingObject) }
    type.isOptional = isOptional
    return try changeColumn(column, of: table, to: type, replacing: replacement)
  }

  mutating func changeColumn(
    _ column: ColumnKey, of key: TableKey, to type: ColumnType, replacing replacement: Value?
  ) throws -> ColumnKey {
    var table = try facts(key)
    guard let position = table.columns.firstIndex(where: { $0.key == column }) else { throw Refusal(.missingObject) }
    let old = table.columns[position]
    if old.type == type { return column }
    // Cells of both types are stored alike: the column keeps its key.
    let isSame =
      old.type.kind == type.kind && old.type.shape == type.shape && old.type.target == type.target
      && (old.type.isOptional == type.isOptional || type.kind == .link || type.shape == .single
        || type.shape == .dictionary)
    let next = isSame ? column : ColumnKey(rawValue: table.nextColumn)
    if !isSame { table.nextColumn += 1 }
    table.columns[position] = Column(
      key: next, name: old.name, type: type, deleteRule: type.kind == .link ? old.deleteRule : .nullify)
    func renamed(_ other: ColumnKey) -> ColumnKey { other == column ? next : other }
    table.primaryKey = table.primaryKey.map(renamed)
    table.indexes = table.indexes.map { index in
      var index = index
      index.columns = index.columns.map(renamed)
      return index
    }
    var sound = self
    sound[key] = table
    try sound.checkSchema()
    for (row, cells) in table.rows {
      guard let contents = cells[column.rawValue] else { continue }
      table.rows[row]?[column.rawValue] = nil
      table.rows[row]?[next.rawValue] = try carried(contents, from: old.type, to: type, replacement)
    }
    self[key] = table
    // If a change violates both a primary key and a unique index, the unique index reports first.
    for index in table.indexes where index.isUnique {
      var alone = table
      alone.indexes = [index]
      alone.primaryKey = nil
      var graph = self
      graph[key] = alone
      try graph.checkUnique(key)
    }
    try checkUnique(key)
    return next
  }

  private func carried(
    _ contents: ModelCell, from old: ColumnType, to new: ColumnType, _ replacement: Value?
  ) throws -> ModelCell {
    func carry(_ value: Value) throws -> Value {
      let isOwned = value.linked.map(isOwned) ?? false
      if let converted = value.converted(to: new.kind), Oracle.fits(converted, new),
        !isOwned || new.kind == old.kind && new.shape != .set
      {
        return converted
      }
      guard let replacement, !isOwned, replacement.linked == nil, Oracle.fits(replacement, new) else {
        throw Refusal(.invalidSchema)
      }
      return replacement
    }
    switch (contents, new.shape) {
    case (.dictionary(let entries), .dictionary):
      return .dictionary(try entries.map { ($0.key, try carry($0.value)) })
    case (.dictionary(let entries), _):
      if !entries.isEmpty { throw Refusal(.invalidSchema) }
      return Oracle.unset(new)
    case (_, .dictionary):
      if Oracle.values(contents).contains(where: { !$0.isNull }) { throw Refusal(.invalidSchema) }
      return .dictionary([])
    case (_, .single):
      let values = Oracle.values(contents)
      if values.count > 1 { throw Refusal(.invalidSchema) }
      return try values.first.map { .single(try carry($0)) } ?? Oracle.unset(new)
    case (.single(.null), _): return Oracle.unset(new)
    case (_, .list): return .list(try Oracle.values(contents).map(carry))
    case (_, .set):
      let values = try Oracle.values(contents).map(carry).sorted { ModelOrder.compare($0, $1) < 0 }
      for (a, b) in zip(values, values.dropFirst()) where ModelOrder.compare(a, b) == 0 {
        throw Refusal(.invalidSchema)
      }
      return .set(values)
    }
  }
}
