// Lists. Positions out of range trap, as Swift's arrays do; everything else that is wrong is thrown, and changes
// nothing.

extension Transaction {
  /// Puts `value` in at `position`, 0...count. O(log count).
  ///
  /// - Throws: `GraphError` when the row or column does not exist, the value does not fit, or a link's target does not
  ///   exist.
  public func insert(_ value: Value, at position: Int, inList cell: Cell) throws {
    try insert(all: [value], at: position, inList: cell)
  }

  /// Puts `value` in at the end. O(log count).
  public func append(_ value: Value, toList cell: Cell) throws {
    let place = try place(of: cell, shape: .list)
    try check(value, place, cell.key)
    try exchange(cell, removing: nil, inserting: place.type.canLink ? value : nil) {
      edit(place, cell.key, AnyStoredElements.self) { $0.append(value) }
    }
  }

  /// Puts `values` in at `position`, 0...count, in their order. All of them are checked before the first goes in.
  @inlinable
  public func insert(contentsOf values: some Sequence<Value>, at position: Int, inList cell: Cell) throws {
    try insert(all: Array(values), at: position, inList: cell)
  }

  @usableFromInline
  func insert(all values: [Value], at position: Int, inList cell: Cell) throws {
    let place = try place(of: cell, shape: .list)
    checkBounds(position, count(of: cell) + 1, "insert into")
    try replaceSubrange(position..<position, with: values, place, cell)
  }

  /// Puts `value` in the place of the element at `position`. An embedded object that stood there is deleted.
  public func replace(at position: Int, with value: Value, inList cell: Cell) throws {
    let place = try place(of: cell, shape: .list)
    let contents = contents(place, cell.key, AnyStoredElements.self)
    checkBounds(position, contents?.count ?? 0, "replace in")
    let old = contents?.value(at: position, as: place.type) ?? .null
    if old == value { return }
    try check(value, place, cell.key)
    let isLink = place.type.canLink
    try exchange(cell, removing: isLink ? old : nil, inserting: isLink ? value : nil) {
      edit(place, cell.key, AnyStoredElements.self) { $0.replace(at: position, with: value) }
    }
  }

  /// Puts `values` in the place of the elements in `range`. Embedded objects that stood there are deleted.
  @inlinable
  public func replaceSubrange(_ range: Range<Int>, with values: some Sequence<Value>, inList cell: Cell) throws {
    try replaceSubrange(range, withAll: Array(values), inList: cell)
  }

  @usableFromInline
  func replaceSubrange(_ range: Range<Int>, withAll values: [Value], inList cell: Cell) throws {
    let place = try place(of: cell, shape: .list)
    let count = count(of: cell)
    if range.lowerBound < 0 || range.upperBound > count {
      fatalError("Range \(range) is out of bounds: cannot replace in a list of \(count) elements there.")
    }
    try replaceSubrange(range, with: values, place, cell)
  }

  private func replaceSubrange(
    _ range: Range<Int>, with values: [Value], _ place: Place, _ cell: Cell
  ) throws {
    for value in values { try check(value, place, cell.key) }
    if range.isEmpty && values.isEmpty { return }
    let old = links(contents(place, cell.key, AnyStoredElements.self), range, place.type)
    try exchange(cell, removing: old, inserting: place.type.canLink ? values : []) {
      edit(place, cell.key, AnyStoredElements.self) { $0.replaceSubrange(range, with: values) }
    }
  }

  /// Takes out the element at `position`. An embedded object that stood there is deleted. O(log count).
  public func remove(at position: Int, fromList cell: Cell) throws {
    // The row and the column come first: what is not a list has no positions that could be out of range.
    _ = try place(of: cell, shape: .list)
    checkBounds(position, count(of: cell), "remove from")
    try removeSubrange(position..<position + 1, fromList: cell)
  }

  /// Takes out the elements in `range`. Embedded objects that stood there are deleted.
  public func removeSubrange(_ range: Range<Int>, fromList cell: Cell) throws {
    try replaceSubrange(range, withAll: [], inList: cell)
  }

  /// Takes the element at `source` out and puts it in again so that it stands at `destination`. O(log count).
  public func move(from source: Int, to destination: Int, inList cell: Cell) throws {
    let place = try place(of: cell, shape: .list)
    let count = count(of: cell)
    checkBounds(source, count, "move from")
    checkBounds(destination, count, "move to")
    if source == destination { return }
    edit(place, cell.key, AnyStoredElements.self) { $0.move(from: source, to: destination) }
  }

  /// Exchanges two elements. O(log count).
  public func swapAt(_ a: Int, _ b: Int, inList cell: Cell) throws {
    let place = try place(of: cell, shape: .list)
    let count = count(of: cell)
    checkBounds(a, count, "swap in")
    checkBounds(b, count, "swap in")
    if a == b { return }
    edit(place, cell.key, AnyStoredElements.self) { $0.swapAt(a, b) }
  }
}
