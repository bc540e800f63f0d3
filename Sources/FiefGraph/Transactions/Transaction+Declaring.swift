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
    let before = savepoint()
    do {
      for table in tables { try declare(table) }
    } catch {
      goBack(to: before)
      throw error
    }
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
    for column in table.columns where column.type.kind == .int {
      guard old?.column(column.key).map({ $0.type.width > column.type.width }) ?? false,
        let unfit = working[table.key]?.firstInteger(outside: column.type.width, in: column.key)
      else { continue }
      let location = try self.location(table.key, column.key)
      throw error(
        .invalidSchema, "holds \(unfit.value), which does not fit \(column.type.phrase): set it to a number that does",
        location, unfit.key)
    }
    // A key that the table had before has its values once. One that is new to the table is checked before the rows are
    // indexed by it, as equal values make an index of hashes slow.
    if let key = table.primaryKey, let old, key != old.primaryKey, old.column(key) != nil,
      let double = working[table.key]?.firstRepeatedKey(in: key)
    {
      throw duplicate(double, table)
    }
    adopt(table)
    // A table with fewer than two rows has no repetitions.
    guard let old, working[table.key]?.count ?? 0 > 1 else { return }
    if let key = table.primaryKey, key != old.primaryKey, old.column(key) == nil,
      let double = working[table.key]?.firstRepeatedKey(in: key)
    {
      throw duplicate(double, table)
    }
    for (number, index) in table.indexes.enumerated() where index.isUnique && !old.indexes.contains(index) {
      if let double = try firstRepetition(in: table.key, of: index.columns, exceptNulls: true) {
        throw conflict(table, number, double.key, double.other)
      }
    }
  }
}

extension IntegerWidth: Comparable {
  /// Orders the narrower width first.
  public static func < (a: IntegerWidth, b: IntegerWidth) -> Bool { a.rawValue < b.rawValue }
}

extension Table {
  /// The first value that two rows have in a column that can be a primary key; nil if there is none. Linear.
  fileprivate func firstRepeatedKey(in column: ColumnKey) -> Value? {
    guard let leaf = schema.leaf(of: column) else { return nil }
    let type = schema.types[leaf]
    var seen = HashIndex()
    var found: Value?
    rows.forEach { chunk, cluster in
      for slot in 0..<cluster.count {
        let value = cluster.leaves[leaf].value(at: slot, as: type)
        guard let hash = value.primaryKeyHash else { continue }
        if seen.find(hash: hash, where: { self.value(ObjectKey($0), leaf: leaf) == value }) != nil {
          found = value
          return false
        }
        seen.insert(ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot)).rawValue, hash: hash)
      }
      return true
    }
    assert(found != nil || seen.count <= count, "Each row has one value.")
    return found
  }
}
