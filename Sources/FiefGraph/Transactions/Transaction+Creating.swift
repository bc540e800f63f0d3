public import FiefRuntime

// Creates rows.

/// A row that is being made: its single cells can be given their first values.
///
/// It is valid only inside the closure that receives it. It refers to the transaction's cached cluster, which cannot
/// change while the closure runs, because every other use of the transaction traps then.
@safe  // Outside of the closure that receives it, it may not be used; inside, nothing else can change the cluster.
@frozen
public struct NewRow {
  @usableFromInline let cluster: Borrowed<Cluster>
  @usableFromInline let slot: Int
  @usableFromInline let schema: Borrowed<TableSchema>
  /// The key of the row.
  public let key: ObjectKey

  @inlinable
  init(cluster: Borrowed<Cluster>, slot: Int, schema: Borrowed<TableSchema>, key: ObjectKey) {
    assert(slot >= 0 && key.rawValue >= 0, "A new row has a slot and a key.")
    self.cluster = cluster
    self.slot = slot
    self.schema = schema
    self.key = key
  }

  @inlinable var hasIndexes: Bool { schema.with { !$0.indexes.isEmpty } }

  /// Sets a single cell.
  ///
  /// - Throws: `GraphError` if the column does not exist, holds links or a collection (set those after the row is
  ///   made), is the primary key, or cannot hold the value.
  @inlinable
  public func set<Element: Storable>(_ value: Element?, _ column: ColumnKey) throws {
    let leaf = schema.with { schema in
      guard let leaf = schema.leaf(of: column), leaf != schema.primaryKeyLeaf,
        Element.isStored(as: schema.types[leaf], value)
      else { return -1 }
      return leaf
    }
    if leaf < 0 { throw refusal(value?.value(as: ColumnType(.any)) ?? .null, column) }
    cluster.with { $0.leaves[leaf].store(value, at: slot) }
  }

  /// Sets a single cell to a value whose type is not known statically.
  ///
  /// - Throws: The errors of the typed form; links are refused here, too.
  public func set(_ value: Value, _ column: ColumnKey) throws {
    let schema = schema.counted
    guard let leaf = schema.leaf(of: column), leaf != schema.primaryKeyLeaf, value.linked == nil,
      schema.types[leaf].holds(value)
    else { throw refusal(value, column) }
    cluster.with { $0.leaves[leaf].setValue(value, at: slot, as: schema.types[leaf]) }
  }

  /// Stores a checked primary key.
  @usableFromInline
  func setPrimaryKey(_ value: Value) {
    let schema = schema.counted
    let leaf = schema.primaryKeyLeaf
    assert(leaf >= 0 && schema.types[leaf].holds(value), "A primary key fits the column of primary keys.")
    cluster.with { $0.leaves[leaf].setValue(value, at: slot, as: schema.types[leaf]) }
  }

  @usableFromInline
  func refusal(_ value: Value, _ column: ColumnKey) -> GraphError {
    let schema = schema.counted
    guard let column = schema.column(column) else {
      return GraphError(.missingObject, "'\(schema.name)' has no \(column).", table: schema.name)
    }
    return GraphError(
      .invalidValue,
      "'\(schema.name).\(column.name)' cannot be given \(value) while its object is made: "
        + "it is \(column.type.phrase)\(schema.primaryKey == column.key ? " and the primary key" : "").",
      table: schema.name, column: column.name)
  }
}

extension Transaction {
  /// Makes a row in an ordinary or asymmetric table.
  ///
  ///     let rex = try transaction.create(in: dogs) { row in
  ///       try row.set("Rex", name)
  ///       try row.set(3, age)
  ///     }
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - primaryKey: The row's primary key, or nil for a table without one.
  ///   - fill: Sets the first values of the row's cells. Other cells are zero, or null if they are optional.
  /// - Returns: The key of the row, which no other row of the table has had.
  /// - Throws: `GraphError` if the primary key or a unique value is taken, or a value does not fit; any error of
  ///   `fill`. Nothing has changed then.
  /// - Complexity: O(log rows), and O(log rows) more for each index.
  @inlinable
  @discardableResult
  public func create(
    in table: TableKey, primaryKey: Value? = nil, _ fill: (NewRow) throws -> Void = { _ in }
  ) throws -> ObjectKey {
    // Rows of a table are usually made in runs. In a table without a primary key, only the first row of a run is
    // checked.
    if primaryKey != nil || cachedCluster.map({ $0.table != table.index || !$0.isFree }) ?? true {
      try checkCreation(in: table, primaryKey)
    }
    return try insertRow(in: table, primaryKey: primaryKey, fill)
  }

  /// Throws unless rows may be made in the table directly, and the primary key is valid.
  @usableFromInline
  func checkCreation(in table: TableKey, _ primaryKey: Value?) throws {
    checkNotFilling()
    guard let schema = working[table]?.schema else {
      throw GraphError(.missingObject, "There is no \(table): it was removed, or is another graph's.")
    }
    guard schema.kind != .embedded else {
      throw GraphError(
        .ownership, "'\(schema.name)' is embedded: its objects are made in their owners, by createOwned.",
        table: schema.name)
    }
    if primaryKey != nil || schema.primaryKey != nil { try checkPrimaryKey(primaryKey, schema) }
  }

  private func checkPrimaryKey(_ value: Value?, _ schema: TableSchema) throws {
    guard let key = schema.primaryKey, let leaf = schema.leaf(of: key) else {
      throw GraphError(
        .invalidValue, "'\(schema.name)' has no primary key to be \(value ?? .null).", table: schema.name)
    }
    let location = ColumnLocation(table: schema.key.index, leaf: leaf, schema: schema)
    guard let value else { throw error(.invalidValue, "is the primary key and must be given", at: location, of: nil) }
    try check(value, at: location, of: nil)
    if working[schema.key]?.find(primaryKey: value) != nil { throw duplicate(value, schema) }
  }

