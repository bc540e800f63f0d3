// Sets. Two values are one element if `StoredOrder` considers them equal: 1 and 1.0 in a set of any-values, 0.0 and
// -0.0.

extension Transaction {
  /// Adds `value`, unless the set contains an equal element. O(log count).
  ///
  /// - Returns: Whether it was added.
  /// - Throws: `GraphError` if the row or column does not exist, the value does not fit, or a link's target does not
  ///   exist.
  @discardableResult
  public func insert(_ value: Value, inSet cell: Cell) throws -> Bool {
    let location = try self.location(of: cell, shape: .set)
    try check(value, at: location, of: cell.key)
    let isThere = inspect(location, of: cell.key, as: AnyStoredElements.self) {
      $0.find(value, as: location.type).isPresent
    }
    if isThere ?? false { return false }
    try exchange(cell, removing: nil, inserting: location.type.canLink ? value : nil) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { _ = $0.insertInOrder(value) }
    }
    assert(contains(value, inSet: cell), "A set contains what was inserted.")
    return true
  }

  /// Removes the element that equals `value`, if the set contains it. O(log count).
  ///
  /// - Returns: Whether the set contained it.
  /// - Throws: `GraphError` if the row or column does not exist.
  @discardableResult
  public func remove(_ value: Value, fromSet cell: Cell) throws -> Bool {
    let location = try self.location(of: cell, shape: .set)
    let found = inspect(location, of: cell.key, as: AnyStoredElements.self) { contents in
      let (position, isPresent) = contents.find(value, as: location.type)
      return isPresent ? (position: position, value: contents.value(at: position, as: location.type)) : nil
    }
    guard let found else { return false }
    try exchange(cell, removing: location.type.canLink ? found.value : nil, inserting: nil) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.remove(at: found.position)) }
    }
    assert(!contains(value, inSet: cell), "A set contains a value once.")
    return true
  }

  /// Whether an element equals `value`. O(log count); also false if the row or column does not exist.
  public func contains(_ value: Value, inSet cell: Cell) -> Bool {
    guard let type = working[cell.table]?.schema.column(cell.column)?.type, type.shape == .set else { return false }
    return (working.collection(cell) as? AnyStoredElements)?.find(value, as: type).isPresent ?? false
  }

  /// Adds all of `values`. All of them are checked before the first is added.
  public func formUnion(_ values: [Value], inSet cell: Cell) throws {
    let location = try self.location(of: cell, shape: .set)
    for value in values { try check(value, at: location, of: cell.key) }
    for value in values { try insert(value, inSet: cell) }
    assert(values.allSatisfy { contains($0, inSet: cell) }, "A union contains what was added.")
  }

  /// Removes all elements that equal one of `values`.
  public func subtract(_ values: [Value], fromSet cell: Cell) throws {
    _ = try location(of: cell, shape: .set)
    for value in values { try remove(value, fromSet: cell) }
  }

  /// Removes all elements that equal none of `values`. O((count + values) · log count).
  public func formIntersection(_ values: [Value], inSet cell: Cell) throws {
    let location = try self.location(of: cell, shape: .set)
    guard let contents = contents(location, of: cell.key, as: AnyStoredElements.self) else { return }
    var kept = Array(repeating: false, count: contents.count)
    for value in values {
      let (position, isPresent) = contents.find(value, as: location.type)
      if isPresent { kept[position] = true }
    }
    assert(kept.count == count(of: cell), "Each element is kept or goes.")
    let old = kept.indices.filter { !kept[$0] }.map { contents.value(at: $0, as: location.type) }
    for value in old { try remove(value, fromSet: cell) }
  }
}
