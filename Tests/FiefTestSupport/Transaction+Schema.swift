import FiefGraph

// Changes the schema part by part, for graphs that tests make. The kernel declares whole tables at once.

extension Transaction {
  /// Adds a table without columns.
  public func addTable(_ name: String, kind: TableKind = .ordinary) throws -> TableKey {
    let key = TableKey(rawValue: read { $0.schema.nextTable })
    try declare(TableSchema(key: key, name: name, kind: kind))
    return key
  }

  /// Adds a column. Existing rows get the value, or an unset cell.
  @discardableResult
  public func addColumn(
    to table: TableKey, _ name: String, _ type: ColumnType, deleteRule: DeleteRule = .nullify, value: Value? = nil
  ) throws -> ColumnKey {
    let schema = try changeableSchema(of: table)
    let column = Column(key: ColumnKey(rawValue: schema.nextColumn), name: name, type: type, deleteRule: deleteRule)
    if let value, !type.holds(value) || value.linked != nil {
      throw GraphError(
        .invalidValue, "'\(schema.name).\(name)' cannot hold \(value).", table: schema.name, column: name)
    }
    try declare(
      schema.changed(columns: schema.columns + [column], nextColumn: schema.nextColumn + 1))
    if let value {
      var rows: [ObjectKey] = []
      read { graph in
        _ = graph[table]?.rows.forEach { chunk, cluster in
          cluster.live.forEach { rows.append(ObjectKey(chunk: chunk, bit: $0)) }
          return true
        }
      }
      for row in rows { try set(value, Cell(table, row, column.key)) }
    }
    return column.key
  }

  /// Renames a column.
  public func renameColumn(_ column: ColumnKey, of table: TableKey, to name: String) throws {
    try change(column, of: table) { $0.name = name }
  }

  /// Changes the delete rule of a column.
  public func setDeleteRule(_ rule: DeleteRule, ofColumn column: ColumnKey, of table: TableKey) throws {
    try change(column, of: table) { $0.deleteRule = rule }
  }

  /// Makes a column the primary key; nil removes the primary key.
  public func setPrimaryKey(_ column: ColumnKey?, of table: TableKey) throws {
    try declare(try changeableSchema(of: table).changed(primaryKey: .some(column)))
  }

  /// Adds an index.
  public func addIndex(_ definition: IndexDefinition, to table: TableKey) throws {
    let schema = try changeableSchema(of: table)
    try declare(schema.changed(indexes: schema.indexes + [definition]))
  }

  /// Removes the index over some columns.
  public func removeIndex(over columns: [ColumnKey], of table: TableKey, isFullText: Bool = false) throws {
    let schema = try changeableSchema(of: table)
    let kept = schema.indexes.filter { $0.columns != columns || $0.isFullText != isFullText }
    if kept.count == schema.indexes.count {
      throw GraphError(.invalidSchema, "'\(schema.name)' has no index over those columns.", table: schema.name)
    }
    try declare(schema.changed(indexes: kept))
  }

  /// Gives a column another type. Its cells are kept if both types store them alike, and unset otherwise; the column
  /// has another key then, and loses its indexes.
  @discardableResult
  public func retype(_ column: ColumnKey, of table: TableKey, to type: ColumnType) throws -> ColumnKey {
    let schema = try changeableSchema(of: table)
    guard let leaf = schema.leaf(of: column) else { throw Self.missing(column, schema) }
    let old = schema.columns[leaf].type
    let isKept =
      old.kind == type.kind && old.shape == type.shape && old.target == type.target
      && (type.shape == .single || type.shape == .dictionary || type.kind == .link || old.isOptional == type.isOptional)
    let key = isKept ? column : ColumnKey(rawValue: schema.nextColumn)
    var columns = schema.columns
    columns[leaf] = Column(key: key, name: columns[leaf].name, type: type)
    let new = schema.changed(
      columns: columns, primaryKey: .some(isKept || schema.primaryKey != column ? schema.primaryKey : nil),
      indexes: schema.indexes.filter { isKept || !$0.columns.contains(column) },
      nextColumn: schema.nextColumn + (isKept ? 0 : 1))
    let all = read { $0.schema }
    try apply(
      Delta(schema: Schema(tables: all.tables.map { $0.key == table ? new : $0 }, nextTable: all.nextTable)))
    return key
  }

  /// Allows or forbids null in a column, by `retype`.
  @discardableResult
  public func setOptional(_ isOptional: Bool, column: ColumnKey, of table: TableKey) throws -> ColumnKey {
    guard var type = try changeableSchema(of: table).column(column)?.type else {
      throw Self.missing(column, try changeableSchema(of: table))
    }
    type.isOptional = isOptional
    return try retype(column, of: table, to: type)
  }

  private func change(_ column: ColumnKey, of table: TableKey, _ change: (inout Column) -> Void) throws {
    let schema = try changeableSchema(of: table)
    guard let leaf = schema.leaf(of: column) else { throw Self.missing(column, schema) }
    var columns = schema.columns
    change(&columns[leaf])
    try declare(schema.changed(columns: columns))
  }

  private func declare(_ table: TableSchema) throws {
    do {
      try declare([table])
    } catch let error as GraphError where error.table == nil {
      throw GraphError(error.code, error.message, table: table.name)
    }
  }

  private func changeableSchema(of table: TableKey) throws -> TableSchema {
    guard let schema = read({ $0[table]?.schema }) else { throw GraphError(.missingObject, "There is no \(table).") }
    if table.isNested { throw GraphError(.invalidSchema, "The tables inside any-values cannot be changed.") }
    return schema
  }

  private static func missing(_ column: ColumnKey, _ schema: TableSchema) -> GraphError {
    GraphError(.missingObject, "'\(schema.name)' has no \(column).", table: schema.name)
  }
}

extension TableSchema {
  fileprivate func changed(
    columns: [Column]? = nil, primaryKey: ColumnKey?? = nil, indexes: [IndexDefinition]? = nil,
    nextColumn: UInt32? = nil
  ) -> TableSchema {
    TableSchema(
      key: key, name: name, kind: kind, columns: columns ?? self.columns, primaryKey: primaryKey ?? self.primaryKey,
      indexes: indexes ?? self.indexes, nextColumn: nextColumn ?? self.nextColumn)
  }
}
