import FiefGraph

// Lists, sets, dictionaries.

extension Oracle {
  // MARK: Lists

  /// Replaces the elements of `range` by `values`.
  mutating func replace(_ range: Range<Int>, with values: [Value], inList cell: Cell) throws {
    let column = try column(of: cell, .list)
    guard case .list(var list)? = self.cell(cell) else { throw Refusal(.missingObject) }
    for value in values { try check(value, column.type) }
    list.replaceSubrange(range, with: values)
    try exchange(cell, .list(list))
  }

  /// Replaces one element by `value`; an identical value is not checked.
  mutating func replace(at position: Int, with value: Value, inList cell: Cell) throws {
    _ = try column(of: cell, .list)
    guard case .list(let list)? = self.cell(cell) else { throw Refusal(.missingObject) }
    if ModelOrder.isIdentical(list[position], value) { return }
    try replace(position..<position + 1, with: [value], inList: cell)
  }

  /// Appends `value`.
  mutating func append(_ value: Value, toList cell: Cell) throws {
    _ = try column(of: cell, .list)
    let count = self.cell(cell).map { Oracle.values($0).count } ?? 0
    try replace(count..<count, with: [value], inList: cell)
  }

  mutating func move(_ source: Int, _ destination: Int, inList cell: Cell) throws {
    _ = try column(of: cell, .list)
    guard case .list(var list)? = self.cell(cell) else { throw Refusal(.missingObject) }
    list.insert(list.remove(at: source), at: destination)
    put(.list(list), cell)
  }

  mutating func swap(_ a: Int, _ b: Int, inList cell: Cell) throws {
    _ = try column(of: cell, .list)
    guard case .list(var list)? = self.cell(cell) else { throw Refusal(.missingObject) }
    list.swapAt(a, b)
    put(.list(list), cell)
  }

  mutating func removeAll(_ cell: Cell) throws {
    let column = try column(of: cell)
    guard column.type.shape != .single else { throw Refusal(.invalidValue) }
    try exchange(cell, Oracle.unset(column.type))
  }

  // MARK: Sets

  private func elements(_ cell: Cell) throws -> (values: [Value], type: ColumnType) {
    let column = try column(of: cell, .set)
    guard case .set(let values)? = self.cell(cell) else { throw Refusal(.missingObject) }
    return (values, column.type)
  }

  /// A value that the set cannot hold equals none of its elements.
  private static func holds(_ values: [Value], _ value: Value, _ type: ColumnType) -> Bool {
    fits(value, type) && values.contains { ModelOrder.compare($0, value) == 0 }
  }

  private static func inserting(_ value: Value, _ values: [Value]) -> [Value] {
    (values + [value]).sorted { ModelOrder.compare($0, $1) < 0 }
  }

  mutating func insert(_ value: Value, inSet cell: Cell) throws -> Bool {
    let (values, type) = try elements(cell)
    try check(value, type)
    if Oracle.holds(values, value, type) { return false }
    put(.set(Oracle.inserting(value, values)), cell)
    return true
  }

  mutating func remove(_ value: Value, fromSet cell: Cell) throws -> Bool {
    let (values, type) = try elements(cell)
    guard Oracle.holds(values, value, type) else { return false }
    put(.set(values.filter { ModelOrder.compare($0, value) != 0 }), cell)
    return true
  }

  mutating func formUnion(_ others: [Value], inSet cell: Cell) throws {
    let (_, type) = try elements(cell)
    for value in others { try check(value, type) }
    for value in others { _ = try insert(value, inSet: cell) }
  }

  mutating func subtract(_ others: [Value], fromSet cell: Cell) throws {
    _ = try elements(cell)
    for value in others { _ = try remove(value, fromSet: cell) }
  }

  mutating func formIntersection(_ others: [Value], inSet cell: Cell) throws {
    let (values, type) = try elements(cell)
    let kept = others.filter { Oracle.fits($0, type) }
    put(.set(values.filter { value in kept.contains { ModelOrder.compare($0, value) == 0 } }), cell)
  }

  // MARK: Dictionaries

  static func value(forKey key: String, _ entries: [(key: String, value: Value)]) -> Value? {
    entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  static func setting(
    _ value: Value, forKey key: String, _ entries: [(key: String, value: Value)]
  ) -> [(key: String, value: Value)] {
    let others = entries.filter { !$0.key.utf8.elementsEqual(key.utf8) }
    return (others + [(key, value)]).sorted { ModelOrder.isBefore($0.key, $1.key) }
  }

  mutating func set(_ value: Value, forKey key: String, inDictionary cell: Cell) throws {
    let column = try column(of: cell, .dictionary)
    guard case .dictionary(let entries)? = self.cell(cell) else { throw Refusal(.missingObject) }
    if let old = Oracle.value(forKey: key, entries), ModelOrder.isIdentical(old, value) { return }
    try check(value, column.type)
    try exchange(cell, .dictionary(Oracle.setting(value, forKey: key, entries)))
  }

  mutating func remove(key: String, fromDictionary cell: Cell) throws -> Bool {
    _ = try column(of: cell, .dictionary)
    guard case .dictionary(let entries)? = self.cell(cell) else { throw Refusal(.missingObject) }
    guard Oracle.value(forKey: key, entries) != nil else { return false }
    try exchange(cell, .dictionary(entries.filter { !$0.key.utf8.elementsEqual(key.utf8) }))
    return true
  }
}
