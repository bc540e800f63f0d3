// Sets. Two values are the same element when `StoredOrder` says so: 1 and 1.0 in a set of any-values, 0.0 and -0.0.

extension Transaction {
  /// Adds `value`, unless an equal element is there. O(log count).
  ///
  /// - Returns: whether it was added.
  /// - Throws: `GraphError` when the row or column does not exist, the value does not fit, or a link's target does not
  ///   exist.
  @discardableResult
  public func insert(_ value: Value, inSet cell: Cell) throws -> Bool {
    let place = try place(of: cell, shape: .set)
    try check(value, place, cell.key)
    if contents(place, cell.key, AnyStoredElements.self)?.find(value).isPresent ?? false { return false }
    try exchange(cell, removing: nil, inserting: place.type.canLink ? value : nil) {
      edit(place, cell.key, AnyStoredElements.self) { _ = $0.insertInOrder(value) }
    }
    return true
  }

  /// Takes out the element that equals `value`, if there is one. O(log count).
  ///
  /// - Returns: whether there was one.
  /// - Throws: `GraphError` when the row or column does not exist.
  @discardableResult
  public func remove(_ value: Value, fromSet cell: Cell) throws -> Bool {
    let place = try place(of: cell, shape: .set)
    guard let contents = contents(place, cell.key, AnyStoredElements.self) else { return false }
    let (position, isPresent) = contents.find(value, as: place.type)
    if !isPresent { return false }
    let old = contents.value(at: position, as: place.type)
    try exchange(cell, removing: place.type.canLink ? old : nil, inserting: nil) {
      edit(place, cell.key, AnyStoredElements.self) { $0.remove(at: position) }
    }
    return true
  }

  /// Whether an element equals `value`. O(log count); false, too, when there is no such row or column.
  public func contains(_ value: Value, inSet cell: Cell) -> Bool {
    guard let type = working[cell.table]?.schema.column(cell.column)?.type, type.shape == .set else { return false }
    return (working.collection(cell) as? AnyStoredElements)?.find(value, as: type).isPresent ?? false
  }

  /// Adds all of `values`. All of them are checked before the first goes in.
  @inlinable
  public func formUnion(_ values: some Sequence<Value>, inSet cell: Cell) throws {
    try formUnion(all: Array(values), inSet: cell)
  }

  @usableFromInline
  func formUnion(all values: [Value], inSet cell: Cell) throws {
    let place = try place(of: cell, shape: .set)
    for value in values { try check(value, place, cell.key) }
    for value in values { try insert(value, inSet: cell) }
  }

  /// Takes out all elements that equal one of `values`.
  @inlinable
  public func subtract(_ values: some Sequence<Value>, fromSet cell: Cell) throws {
    try subtract(all: Array(values), fromSet: cell)
  }

  @usableFromInline
  func subtract(all values: [Value], fromSet cell: Cell) throws {
    _ = try place(of: cell, shape: .set)
    for value in values { try remove(value, fromSet: cell) }
  }

  /// Takes out all elements that equal none of `values`. O((count + values) · log count).
  @inlinable
  public func formIntersection(_ values: some Sequence<Value>, inSet cell: Cell) throws {
    try formIntersection(all: Array(values), inSet: cell)
  }

  @usableFromInline
  func formIntersection(all values: [Value], inSet cell: Cell) throws {
    let place = try place(of: cell, shape: .set)
    guard let contents = contents(place, cell.key, AnyStoredElements.self) else { return }
    var kept = Array(repeating: false, count: contents.count)
    for value in values {
      let (position, isPresent) = contents.find(value, as: place.type)
      if isPresent { kept[position] = true }
    }
    let old = contents.positions { !kept[$0] }.map { contents.value(at: $0, as: place.type) }
    for value in old { try remove(value, fromSet: cell) }
  }

  /// Takes out the elements that equal one of `values`, and adds those of `values` that no element equals.
  @inlinable
  public func formSymmetricDifference(_ values: some Sequence<Value>, inSet cell: Cell) throws {
    try formSymmetricDifference(all: Array(values), inSet: cell)
  }

  @usableFromInline
  func formSymmetricDifference(all values: [Value], inSet cell: Cell) throws {
    let place = try place(of: cell, shape: .set)
    // Repetitions among the values count once: they go into a set first.
    let distinct = StoredCollection.empty(for: place.type).asElements
    for value in values {
      try check(value, place, cell.key)
      _ = distinct.insertInOrder(value)
    }
    for position in 0..<distinct.count {
      let value = distinct.value(at: position, as: place.type)
      if try !remove(value, fromSet: cell) { try insert(value, inSet: cell) }
    }
  }
}

extension AnyStoredElements {
  /// Where the element that equals `value` stands. What the column cannot hold equals none of its elements: stored
  /// forms are shared among kinds (a boolean is an integer), and would meet there.
  func find(_ value: Value, as type: ColumnType) -> (position: Int, isPresent: Bool) {
    type.holdsElement(value) ? find(value) : (0, false)
  }
}

extension StoredCollection {
  /// The positions that satisfy `condition`, ascending.
  func positions(where condition: (Int) -> Bool) -> [Int] { (0..<count).filter(condition) }
}
