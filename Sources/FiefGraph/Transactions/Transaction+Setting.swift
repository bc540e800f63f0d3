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
      let isDone: Void? = change(table, cell.key) { $0.leaves[leaf].store(value, at: $1) }
      if isDone == nil { throw noRow(cell) }
    } else {
      try set(value.map { $0.value(as: try location(of: cell).type) } ?? .null, cell)
    }
  }

  /// Stores an integer in a single cell, with the rules of the typed form.
  @inlinable
  public func set(_ value: Int, _ cell: Cell) throws { try set(Int64(value), cell) }

  /// Stores a boolean in a single cell, with the rules of the typed form.
  @inlinable
  public func set(_ value: Bool, _ cell: Cell) throws { try set(Value.bool(value), cell) }

  /// Stores `value` in a single cell.
  ///
  /// Setting a link into an embedded table to null deletes the row that it owned. To set it to a row, use
  /// `createOwned`.
  ///
  /// - Throws: `GraphError` if the row or column does not exist, the value does not fit, a link's target does not
  ///   exist, a primary key or unique value is taken, or a delete rule forbids the deletion of an owned row. Nothing
  ///   has changed then.
  public func set(_ value: Value, _ cell: Cell) throws {
    let location = try self.location(of: cell)
    let type = location.type
    guard !type.isCollection else {
      throw error(.invalidValue, "is \(type.phrase): change its elements", location, cell.key)
    }
    let old = working.value(cell) ?? .null
    if old == value { return }
    try check(value, location, cell.key)
    try checkUnique(value, location, cell)
    if type.canLink {
      try exchange(cell, removing: old, inserting: value) { store(value, location, cell.key) }
    } else {
      store(value, location, cell.key)
    }
  }

  /// Stores a checked value and updates the primary key and the indexes.
  func store(_ value: Value, _ location: ColumnLocation, _ key: ObjectKey) {
    assert(value.isNull || location.type.holds(value), "A value that is stored was checked.")
    assert(working.tables[location.table]?.contains(key) ?? false, "A value is stored in a row that exists.")
    let isKey = location.leaf == location.schema.primaryKeyLeaf
    let indexes = location.schema.indexesOfLeaf[location.leaf]
    let table = writable(location.table)
    for index in indexes { table.removeEntry(of: key, index: index) }
    if isKey { table.removePrimaryKey(of: key) }
    change(location.table, key) { $0.leaves[location.leaf].setValue(value, at: $1, as: location.type) }
    for index in indexes { table.insertEntry(of: key, index: index) }
    if isKey { table.insertPrimaryKey(of: key) }
    assert(table.value(key, leaf: location.leaf) == value, "A cell has the value that was stored last.")
  }

  /// Throws if `value` in `cell` would repeat a primary key, or the values of a unique index.
  func checkUnique(_ value: Value, _ location: ColumnLocation, _ cell: Cell) throws {
    guard let table = working.tables[location.table] else { return }
    if location.leaf == location.schema.primaryKeyLeaf, table.find(primaryKey: value) != nil {
      throw duplicate(value, location.schema)
    }
    for index in location.schema.indexesOfLeaf[location.leaf] where location.schema.indexes[index].isUnique {
      guard let (cluster, slot) = table.find(cell.key) else { return }
      var entry = table.entry(of: cell.key, in: cluster, slot: slot, index: index)
      entry = entry.replacing(location.column.key, with: value, in: location.schema.indexes[index])
      if let other = table.indexes[index].conflict(with: entry) {
        throw conflict(location.schema, index, cell.key, other)
      }
    }
  }

  func duplicate(_ value: Value, _ schema: TableSchema) -> GraphError {
    let name = schema.primaryKey.flatMap(schema.column(_:))?.name ?? "?"
    return GraphError(
      .duplicatePrimaryKey, "'\(schema.name)' already has an object with the primary key '\(name)' \(value).",
      table: schema.name, column: name)
  }

  func conflict(_ schema: TableSchema, _ index: Int, _ key: ObjectKey, _ other: ObjectKey) -> GraphError {
    let names = schema.indexes[index].columns.compactMap { schema.column($0)?.name }.joined(separator: ", ")
    return GraphError(
      .uniqueConstraint,
      "'\(schema.name)' allows a value of '\(names)' once, and object \(other) has the one given to object \(key).",
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

  @usableFromInline
  mutating func setNull(at slot: Int) { clear(at: slot) }
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
    if indexes[index].definition.isFullText {
      for entry in wordEntries(of: key, in: cluster, slot: slot, indexes[index].definition) {
        indexes[index].remove(entry)
      }
    } else {
      indexes[index].remove(entry(of: key, in: cluster, slot: slot, index: index))
    }
  }

  func insertEntry(of key: ObjectKey, index: Int) {
    assert(indexes.indices.contains(index), "An index is one of its table.")
    guard let (cluster, slot) = find(key) else { return }
    if indexes[index].definition.isFullText {
      for entry in wordEntries(of: key, in: cluster, slot: slot, indexes[index].definition) {
        indexes[index].insert(entry)
      }
    } else {
      indexes[index].insert(entry(of: key, in: cluster, slot: slot, index: index))
    }
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
