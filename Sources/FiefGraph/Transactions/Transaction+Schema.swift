// Changes the schema. Like any other operation, a change is carried out with the data, or refused with an error.
//
// A column that changes its storage gets a new key. A column that changes only its name, its width or whether it allows
// null keeps its key. A delta therefore describes a change of schema with the new schema and the cells that differ.

extension Transaction {
  // MARK: Tables

  /// Adds a table without columns.
  ///
  /// - Throws: `GraphError.Code.invalidSchema` if the name is taken or empty.
  public func addTable(_ name: String, kind: TableKind = .ordinary) throws -> TableKey {
    let key = TableKey(rawValue: UInt32(working.tables.count))
    try adoptIfSound(TableSchema(key: key, name: name, kind: kind))
    return key
  }

  /// Removes a table with all its rows. References to the rows are cleared, as by `clear(_:)`.
  ///
  /// - Throws: `GraphError` if a column of another table is declared to link to it, it is one of the two tables of
  ///   nested collections, or a delete rule forbids it.
  public func removeTable(_ key: TableKey) throws {
    let schema = try facts(key)
    for other in working.allTables where other.schema.key != key {
      if let column = other.schema.columns.first(where: { $0.type.target == key }) {
        throw GraphError(
          .invalidSchema,
          "'\(schema.name)' cannot be removed: '\(other.schema.name).\(column.name)' links to it. Remove that "
            + "column first.", table: schema.name)
      }
    }
    try clear(key)
    assert(working[key]?.count == 0, "A table that is removed has no rows.")
    drop(key)
  }

  /// Renames a table.
  ///
  /// - Throws: `GraphError.Code.invalidSchema` if the name is taken or empty.
  public func renameTable(_ key: TableKey, to name: String) throws { try adoptIfSound(try facts(key).with(name: name)) }

  // MARK: Columns

  /// Adds a column.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - name: The column's name, which must be unused in the table.
  ///   - type: The column's type.
  ///   - deleteRule: The effect on linked rows of deleting the linking row.
  ///   - value: The value for existing rows. If nil, their cells are zero, null if that is allowed, or empty.
  /// - Throws: `GraphError` if the declaration is inconsistent, or `value` does not fit it.
  /// - Complexity: O(rows / 256); O(rows) if a value is given.
  @discardableResult
  public func addColumn(
    to table: TableKey, _ name: String, _ type: ColumnType, deleteRule: DeleteRule = .nullify, value: Value? = nil
  ) throws -> ColumnKey {
    let schema = try facts(table)
    let column = Column(key: ColumnKey(rawValue: schema.nextColumn), name: name, type: type, deleteRule: deleteRule)
    let new = schema.with(columns: schema.columns + [column], nextColumn: schema.nextColumn + 1)
    if let value {
      let location = ColumnLocation(table: table.index, leaf: new.columns.count - 1, schema: new)
      guard type.holds(value) && value.linked == nil else {
        throw error(.invalidValue, "cannot hold \(value): it is \(type.phrase)", location, nil)
      }
    }
    try adoptIfSound(new)
    if let value, let location = try? self.location(table, column.key) {
      forEachKey(of: table) { store(value, location, $0) }
    }
    assert(working[table]?.schema.column(column.key) == column, "A column that was added is found.")
    return column.key
  }

  /// Removes a column with its cells, and the primary key and indexes that contain it. Rows that its cells own are
  /// deleted.
  ///
  /// - Throws: `GraphError` if the column does not exist, or a delete rule forbids the deletion of an owned row.
  public func removeColumn(_ column: ColumnKey, of table: TableKey) throws {
    let schema = try facts(table)
    let location = try self.location(table, column)
    let orphans =
      location.type.canLink ? values(of: location).flatMap { $0.1 }.filter(isOwning).compactMap(\.linked) : []
    let deletion = try planDeletion(of: orphans)
    apply(deletion)
    adopt(
      schema.with(
        columns: schema.columns.filter { $0.key != column },
        primaryKey: .some(schema.primaryKey == column ? nil : schema.primaryKey),
        indexes: schema.indexes.filter { !$0.columns.contains(column) }))
    assert(working[table]?.schema.column(column) == nil, "A column that was removed is not found.")
  }

  /// Renames a column.
  ///
  /// - Throws: `GraphError` if the column does not exist, or the name is taken or empty.
  public func renameColumn(_ column: ColumnKey, of table: TableKey, to name: String) throws {
    try update(column, of: table) { $0.name = name }
  }

  /// Changes the delete rule of a column.
  ///
  /// - Throws: `GraphError` if the column does not exist, or its type is not a link to an ordinary table.
  public func setDeleteRule(_ rule: DeleteRule, ofColumn column: ColumnKey, of table: TableKey) throws {
    try update(column, of: table) { $0.deleteRule = rule }
  }

  // MARK: Primary key and indexes

  /// Makes a column the primary key; nil removes the primary key.
  ///
  /// - Throws: `GraphError` if the column cannot be a primary key, or two rows have the same value in it.
  /// - Complexity: O(rows).
  public func setPrimaryKey(_ column: ColumnKey?, of table: TableKey) throws {
    let schema = try facts(table)
    let new = schema.with(primaryKey: .some(column))
    try checkSound(new)
    if let column, column != schema.primaryKey, let double = try firstRepetition(in: table, of: [column]) {
      throw duplicate(double.first, new)
    }
    adopt(new)
    assert(working[table]?.schema.primaryKey == column, "A table has the primary key that was set last.")
  }

