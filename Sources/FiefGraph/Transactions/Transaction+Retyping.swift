// Changes the type of a column and converts its data.

extension Transaction {
  /// Changes the type of a column and converts its cells, or throws and changes nothing.
  ///
  /// These contents are converted:
  /// - Values that convert without loss; see `Value.converted(to:)`.
  /// - A single value to a list or set of one element and back. Null becomes an empty collection. An empty collection
  ///   becomes null, or zero if null is not allowed.
  /// - Lists to sets if no element repeats, and sets to lists.
  /// - Links, if their target table stays the target.
  ///
  /// Embedded objects keep their owners. The primary key and the indexes of the column are kept; a type that does not
  /// allow them is refused.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - table: Its table.
  ///   - type: The new type.
  ///   - replacement: The replacement for values that cannot be converted, including null in a column that is now
  ///     required. If nil, such a value makes the call throw.
  /// - Returns: The key of the column. It is a new key unless cells of both types are stored alike.
  /// - Throws: `GraphError` if the column does not exist, the declaration is inconsistent, or a value cannot be
  ///   converted.
  /// - Complexity: O(rows · log rows).
  @discardableResult
  public func changeColumn(
    _ column: ColumnKey, of table: TableKey, to type: ColumnType, replacing replacement: Value? = nil
  ) throws -> ColumnKey {
    let schema = try facts(table)
    let location = try self.location(table, column)
    let before = savepoint()
    do {
      return try changeColumn(location, column, schema, type, replacement)
    } catch {
      goBack(to: before)
      throw error
    }
  }

  /// Allows or forbids null in a column's values, or in its elements.
  ///
  /// - Parameters:
  ///   - isOptional: Whether null is allowed from now on.
  ///   - column: The column.
  ///   - table: Its table.
  ///   - replacement: The replacement for existing nulls. If nil, a null makes the call throw.
  /// - Returns: The key of the column; see `changeColumn`.
  /// - Throws: `GraphError` if the column does not exist, or it contains a null without a replacement.
  @discardableResult
  public func setOptional(
    _ isOptional: Bool, column: ColumnKey, of table: TableKey, replacing replacement: Value? = nil
  ) throws -> ColumnKey {
    var type = try location(table, column).type
    type.isOptional = isOptional
    return try changeColumn(column, of: table, to: type, replacing: replacement)
  }

  private func changeColumn(
    _ location: ColumnLocation, _ column: ColumnKey, _ schema: TableSchema, _ type: ColumnType, _ replacement: Value?
  ) throws -> ColumnKey {
    assert(schema.leaf(of: column) == location.leaf, "A column is at its leaf.")
    if location.type == type { return column }
    let keeps = location.type.hasSameStorage(as: type)
    let key = keeps ? column : ColumnKey(rawValue: schema.nextColumn)
    var columns = schema.columns
    columns[location.leaf] = Column(
      key: key, name: location.column.name, type: type,
      deleteRule: type.kind == .link ? location.column.deleteRule : .nullify)
    func renamed(_ other: ColumnKey) -> ColumnKey { other == column ? key : other }
    let new = schema.with(
      columns: columns, primaryKey: .some(schema.primaryKey.map(renamed)),
      indexes: schema.indexes.map { $0.over($0.columns.map(renamed)) },
      nextColumn: keeps ? schema.nextColumn : schema.nextColumn + 1)
    try checkSound(new)
    if keeps {
      if !location.type.loosens(to: type) {
        try checkCells(location, type, replacement)
        try checkUnique(column, new)
      }
      adopt(new)
      return key
    }
    // The new column is added without keys and indexes and is filled. It gets them at the end, when its values can be
    // checked.
    let cells = keyedCells(of: location)
    adopt(schema.with(columns: columns, primaryKey: .some(nil), indexes: [], nextColumn: new.nextColumn))
    let target = try self.location(schema.key, key)
    for (row, cell) in cells { try fill(row, target, try carried(cell, from: location, to: target, row, replacement)) }
    try checkNoOrphans(cells)
    for index in new.indexes where index.isUnique { try checkUnique(index, new) }
    if let primaryKey = new.primaryKey, new.primaryKey != nil { try setPrimaryKey(primaryKey, of: schema.key) }
    adopt(new)
    return key
  }

  /// The contents of a cell: values, or entries if it is a dictionary.
  private enum Contents {
    case values([Value])
    case entries([DictionaryEntry])
  }

  private func keyedCells(of location: ColumnLocation) -> [(ObjectKey, Contents)] {
    guard location.type.shape == .dictionary else { return values(of: location).map { ($0, .values($1)) } }
    var result: [(ObjectKey, Contents)] = []
    working.tables[location.table]?.forEachRow { key, cluster, slot in
      let dictionary = cluster.leaves[location.leaf].values.collection(at: slot) as? StoredDictionary
      result.append((key, .entries(dictionary.map { Array($0.entries) } ?? [])))
    }
    return result
  }

