/// A row in a property index: the values that place it, and its key.
@frozen
public struct IndexEntry: Sendable {
  /// The value of the index's first column.
  public let first: Value
  /// The values of its further columns; empty for most indexes.
  public let rest: ContiguousArray<Value>
  /// The row.
  public let key: ObjectKey

  /// An entry from its parts.
  @inlinable
  public init(first: Value, rest: ContiguousArray<Value> = [], key: ObjectKey) {
    self.first = first
    self.rest = rest
    self.key = key
  }

  /// By the values, ignoring the key: -1, 0 or 1.
  public static func compareValues(_ a: IndexEntry, _ b: IndexEntry) -> Int {
    let order = StoredOrder.compare(a.first, b.first)
    if order != 0 { return order }
    for (a, b) in zip(a.rest, b.rest) {
      let order = StoredOrder.compare(a, b)
      if order != 0 { return order }
    }
    return 0
  }

  /// By the values, then by the key.
  static func compare(_ a: IndexEntry, _ b: IndexEntry) -> Int {
    let order = compareValues(a, b)
    return order != 0 ? order : StoredOrder.compare(a.key.rawValue, b.key.rawValue)
  }

  var hasNull: Bool { first.isNull || rest.contains { $0.isNull } }

  static func isIdentical(_ a: IndexEntry, _ b: IndexEntry) -> Bool {
    a.key == b.key && a.first == b.first && a.rest == b.rest
  }
}

/// The rows of a table in the order of one column, or of several: for equality, ranges, prefixes and ordered reads; or the
/// rows under each of the words of a column of texts, in the order of the words' bytes.
///
///     [a, b]        (1, "x") #4   (1, "y") #0   (2, "a") #7       each row once
///     full text     "lake" #0   "lake" #4   "swan" #0             each row once for each word; without words, not at all
///
/// Derived from the rows and kept exact with every change to them; deltas and files do not hold it.
public struct PropertyIndex: Sendable {
  /// The columns and whether their values are unique.
  public let definition: IndexDefinition
  /// Every row of the table, or every word of every row, ascending by values and then by key.
  public internal(set) var entries = OrderedTree<IndexEntry>()

  init(_ definition: IndexDefinition) { self.definition = definition }

  mutating func remove(_ entry: IndexEntry) {
    let position = entries.partitionPoint { IndexEntry.compare($0, entry) >= 0 }
    precondition(
      position < entries.count && entries[position].key == entry.key, "A row is missing from an index of its table.")
    entries.remove(at: position)
  }

  /// A row other than `entry`'s own that has the values which this unique index allows once, or nil.
  func conflict(with entry: IndexEntry) -> ObjectKey? {
    guard definition.isUnique && !entry.hasNull else { return nil }
    var position = entries.partitionPoint { IndexEntry.compareValues($0, entry) >= 0 }
    while position < entries.count, IndexEntry.compareValues(entries[position], entry) == 0 {
      if entries[position].key != entry.key { return entries[position].key }
      position += 1
    }
    return nil
  }
}
