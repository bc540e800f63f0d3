// Declares many tables at once, as opening a store does. Adding tables and columns one by one is for small changes.

extension Transaction {
  /// Adds new tables, and extends existing ones by columns, indexes and a primary key. It also changes names, delete
  /// rules and widths of integers.
  ///
  /// The whole schema is checked once, however many tables there are. The cells of new columns are zero, null or empty.
  ///
  /// - Parameter tables: Each table that is new or changes, once. New tables must have keys that were not used before.
  ///   Existing tables must keep all columns with their types, except the width.
  /// - Throws: `GraphError`, and nothing has changed: the schema is inconsistent; a column would be removed or change
  ///   its type; an integer does not fit its new width; two rows have the same value in the primary key or a unique
  ///   index.
  /// - Complexity: Linear in the columns of all tables; O(rows / 256) for a table that gets columns; O(rows · log rows)
  ///   for each new index.
  public func declare(_ tables: [TableSchema]) throws {
    checkNotFilling()
    try checkSound(tables)
    for table in tables { try checkKept(table) }
    try allOrNothing { for table in tables { try declare(table) } }
  }

  /// Throws the first problem that the whole schema would have with all of `tables`.
  private func checkSound(_ tables: [TableSchema]) throws {
    var all = Dictionary(uniqueKeysWithValues: working.schema.tables.map { ($0.key, $0) })
    var nextTable = UInt32(working.tables.count)
    for table in tables {
      all[table.key] = table
      nextTable = max(nextTable, table.key.rawValue + 1)
    }
    let schema = Schema(tables: all.values.sorted { $0.key < $1.key }, nextTable: nextTable)
    if let problem = schema.problems.first { throw GraphError(.invalidSchema, problem) }
  }

  /// Throws if an existing table would lose a column or change the type of one.
  private func checkKept(_ table: TableSchema) throws {
    guard let old = working[table.key]?.schema else {
      guard table.key.index >= working.tables.count else {
        throw GraphError(.invalidSchema, "'\(table.name)' has the key of a table that was removed.", table: table.name)
      }
      return
    }
    guard old.kind == table.kind else {
      throw GraphError(
        .invalidSchema, "'\(table.name)' is \(old.kind), and cannot become \(table.kind).", table: table.name)
    }
    for column in old.columns {
      var type = table.column(column.key)?.type
      type?.width = column.type.width
      guard type == column.type else {
        throw GraphError(
          .invalidSchema,
          "'\(old.name).\(column.name)' would go, or hold something else: remove or change the column by itself.",
          table: old.name, column: column.name)
      }
    }
    if let column = table.columns.first(where: { old.column($0.key) == nil && $0.key.rawValue < old.nextColumn }) {
      throw GraphError(
        .invalidSchema, "'\(table.name).\(column.name)' has the key of a column that was removed.", table: table.name,
        column: column.name)
    }
  }

  private func declare(_ table: TableSchema) throws {
    let old = working[table.key]?.schema
    let count = working[table.key]?.count ?? 0
    for column in table.columns where column.type.kind == .int {
      guard old?.column(column.key).map({ $0.type.width > column.type.width }) ?? false,
        let unfit = working[table.key]?.firstInteger(outside: column.type.width, in: column.key)
      else { continue }
      let location = try self.location(table.key, column.key)
      throw error(
        .invalidSchema, "holds \(unfit.value), which does not fit \(column.type.phrase): set it to a number that does",
        at: location, of: unfit.key)
    }
    // Rows are checked before they are indexed by a new primary key: equal values make an index of hashes slow.
    if let key = table.primaryKey, let old, key != old.primaryKey, let column = table.column(key) {
      // All rows have the same value in a new column.
      let isNew = old.column(key) == nil
      let zero = Leaf(for: column.type, count: 1).value(at: 0, as: column.type)
      let double = isNew ? (count > 1 ? zero : nil) : firstRepetition(in: table.key, of: [key])?.first
      if let double { throw duplicate(double, table) }
    }
    adopt(table)
    // A table with fewer than two rows has no repetitions.
    guard let old, count > 1 else { return }
    for (number, index) in table.indexes.enumerated() where index.isUnique && !old.indexes.contains(index) {
      if let double = firstRepetition(in: table.key, of: index.columns, exceptNulls: true) {
        throw conflict(in: table, index: number, double.key, double.other)
      }
    }
  }
}

extension IntegerWidth: Comparable {
  /// Orders the narrower width first.
  public static func < (a: IntegerWidth, b: IntegerWidth) -> Bool { a.rawValue < b.rawValue }
}