  /// Checks the cells of a column that keeps its storage: each must fit the new type, or is replaced.
  private func checkCells(_ location: ColumnLocation, _ type: ColumnType, _ replacement: Value?) throws {
    for (row, cells) in values(of: location) {
      for (position, value) in cells.enumerated()
      where !(type.isCollection ? type.holdsElement(value) : type.holds(value)) {
        guard let replacement, type.element.holds(replacement), replacement.linked == nil else {
          throw cannotConvert(value, location, type, row)
        }
        if type.shape == .single {
          store(replacement, location, row)
        } else if type.shape == .dictionary {
          edit(location, row, StoredDictionary.self) { dictionary in
            dictionary.set(replacement, forKey: dictionary.entries[position].key)
          }
        } else if type.shape == .list {
          edit(location, row, AnyStoredElements.self) { $0.replace(at: position, with: replacement) }
        } else {
          let isNew = edit(location, row, AnyStoredElements.self) { set in
            set.remove(at: set.find(value).position)
            return set.insertInOrder(replacement)
          }
          if !isNew { throw cannotConvert(value, location, type, row) }
        }
      }
    }
  }

  private func cannotConvert(_ value: Value, _ location: ColumnLocation, _ type: ColumnType, _ row: ObjectKey)
    -> GraphError
  {
    error(
      .invalidSchema,
      "holds \(value), which cannot become \(type.phrase): set it to something that can, or give a "
        + "replacement", location, row)
  }

  /// Converts the contents of a cell for the new column.
  private func carried(
    _ cell: Contents, from old: ColumnLocation, to new: ColumnLocation, _ row: ObjectKey, _ replacement: Value?
  ) throws -> Contents {
    func carry(_ value: Value) throws -> Value {
      let type = new.type
      let isSameTarget = type.kind != .link || value.linked.map { $0.table == type.target } ?? true
      let isOwned = isOwning(value)
      if let converted = value.converted(to: type.kind), type.holdsElementOrValue(converted), isSameTarget,
        !isOwned || type.kind == old.type.kind && type.shape != .set
      {
        return converted
      }
      guard let replacement, !isOwned, replacement.linked == nil, type.holdsElementOrValue(replacement) else {
        throw cannotConvert(value, old, type, row)
      }
      return replacement
    }
    switch (cell, new.type.shape) {
    case (.entries(let entries), .dictionary):
      return .entries(try entries.map { DictionaryEntry(key: $0.key, value: try carry($0.value)) })
    case (.entries(let entries), _):
      if let entry = entries.first { throw cannotConvert(entry.value, old, new.type, row) }
      return .values([])
    case (.values(let values), .dictionary):
      if let value = values.first(where: { !$0.isNull }) { throw cannotConvert(value, old, new.type, row) }
      return .entries([])
    case (.values(let values), .single):
      if values.count > 1 { throw cannotConvert(values[1], old, new.type, row) }
      if values.isEmpty && new.type.allowsNull { return .values([.null]) }
      return .values(try values.map(carry))
    case (.values(let values), .list), (.values(let values), .set):
      let present = old.type.isCollection ? values : values.filter { !$0.isNull }
      return .values(try present.map(carry))
    }
  }

  /// Stores contents in a cell that is still unset.
  private func fill(_ row: ObjectKey, _ location: ColumnLocation, _ contents: Contents) throws {
    let cell = Cell(location.schema.key, row, location.column.key)
    assert(contains(cell.object), "A cell that is filled is one of a row.")
    switch contents {
    case .entries(let entries):
      for entry in entries {
        if case .link(let link) = entry.value { addBacklink(cell, to: link) }
        edit(location, row, StoredDictionary.self) { $0.set(entry.value, forKey: entry.key) }
      }
    case .values(let values):
      for value in values {
        switch location.type.shape {
        case .single: store(value, location, row)
        case .list: edit(location, row, AnyStoredElements.self) { $0.insert(value, at: $0.count) }
        case .set:
          if !edit(location, row, AnyStoredElements.self, { $0.insertInOrder(value) }) {
            throw cannotConvert(value, location, location.type, row)
          }
        case .dictionary: break
        }
        if case .link(let link) = value { addBacklink(cell, to: link) }
      }
    }
  }

  /// Throws if a row that the old cells owned has no owner now.
  private func checkNoOrphans(_ cells: [(ObjectKey, Contents)]) throws {
    for (row, cell) in cells {
      let values: [Value]
      switch cell {
      case .values(let present): values = present
      case .entries(let entries): values = entries.map(\.value)
      }
      for case .link(let link) in values where isOwning(.link(link)) && working.owner(of: link) == nil {
        throw GraphError(.ownership, "Object \(link) would lose its owner, object \(row).", key: row)
      }
    }
  }

  /// Throws if replacements in a column that keeps its key repeat a primary key or a unique value.
  private func checkUnique(_ column: ColumnKey, _ schema: TableSchema) throws {
    for (number, index) in schema.indexes.enumerated() where index.isUnique && index.columns.contains(column) {
      if let double = try firstRepetition(in: schema.key, of: index.columns, exceptNulls: true) {
        throw conflict(schema, number, double.key, double.other)
      }
    }
    if schema.primaryKey == column, let double = try firstRepetition(in: schema.key, of: [column]) {
      throw duplicate(double.first, schema)
    }
  }

  private func checkUnique(_ index: IndexDefinition, _ schema: TableSchema) throws {
    try addIndex(index, to: schema.key)
    try removeIndex(over: index.columns, of: schema.key)
    assert(!(working[schema.key]?.schema.indexes.contains(index) ?? true), "The index was added as a test.")
  }
}

extension ColumnType {
  /// Whether `value` fits a single cell of the type, or can be an element of its collection.
  func holdsElementOrValue(_ value: Value) -> Bool { isCollection ? holdsElement(value) : holds(value) }
}
