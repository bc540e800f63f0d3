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
}
