// Sets single cells.

extension Transaction {
  /// Stores `value` in a single cell. This typed form is the fast one.
  ///
  /// - Throws: `GraphError` if the row or column does not exist, the value is of another type or exceeds the declared
  ///   width, null is not allowed, or a primary key or unique value is taken. Nothing has changed then.
  @inlinable
  public func set<Element: Storable>(_ value: Element?, _ cell: Cell) throws {
    checkNotFilling()
    let table = cell.table.index
    if table < working.tables.count, let schema = working.tables[table]?.schema,
      let leaf = schema.leaf(of: cell.column),
      schema.isPlainLeaf[leaf], Element.isStored(as: schema.types[leaf], value)
    {
      let isDone: Void? = change(cell.key, of: table) { $0.leaves[leaf].store(value, at: $1) }
      if isDone == nil { throw noRow(cell) }
    } else {
      // An integer may stand for a boolean or a link; a double does not stand for a float, as it does in lists.
      let type = try location(of: cell).type
      try set(value?.value(as: Element.storedKind == .int ? type : ColumnType(Element.storedKind)) ?? .null, cell)
    }
  }

  /// Stores `value` in a single cell.
  ///
  /// Setting a link into an embedded table to null deletes the row that it owned. To set it to a row, use
  /// `createOwned`.
  ///
  /// - Throws: `GraphError` if the row or column does not exist, the value does not fit, a link's target does not
  ///   exist, a primary key or unique value is taken, or a delete rule forbids the deletion of an owned row. Nothing
  ///   has changed then.
  public func set(_ value: Value, _ cell: Cell) throws {
    if try setPlain(value, cell) { return }
    let location = try self.location(of: cell)
    let type = location.type
    guard !type.isCollection else {
      throw error(.invalidValue, "is \(type.phrase): change its elements", at: location, of: cell.key)
    }
    let old = working.value(cell) ?? .null
    if old == value { return }
    try check(value, at: location, of: cell.key)
    try checkUnique(value, at: location, in: cell)
    if type.canLink {
      try exchange(cell, removing: old, inserting: value) { store(value, at: location, of: cell.key) }
    } else {
      store(value, at: location, of: cell.key)
    }
  }

  /// Stores a value in a column of its type that nothing else depends on; returns false, and changes nothing, for
  /// others.
  private func setPlain(_ value: Value, _ cell: Cell) throws -> Bool {
    checkNotFilling()
    let table = cell.table.index
    guard table < working.tables.count, let schema = working.tables[table]?.schema,
      let leaf = schema.leaf(of: cell.column), schema.isPlainLeaf[leaf], schema.types[leaf].holds(value)
    else { return false }
    let type = schema.types[leaf]
    let isDone: Void? = change(cell.key, of: table) { $0.leaves[leaf].setValue(value, at: $1, as: type) }
    if isDone == nil { throw noRow(cell) }
    return true
  }

  /// Stores a checked value and updates the primary key and the indexes.
  func store(_ value: Value, at location: ColumnLocation, of key: ObjectKey) {
    assert(value.isNull || location.type.holds(value), "A value that is stored was checked.")
    assert(working.tables[location.table]?.contains(key) ?? false, "A value is stored in a row that exists.")
    let isKey = location.leaf == location.schema.primaryKeyLeaf
    let indexes = location.schema.indexesOfLeaf[location.leaf]
    // Most columns are neither, and `change` has their cluster at hand.
    let table = isKey || !indexes.isEmpty ? writable(location.table) : nil
    for index in indexes { table?.removeEntry(of: key, index: index) }
    if isKey { table?.removePrimaryKey(of: key) }
    change(key, of: location.table) { $0.leaves[location.leaf].setValue(value, at: $1, as: location.type) }
    for index in indexes { table?.insertEntry(of: key, index: index) }
    if isKey { table?.insertPrimaryKey(of: key) }
    assert(working.tables[location.table]?.value(key, leaf: location.leaf) == value, "A cell has its last value.")
  }