  /// Makes a row without the checks of `create`: the table must exist, and the primary key must fit and be free.
  ///
  /// - Throws: The errors of `create` for a unique value that is taken and a value that does not fit; any error of
  ///   `fill`. Nothing has changed then.
  @inlinable
  package func insertRow(in table: TableKey, primaryKey: Value?, _ fill: (NewRow) throws -> Void) throws -> ObjectKey {
    checkNotFilling()
    assert(working[table] != nil, "A row is made in a table that exists.")
    assert(
      primaryKey.map { working[table]?.find(primaryKey: $0) == nil } ?? true, "The primary key of a new row is free.")
    let row = try appendRow(to: table.index)
    if let primaryKey { row.setPrimaryKey(primaryKey) }
    isFilling = true
    defer { isFilling = false }
    do {
      try fill(row)
      if row.hasIndexes { try index(row.key, table.index) }
    } catch {
      withdraw(row.key, from: table.index)
      throw error
    }
    admit(row.key, to: table.index, hasPrimaryKey: primaryKey != nil)
    assert(working[table]?.contains(row.key) ?? false, "A row that was made is found.")
    return row.key
  }

  /// Adds a row of unset cells to its cluster.
  @usableFromInline
  func appendRow(to table: Int) throws -> NewRow {
    var key = ObjectKey(-1)
    if let cachedCluster, cachedCluster.table == table {
      key = cachedCluster.owner.with { ObjectKey($0.nextKey) }
      if key.chunk != cachedCluster.chunk { key = try cacheClusterForNextRow(table) }
    } else {
      key = try cacheClusterForNextRow(table)
    }
    assert(isCachedClusterSound, "The cached cluster is the one that the working copy holds, alone.")
    let hot = unsafe cachedCluster.unsafelyUnwrapped
    let slot = hot.cluster.with { cluster in
      let slot = cluster.insertRow(atBit: key.bit)
      hot.schema.with { schema in
        for leaf in schema.nullableLeaves { cluster.leaves[leaf].nulls[slot] = true }
      }
      return slot
    }
    return NewRow(cluster: hot.cluster, slot: slot, schema: hot.schema, key: key)
  }

  /// Updates the count, the next key and the primary keys of the table for a new row.
  @usableFromInline
  func admit(_ key: ObjectKey, to table: Int, hasPrimaryKey: Bool) {
    #if DEBUG
      unsafe changeCount &+= 1
    #endif
    assert(
      working.tables[table].map { $0.nextKey <= key.rawValue && ($0.schema.primaryKeyLeaf >= 0) == hasPrimaryKey }
        ?? false,
      "A new row has the next key, and a primary key where its table has one.")
    if !hasPrimaryKey, let cachedCluster, cachedCluster.table == table {
      cachedCluster.owner.with { owner in
        owner.nextKey = key.rawValue + 1
        owner.count += 1
      }
      return
    }
    let table = writable(table)
    table.nextKey = key.rawValue + 1
    table.count += 1
    if hasPrimaryKey { table.insertPrimaryKey(of: key) }
    assert(!hasPrimaryKey || table.primary.count == table.count, "Each row has one primary key.")
  }

  /// Inserts a new row into the indexes; throws if a unique index has its values.
  @usableFromInline
  func index(_ key: ObjectKey, _ table: Int) throws {
    let table = writable(table)
    assert(table.indexes.count == table.schema.indexes.count, "A table has the indexes of its schema.")
    guard let (cluster, slot) = table.find(key) else { return }
    for number in table.indexes.indices where table.indexes[number].definition.isUnique {
      let entry = table.entry(of: key, in: cluster, slot: slot, columns: table.indexes[number].definition.columns)
      if let other = table.indexes[number].conflict(with: entry) {
        throw conflict(in: table.schema, index: number, key, other)
      }
    }
    for number in table.indexes.indices { table.insertEntry(of: key, index: number) }
    assert(isIndexed(key, in: table, cluster, slot: slot), "A row that was made is in each index.")
  }

  private func isIndexed(_ key: ObjectKey, in table: Table, _ cluster: Cluster, slot: Int) -> Bool {
    table.indexes.indices.allSatisfy { number in
      table.indexes[number].definition.isFullText
        || table.indexes[number].contains(
          table.entry(of: key, in: cluster, slot: slot, columns: table.indexes[number].definition.columns))
    }
  }

  /// Removes a row that was appended and is in no index yet.
  @usableFromInline
  func withdraw(_ key: ObjectKey, from table: Int) {
    removeRows(Bitmap256(bit: key.bit), ofChunk: key.chunk, from: table)
  }

  /// Removes rows from their cluster, and the cluster from its table if it is empty then.
  func removeRows(_ bits: Bitmap256, ofChunk chunk: Int64, from table: Int) {
    assert(!bits.isEmpty, "A removal names the rows to remove.")
    guard cacheCluster(table, ObjectKey(chunk: chunk, bit: bits.next(from: 0) ?? 0)) else { return }
    motion.remove()
    let isEmpty = unsafe cachedCluster.unsafelyUnwrapped.cluster.with { cluster in
      cluster.removeRows(bits)
      return cluster.count == 0
    }
    if isEmpty {
      releaseCachedCluster()
      writable(table).rows.set(nil, at: chunk)
    }
    assert(
      working.tables[table]?.rows[chunk].map { ($0.live & bits).isEmpty && $0.count > 0 } ?? true,
      "Rows that are removed are gone, and no cluster is empty.")
  }
}
