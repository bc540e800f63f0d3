import FiefRuntime

// Finding a value: one way down, which compares as many values as the tree is deep in bits.
//
// Short strings are compared without a call: their bytes are two numbers.

extension PropertyIndex {
  /// The first position whose values are not less than `value` in the first column. O(log n).
  public func lowerBound(_ value: Value) -> Int {
    Self.comparing(with: value) { order in values.partitionPoint { order($0) >= 0 } }
  }

  /// The first position whose values are greater than `value` in the first column. O(log n).
  public func upperBound(_ value: Value) -> Int {
    Self.comparing(with: value) { order in values.partitionPoint { order($0) > 0 } }
  }

  /// The positions of the values with `value` in the first column. O(log n).
  public func range(of value: Value) -> Range<Int> { lowerBound(value)..<upperBound(value) }

  /// How many rows have `value` in the first column. O(log n) for an index of one column. For an index of several
  /// columns, linear in the combinations that begin with `value`.
  public func count(of value: Value) -> Int {
    if definition.columns.count > 1 { return rowCount(in: range(of: value)) }
    return posting(of: value).map { count(at: $0) } ?? 0
  }

  /// The reference of the rows with these values, or nil if no row has them.
  func posting(of entry: IndexEntry) -> Int64? {
    assert(entry.rest.count == definition.columns.count - 1, "An entry has a value for each column.")
    if entry.rest.isEmpty { return posting(of: entry.first) }
    return withExtendedLifetime(values.root) {
      unsafe values.root.below.read({ $0.posting }, seeing: { IndexedValue.compare($0, entry) })
    }
  }

  /// The reference of the rows with a value, or nil if no row has it. The index must have one column.
  private func posting(of value: Value) -> Int64? {
    withExtendedLifetime(values.root) { unsafe Self.posting(of: value, in: values.root.below) }
  }

  /// The reference of the rows with a value, in a borrowed tree that the caller holds.
  @inline(__always)
  fileprivate static func posting(of value: Value, in values: OrderedTree<IndexedValue>.Node.View) -> Int64? {
    comparing(with: value) { order in unsafe values.read({ $0.posting }, seeing: order) }
  }

  /// The position of the values of an entry, or where they would be inserted.
  func position(of entry: IndexEntry) -> Int {
    assert(entry.rest.count == definition.columns.count - 1, "An entry has a value for each column.")
    if entry.rest.isEmpty { return lowerBound(entry.first) }
    return values.partitionPoint { IndexedValue.compare($0, entry) >= 0 }
  }

  /// Calls `find` with a closure that compares an indexed value to `value`: negative before, zero equal, positive
  /// after.
  @inline(__always)
  private static func comparing<Result>(with value: Value, _ find: ((borrowing IndexedValue) -> Int) -> Result)
    -> Result
  {
    guard ShortCut.indexWords.isOn else { return find({ StoredOrder.compare($0.first, value) }) }
    switch value {
    case .string(let text):
      guard let words = SmallString.words(ofShort: text) else { break }
      let (first, second) = (words.0.byteSwapped, SmallString.ordered(words.1))
      ShortCut.indexWords.taken()
      return find({ entry in
        guard case .string(let other) = entry.first else { return StoredOrder.compare(entry.first, value) }
        let raw = SmallString.words(of: other)
        guard raw.1 & SmallString.flag != 0 else { return StoredOrder.compare(other, text) }
        let (a, b) = (raw.0.byteSwapped, SmallString.ordered(raw.1))
        if a != first { return a < first ? -1 : 1 }
        return b < second ? -1 : b == second ? 0 : 1
      })
    case .int(let number):
      ShortCut.indexWords.taken()
      return find({ entry in
        guard case .int(let other) = entry.first else { return StoredOrder.compare(entry.first, value) }
        return other < number ? -1 : other == number ? 0 : 1
      })
    default: break
    }
    return find({ StoredOrder.compare($0.first, value) })
  }
}

extension Table {
  /// How many rows have a value in a column, counted by an index; nil if the column has none. O(log n).
  package func indexedCount(of value: Value, in column: ColumnKey) -> Int? {
    // The indexes are read in place: a copy of one counts a reference for each of its parts. This is sound because the
    // caller holds the table and does not change it meanwhile, and only numbers are returned.
    unsafe indexes.withUnsafeBufferPointer { indexes in
      guard let first = indexes.baseAddress else { return nil }
      for number in indexes.indices {
        let index = unsafe first + number
        if unsafe index.pointee.definition.columns[0] != column || index.pointee.definition.isFullText { continue }
        if unsafe index.pointee.definition.columns.count > 1 { return unsafe index.pointee.count(of: value) }
        guard let reference = unsafe PropertyIndex.posting(of: value, in: index.pointee.values.root.below) else {
          return 0
        }
        return unsafe index.pointee.count(at: reference)
      }
      return nil
    }
  }
}
