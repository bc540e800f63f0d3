/// A row in a property index: the values that determine its position, and its key.
@frozen
public struct IndexEntry: Sendable {
  /// The value of the index's first column.
  public let first: Value
  /// The values of its further columns; empty for an index of one column.
  public let rest: ContiguousArray<Value>
  /// The key of the row.
  public let key: ObjectKey

  /// Makes an entry of its parts.
  @inlinable
  public init(first: Value, rest: ContiguousArray<Value> = [], key: ObjectKey) {
    assert(key.rawValue >= 0, "Only a row is indexed.")
    self.first = first
    self.rest = rest
    self.key = key
  }

  /// Compares the values and ignores the key: -1, 0 or 1.
  static func compareValues(_ a: IndexEntry, _ b: IndexEntry) -> Int {
    let order = StoredOrder.compare(a.first, b.first)
    return order != 0 ? order : StoredOrder.compare(a.rest, b.rest)
  }

  /// Compares the values, then the keys: -1, 0 or 1.
  static func compare(_ a: IndexEntry, _ b: IndexEntry) -> Int {
    let order = compareValues(a, b)
    return order != 0 ? order : StoredOrder.compare(a.key.rawValue, b.key.rawValue)
  }

  /// The end of the entries from `start` on that have the values of the first of them. The entries ascend.
  static func endOfRun(from start: Int, in entries: [IndexEntry]) -> Int {
    var end = start + 1
    while end < entries.count, compareValues(entries[start], entries[end]) == 0 { end += 1 }
    return end
  }

  var hasNull: Bool { first.isNull || rest.contains { $0.isNull } }
}

extension StoredOrder {
  /// Compares the values one by one, up to the length of the shorter array: -1, 0 or 1.
  static func compare(_ a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    assert(a.count == b.count, "Entries of one index have equally many values.")
    for (a, b) in zip(a, b) {
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return 0
  }
}
