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
  static func compareValues(_ a: IndexEntry, _ b: IndexEntry) -> Int {
    let order = StoredOrder.compare(a.first, b.first)
    return order != 0 ? order : StoredOrder.compare(a.rest, b.rest)
  }

  /// By the values, then by the key.
  static func compare(_ a: IndexEntry, _ b: IndexEntry) -> Int {
    let order = compareValues(a, b)
    return order != 0 ? order : StoredOrder.compare(a.key.rawValue, b.key.rawValue)
  }

  var hasNull: Bool { first.isNull || rest.contains { $0.isNull } }
}

extension StoredOrder {
  /// The values one by one, as far as both go: -1, 0 or 1.
  static func compare(_ a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    for (a, b) in zip(a, b) {
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return 0
  }
}
