/// A value of an index, or a combination of one value for each column, and the rows that have it.
///
/// Forty bytes: the sign of one number distinguishes the key of a single row, the most common case, from the number of
/// a posting.
@frozen
public struct IndexedValue: Sendable {
  /// The value of the index's first column.
  public let first: Value
  /// The values of its further columns; empty for an index of one column.
  public let rest: ContiguousArray<Value>
  /// The key of the single row, or the complement of the number of a posting.
  var posting: Int64

  /// Makes the value of a single row.
  init(_ entry: IndexEntry) {
    first = entry.first
    rest = entry.rest
    posting = entry.key.rawValue
  }

  /// Makes the value of an index of one column.
  init(_ value: Value, posting: Int64) {
    first = value
    rest = []
    self.posting = posting
  }

  /// Compares the value to the values of a row: negative before, zero equal, positive after.
  static func compare(_ a: borrowing IndexedValue, _ b: IndexEntry) -> Int {
    assert(a.rest.count == b.rest.count, "Values of one index are for the same columns.")
    let order = StoredOrder.compare(a.first, b.first)
    return order != 0 ? order : StoredOrder.compare(a.rest, b.rest)
  }

  var hasNull: Bool { first.isNull || rest.contains { $0.isNull } }

  static func isIdentical(_ a: IndexedValue, _ b: IndexedValue) -> Bool {
    a.first == b.first && a.rest == b.rest && a.posting == b.posting
  }
}
