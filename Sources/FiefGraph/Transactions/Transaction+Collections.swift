import FiefRuntime

// The operations that lists, sets and dictionaries share.

extension Transaction {
  /// Calls `body` with the contents of a collection cell, which are copied first if they are shared. An empty
  /// collection is created if necessary, and released if it is empty afterwards.
  @discardableResult
  func edit<Contents: StoredCollection, Result>(
    _ location: ColumnLocation, of key: ObjectKey, as type: Contents.Type, _ body: (Contents) throws -> Result
  ) rethrows -> Result {
    assert(location.type.isCollection, "Only a cell of a collection has contents.")
    let result = try change(key, of: location.table) { cluster, slot in
      try cluster.leaves[location.leaf].values.updateCollection(at: slot) { contents in
        _ = own(&contents, as: location.type)
        guard let own = contents as? Contents else { fatalError("A collection is of another shape than its column.") }
        defer { if own.count == 0 { contents = nil } }
        return try body(own)
      }
    }
    guard let result else { fatalError("A collection of a deleted row is being changed.") }
    return result
  }

  /// Makes the contents of a collection cell the working copy's own: a new collection if it is empty, a copy if another
  /// graph shares them.
  ///
  /// - Returns: The contents, which are valid as long as the cell holds them.
  @inline(__always)
  func own(_ contents: inout StoredCollection?, as type: ColumnType) -> Borrowed<StoredCollection> {
    if contents == nil {
      contents = .empty(for: type)
    } else if !isKnownUniquelyReferenced(&contents) {
      contents = contents?.copy()
    }
    // The cell holds them. An optional reference to an object is stored as its address, or zero.
    return unsafe withUnsafeBytes(of: &contents) { bytes in
      unsafe Borrowed(at: bytes.load(as: UnsafeRawPointer?.self).unsafelyUnwrapped)
    }
  }

  /// The contents of a collection cell; nil if it is empty.
  func contents<Contents: StoredCollection>(
    _ location: ColumnLocation, of key: ObjectKey, as type: Contents.Type
  ) -> Contents? {
    assert(location.type.isCollection, "Only a cell of a collection has contents.")
    return working.tables[location.table]?.collection(key, leaf: location.leaf) as? Contents
  }

  /// Reads the contents of a collection cell; nil if it is empty. They are not retained afterwards, so a change that
  /// follows needs no copy.
  func inspect<Contents: StoredCollection, Result>(
    _ location: ColumnLocation, of key: ObjectKey, as type: Contents.Type, _ body: (Contents) -> Result?
  ) -> Result? {
    contents(location, of: key, as: type).flatMap(body)
  }

  /// The links at `positions` of a cell: those that are removed with the elements.
  func links(in contents: StoredCollection?, at positions: Range<Int>, _ type: ColumnType) -> [Value] {
    guard type.canLink, let contents else { return [] }
    assert(positions.upperBound <= contents.count, "Links are read at positions that exist.")
    return positions.map { contents.value(at: $0, as: type) }.filter { $0.linked != nil }
  }

  /// Empties a list, a set or a dictionary. Embedded objects in it are deleted.
  ///
  /// - Throws: `GraphError` if the row or column does not exist or is not a collection, or a delete rule forbids the
  ///   deletion of an owned row. Nothing has changed then.
  public func removeAll(from cell: Cell) throws {
    let location = try self.location(of: cell)
    guard location.type.isCollection else {
      throw error(.invalidValue, "is \(location.type.phrase), not a collection", at: location, of: cell.key)
    }
    guard let contents = contents(location, of: cell.key, as: StoredCollection.self) else { return }
    try exchange(cell, removing: links(in: contents, at: 0..<contents.count, location.type), inserting: []) {
      change(cell.key, of: location.table) { cluster, slot in
        cluster.leaves[location.leaf].values.updateCollection(at: slot) { $0 = nil }
      }
    }
    assert(count(of: cell) == 0, "A collection that was emptied has no elements.")
  }
}

extension LeafValues {
  /// Calls `body` to change the contents of the collection cell at `slot` in place.
  mutating func updateCollection<Result>(
    at slot: Int, _ body: (inout StoredCollection?) throws -> Result
  ) rethrows -> Result {
    guard case .collection(var array) = consume self else { wrongLeaf() }
    self = .vacant
    assert(array.indices.contains(slot), "A leaf has a cell for each live row.")
    defer { self = .collection(array) }
    return try body(&array[slot])
  }
}