  /// Adds a property index.
  ///
  /// - Throws: `GraphError` if a column cannot be indexed, the index exists already, or the index is unique and two
  ///   rows have the same values.
  /// - Complexity: O(rows · log rows).
  public func addIndex(_ definition: IndexDefinition, to table: TableKey) throws {
    let schema = try facts(table)
    let new = schema.with(indexes: schema.indexes + [definition])
    try checkSound(new)
    if definition.isUnique, let double = try firstRepetition(in: table, of: definition.columns, exceptNulls: true) {
      throw conflict(new, new.indexes.count - 1, double.key, double.other)
    }
    adopt(new)
  }

  /// Removes the property index over `columns`.
  ///
  /// - Parameters:
  ///   - columns: The columns of the index, in their order.
  ///   - table: The table.
  ///   - isFullText: Whether to remove the full-text index of the column rather than the index of its values.
  /// - Throws: `GraphError.Code.invalidSchema` if the index does not exist.
  public func removeIndex(over columns: [ColumnKey], of table: TableKey, isFullText: Bool = false) throws {
    let schema = try facts(table)
    func isMeant(_ index: IndexDefinition) -> Bool { index.columns == columns && index.isFullText == isFullText }
    guard schema.indexes.contains(where: isMeant) else {
      throw GraphError(.invalidSchema, "'\(schema.name)' has no index over those columns.", table: schema.name)
    }
    adopt(schema.with(indexes: schema.indexes.filter { !isMeant($0) }))
  }

  // MARK: Parts

  func facts(_ table: TableKey) throws -> TableSchema {
    checkNotFilling()
    guard let schema = working[table]?.schema else {
      throw GraphError(.missingObject, "There is no \(table): it was removed, or is another graph's.")
    }
    guard !table.isNested else {
      throw GraphError(.invalidSchema, "The tables of collections inside any-values cannot be changed.")
    }
    return schema
  }

  /// The location of a column, independent of a row.
  func location(_ table: TableKey, _ column: ColumnKey) throws -> ColumnLocation {
    guard let schema = working[table]?.schema, let leaf = schema.leaf(of: column) else {
      throw noColumn(column, of: table)
    }
    return ColumnLocation(table: table.index, leaf: leaf, schema: schema)
  }

  /// Throws the first problem that the whole schema would have with `table`.
  ///
  /// The other tables are sound, and no operation changes a table's kind. So only this table is checked, and the names
  /// of the others if its name is new.
  func checkSound(_ table: TableSchema) throws {
    if working[table.key]?.schema.name != table.name,
      working.tables.contains(where: { $0.map { $0.schema.key != table.key && $0.schema.name == table.name } ?? false })
    {
      throw GraphError(.invalidSchema, "Two tables are named '\(SchemaNames.printed(table.name))'.", table: table.name)
    }
    if table.key.rawValue >= Schema.tableLimit {
      throw GraphError(.invalidSchema, "There have been too many tables.", table: table.name)
    }
    let problems = table.problems { $0 == table.key ? table : self.working[$0]?.schema }
    if let problem = problems.first { throw GraphError(.invalidSchema, problem, table: table.name) }
  }

  func adoptIfSound(_ table: TableSchema) throws {
    checkNotFilling()
    try checkSound(table)
    adopt(table)
  }

  private func update(_ column: ColumnKey, of table: TableKey, _ change: (inout Column) -> Void) throws {
    let schema = try facts(table)
    guard let leaf = schema.leaf(of: column) else { throw noColumn(column, of: table) }
    var columns = schema.columns
    change(&columns[leaf])
    try adoptIfSound(schema.with(columns: columns))
  }

  func forEachKey(of table: TableKey, _ body: (ObjectKey) throws -> Void) rethrows {
    var keys: [ObjectKey] = []
    working[table]?.forEachRow { key, _, _ in keys.append(key) }
    assert(keys.count == working[table]?.count ?? 0, "A table counts its rows.")
    for key in keys { try body(key) }
  }

  /// Every row with the values of its cell: one for a single cell, all elements of a list or a set, all values of a
  /// dictionary.
  func values(of location: ColumnLocation) -> [(ObjectKey, [Value])] {
    var result: [(ObjectKey, [Value])] = []
    working.tables[location.table]?.forEachRow { key, cluster, slot in
      result.append((key, cluster.leaves[location.leaf].values(at: slot, as: location.type)))
    }
    assert(result.count == working.tables[location.table]?.count ?? 0, "A table counts its rows.")
    return result
  }

  /// Two rows with equal values in `columns`, or nil.
  func firstRepetition(
    in table: TableKey, of columns: [ColumnKey], exceptNulls: Bool = false
  ) throws -> (first: Value, key: ObjectKey, other: ObjectKey)? {
    assert(!columns.isEmpty, "Values of a column repeat.")
    guard let entries = working[table]?.entries(IndexDefinition(columns)) else { return nil }
    var previous: IndexEntry?
    for entry in entries {
      if let previous, IndexEntry.compareValues(previous, entry) == 0, !(exceptNulls && entry.hasNull) {
        return (entry.first, entry.key, previous.key)
      }
      previous = entry
    }
    return nil
  }
}
