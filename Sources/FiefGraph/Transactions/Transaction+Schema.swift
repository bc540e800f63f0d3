// Removes and renames parts of the schema. Like any other operation, a change is carried out with the data, or refused
// with an error. `declare` adds parts.
//
// A column that changes its storage gets a new key. A column that changes only its name, its width or whether it allows
// null keeps its key. A delta therefore describes a change of schema with the new schema and the cells that differ.

extension Transaction {
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
  ) -> (first: Value, key: ObjectKey, other: ObjectKey)? {
    var found: (first: Value, key: ObjectKey, other: ObjectKey)?
    working[table]?.forEachRepetition(in: columns) { rows in
      if exceptNulls && rows[0].hasNull { return true }
      found = (rows[0].first, rows[1].key, rows[0].key)
      return false
    }
    return found
  }
}
