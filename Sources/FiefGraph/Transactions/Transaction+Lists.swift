// Lists. Positions out of range trap, as in Swift's arrays. All other errors are thrown, and nothing has changed then.

extension Transaction {
  /// Inserts `value` at `position`, 0...count. O(log count).
  ///
  /// - Throws: `GraphError` if the row or column does not exist, the value does not fit, or a link's target does not
  ///   exist.
  public func insert(_ value: Value, at position: Int, inList cell: Cell) throws {
    let location = try self.location(of: cell, shape: .list)
    checkBounds(position, of: count(of: cell), orEnd: true, "insert into")
    try check(value, at: location, of: cell.key)
    try exchange(cell, removing: nil, inserting: location.type.canLink ? value : nil) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.insert(value, at: position)) }
    }
  }

  /// Appends `value`. O(log count).
  public func append(_ value: Value, toList cell: Cell) throws {
    let location = try self.location(of: cell, shape: .list)
    try check(value, at: location, of: cell.key)
    try exchange(cell, removing: nil, inserting: location.type.canLink ? value : nil) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.append(value)) }
    }
  }

  /// Inserts `values` at `position`, 0...count, in their order. All of them are checked before the first is inserted.
  public func insert(contentsOf values: [Value], at position: Int, inList cell: Cell) throws {
    let location = try self.location(of: cell, shape: .list)
    checkBounds(position, of: count(of: cell), orEnd: true, "insert into")
    try replaceSubrange(position..<position, with: values, in: cell, location)
  }

  /// Replaces the element at `position` by `value`. An embedded object in the old element is deleted.
  public func replace(at position: Int, with value: Value, inList cell: Cell) throws {
    let location = try self.location(of: cell, shape: .list)
    let old = element(at: position, of: cell.key, location, "replace in")
    if old == value { return }
    try check(value, at: location, of: cell.key)
    let isLink = location.type.canLink
    try exchange(cell, removing: isLink ? old : nil, inserting: isLink ? value : nil) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.replace(at: position, with: value)) }
    }
  }

  /// The element at a position, which must exist.
  private func element(at position: Int, of key: ObjectKey, _ location: ColumnLocation, _ what: String) -> Value {
    let value = inspect(location, of: key, as: AnyStoredElements.self) { contents in
      checkBounds(position, of: contents.count, what)
      return contents.value(at: position, as: location.type)
    }
    if value == nil { checkBounds(position, of: 0, what) }
    return value ?? .null
  }

  /// Replaces the elements in `range` by `values`. Embedded objects in the old elements are deleted.
  public func replaceSubrange(_ range: Range<Int>, with values: [Value], inList cell: Cell) throws {
    let location = try self.location(of: cell, shape: .list)
    let count = count(of: cell)
    if range.lowerBound < 0 || range.upperBound > count {
      fatalError("Range \(range) is out of bounds: cannot replace in a list of \(count) elements there.")
    }
    try replaceSubrange(range, with: values, in: cell, location)
  }

  private func replaceSubrange(
    _ range: Range<Int>, with values: [Value], in cell: Cell, _ location: ColumnLocation
  ) throws {
    for value in values { try check(value, at: location, of: cell.key) }
    if range.isEmpty && values.isEmpty { return }
    assert(0...count(of: cell) ~= range.upperBound, "Elements that are replaced exist.")
    let old = links(in: contents(location, of: cell.key, as: AnyStoredElements.self), at: range, location.type)
    try exchange(cell, removing: old, inserting: location.type.canLink ? values : []) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.replaceSubrange(range, with: values)) }
    }
  }

  /// Removes the element at `position`. An embedded object in it is deleted. O(log count).
  public func remove(at position: Int, fromList cell: Cell) throws {
    // The row and the column are checked first: the position has no meaning if the cell is not a list.
    let location = try self.location(of: cell, shape: .list)
    let old = element(at: position, of: cell.key, location, "remove from")
    try exchange(cell, removing: location.type.canLink ? old : nil, inserting: nil) {
      edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(.remove(at: position)) }
    }
  }

  /// Removes the elements in `range`. Embedded objects in them are deleted.
  public func removeSubrange(_ range: Range<Int>, fromList cell: Cell) throws {
    try replaceSubrange(range, with: [], inList: cell)
  }

  /// Moves the element at `source` to `destination`, its position after the move. O(log count).
  public func move(from source: Int, to destination: Int, inList cell: Cell) throws {
    try rearrange(cell, source, "move from", destination, "move to", by: .move(from: source, to: destination))
  }

  /// Swaps two elements. O(log count).
  public func swapAt(_ a: Int, _ b: Int, inList cell: Cell) throws {
    try rearrange(cell, a, "swap in", b, "swap in", by: .swap(a, b))
  }

  private func rearrange(_ cell: Cell, _ a: Int, _ one: String, _ b: Int, _ other: String, by edit: ListEdit) throws {
    let location = try self.location(of: cell, shape: .list)
    let count = count(of: cell)
    checkBounds(a, of: count, one)
    checkBounds(b, of: count, other)
    if a == b { return }
    self.edit(location, of: cell.key, as: AnyStoredElements.self) { $0.change(edit) }
    assert(self.count(of: cell) == count, "A move keeps the number of elements.")
  }
}