  /// Throws if `value` in `cell` would repeat a primary key, or the values of a unique index.
  func checkUnique(_ value: Value, at location: ColumnLocation, in cell: Cell) throws {
    guard let table = working.tables[location.table] else { return }
    if location.leaf == location.schema.primaryKeyLeaf, table.find(primaryKey: value) != nil {
      throw duplicate(value, location.schema)
    }
    for index in location.schema.indexesOfLeaf[location.leaf] where location.schema.indexes[index].isUnique {
      guard let (cluster, slot) = table.find(cell.key) else { return }
      var entry = table.entry(of: cell.key, in: cluster, slot: slot, columns: table.indexes[index].definition.columns)
      entry = entry.replacing(location.column.key, with: value, in: location.schema.indexes[index])
      if let other = table.indexes[index].conflict(with: entry) {
        throw conflict(in: location.schema, index: index, cell.key, other)
      }
    }
  }

  func duplicate(_ value: Value, _ schema: TableSchema) -> GraphError {
    let name = schema.primaryKey.flatMap(schema.column(_:))?.name ?? "?"
    return GraphError(
      .duplicatePrimaryKey, "'\(schema.name)' already has an object with the primary key '\(name)' \(value).",
      table: schema.name, column: name)
  }

  func conflict(in schema: TableSchema, index: Int, _ key: ObjectKey, _ other: ObjectKey) -> GraphError {
    let columns = schema.indexes[index].columns
    let names = columns.compactMap { schema.column($0)?.name }.joined(separator: ", ")
    guard let table = working[schema.key] else { fatalError("A table with rows that conflict is there.") }
    let values = columns.compactMap { schema.leaf(of: $0).flatMap { table.value(other, leaf: $0)?.description } }
    return GraphError(
      .uniqueConstraint,
      "'\(schema.name)' allows a value of '\(names)' once: \(values.joined(separator: ", ")) is that of "
        + "\(table.phrase(of: other)), and was given to \(table.phrase(of: key)).",
      table: schema.name, column: names, key: key)
  }
}

extension Leaf {
  /// Stores a typed value, or null, at `slot`.
  @inlinable
  mutating func store<Element: Storable>(_ value: Element?, at slot: Int) {
    if let value {
      if nulls[slot] { nulls[slot] = false }
      Element.store(value, into: &values, at: slot)
    } else {
      setNull(at: slot)
    }
  }

  @usableFromInline mutating func setNull(at slot: Int) { clear(at: slot) }
}

extension IndexEntry {
  /// The entry of the row with another value in `column`.
  func replacing(_ column: ColumnKey, with value: Value, in definition: IndexDefinition) -> IndexEntry {
    assert(definition.columns.contains(column), "A value is replaced in an index of its column.")
    var rest = rest
    for (position, other) in definition.columns.dropFirst().enumerated() where other == column {
      rest[position] = value
    }
    return IndexEntry(first: definition.columns[0] == column ? value : first, rest: rest, key: key)
  }
}

extension Table {
  func removeEntry(of key: ObjectKey, index: Int) {
    assert(indexes.indices.contains(index), "An index is one of its table.")
    guard let (cluster, slot) = find(key) else { return }
    forEachEntry(of: key, in: cluster, slot: slot, indexes[index].definition) { indexes[index].remove($0) }
  }

  func insertEntry(of key: ObjectKey, index: Int) {
    assert(indexes.indices.contains(index), "An index is one of its table.")
    guard let (cluster, slot) = find(key) else { return }
    forEachEntry(of: key, in: cluster, slot: slot, indexes[index].definition) { indexes[index].insert($0) }
  }

  func removePrimaryKey(of key: ObjectKey) {
    assert(schema.primaryKeyLeaf >= 0, "Only a table with a primary key has primary keys.")
    guard let hash = value(key, leaf: schema.primaryKeyLeaf)?.primaryKeyHash, primary.remove(key.rawValue, hash: hash)
    else { fatalError("A row is missing from the primary keys of its table.") }
  }

  func insertPrimaryKey(of key: ObjectKey) {
    assert(schema.primaryKeyLeaf >= 0, "Only a table with a primary key has primary keys.")
    guard let hash = value(key, leaf: schema.primaryKeyLeaf)?.primaryKeyHash else {
      fatalError("A primary key is of a type that cannot be one.")
    }
    primary.insert(key.rawValue, hash: hash)
  }
}
