// Creates rows that have an owner: embedded objects, and the collections inside any-values.
//
// An owned row is created in its owner's cell and never moves to another owner. That is why ownership cannot become
// cyclic, and why every owned row has exactly one owner at every moment.

/// The position in a cell at which an owned row is made.
public enum OwnedPosition: Sendable {
  /// In a single cell. A row that the cell owned is deleted.
  case value
  /// In a list, inserted at the position, 0...count.
  case inserted(at: Int)
  /// In a list, replacing the element at the position, 0..<count. A row that the element owned is deleted.
  case element(at: Int)
  /// In a dictionary, as the value of the key. A row that the old value owned is deleted.
  case entry(String)
}

extension Transaction {
  /// Makes an embedded row, or a collection inside an any-value, in its owner's cell.
  ///
  ///     let address = try transaction.createOwned(in: addresses, by: Cell(persons, ann, home), .value) { row in
  ///       try row.set("Main Street", street)
  ///     }
  ///     let tags = try transaction.createOwned(in: .nestedLists, by: Cell(persons, ann, anything), .value)
  ///
  /// - Parameters:
  ///   - table: The row's table: an embedded one, or one of the two tables of nested collections if the cell holds
  ///     any-values.
  ///   - cell: The owner's cell.
  ///   - position: The position in the cell. Positions out of range trap.
  ///   - fill: Sets the first values of the row's cells.
  /// - Returns: The key of the row.
  /// - Throws: `GraphError` if the owner does not exist, the cell cannot own such a row, a value does not fit, or a
  ///   delete rule forbids the deletion of the row that is replaced; any error of `fill`. Nothing has changed then.
  @discardableResult
  public func createOwned(
    in table: TableKey, by cell: Cell, _ position: OwnedPosition, _ fill: (NewRow) throws -> Void = { _ in }
  ) throws -> ObjectKey {
    let location = try self.location(of: cell)
    try checkOwnership(of: table, by: cell, at: location)
    let old = try replaced(by: position, location, cell)
    let orphans = old.flatMap { isOwning($0) ? $0.linked : nil }.map { [$0] } ?? []
    let deletion = orphans.isEmpty ? nil : try planDeletion(of: orphans)
    if deletion?.contains(cell.object) ?? false {
      throw error(
        .deleteDenied,
        "cannot be given another object: deleting the one that it owns would cascade to the owner itself",
        at: location, of: cell.key)
    }
    let key: ObjectKey
    do {
      key = try insertRow(in: table, primaryKey: nil, fill)
    } catch let error as GraphError where error.code == .uniqueConstraint && deletion != nil {
      return try createOwned(in: table, by: cell, inPlaceOfTheRowAt: position, fill)
    }
    assert(working.owner(of: ObjectLink(table, key)) == nil, "A new row has no owner yet.")
    let link = Value.link(ObjectLink(table, key))
    // The row exists, and no error is possible any more: the old reference is removed, and the new one is stored.
    if case .link(let target)? = old { removeBacklink(cell, to: target) }
    addBacklink(cell, to: ObjectLink(table, key))
    switch position {
    case .value: store(link, at: location, of: cell.key)
    case .inserted(let index):
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.insert(link, at: index)) }
    case .element(let index):
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.replace(at: index, with: link)) }
    case .entry(let name):
      edit(location, of: cell.key, as: StoredDictionary.self) { $0.set(link, forKey: name) }
    }
    if let deletion { apply(deletion) }
    assert(working.owner(of: ObjectLink(table, key)) == cell, "A row that is owned has one owner.")
    return key
  }

  /// Makes an owned row after the row that it replaces is deleted: both may have the value that may not repeat.
  private func createOwned(
    in table: TableKey, by cell: Cell, inPlaceOfTheRowAt position: OwnedPosition, _ fill: (NewRow) throws -> Void
  ) throws -> ObjectKey {
    assert(contains(cell.object), "An owner exists.")
    return try allOrNothing {
      switch position {
      case .value: try set(.null, cell)
      case .inserted: break
      case .element(let index):
        try remove(at: index, fromList: cell)
        return try createOwned(in: table, by: cell, .inserted(at: index), fill)
      case .entry(let name): try remove(key: name, fromDictionary: cell)
      }
      return try createOwned(in: table, by: cell, position, fill)
    }
  }

  /// Throws unless the cell can own rows of `table`.
  private func checkOwnership(of table: TableKey, by cell: Cell, at location: ColumnLocation) throws {
    let type = location.type
    guard let schema = working[table]?.schema, schema.kind == .embedded,
      type.kind == .any ? table.isNested && type.shape != .set : type.target == table
    else {
      throw error(
        .ownership, "cannot own an object of '\(working[table]?.schema.name ?? "a table that is not there")'",
        at: location,
        of: cell.key)
    }
  }

  /// The value that the new row replaces; nil if it replaces none.
  private func replaced(by position: OwnedPosition, _ location: ColumnLocation, _ cell: Cell) throws -> Value? {
    let shape: ColumnShape =
      switch position {
      case .value: .single
      case .inserted, .element: .list
      case .entry: .dictionary
      }
    guard location.type.shape == shape else {
      throw error(.invalidValue, "is \(location.type.phrase), not a \(shape)", at: location, of: cell.key)
    }
    switch position {
    case .value: return working.value(cell)
    case .inserted(let index):
      checkBounds(index, of: count(of: cell), orEnd: true, "insert into")
      return nil
    case .element(let index):
      checkBounds(index, of: count(of: cell), "replace in")
      return contents(location, of: cell.key, as: AnyStoredElements.self)?.value(at: index, as: location.type)
    case .entry(let name): return contents(location, of: cell.key, as: StoredDictionary.self)?[name]
    }
  }
}
