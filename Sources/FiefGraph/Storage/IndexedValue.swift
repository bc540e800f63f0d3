/// What rows have in the columns of an index: a value, or one of each column; and which rows.
///
/// Forty bytes: the one row, which is most common, and the number of several are told apart by their sign.
@frozen
public struct IndexedValue: Sendable {
  /// The value of the index's first column.
  public let first: Value
  /// The values of its further columns; empty for most indexes.
  public let rest: ContiguousArray<Value>
  /// The key of the one row, or the complement of the number of a posting.
  var place: Int64

  /// The value of one row.
  init(_ entry: IndexEntry) {
    first = entry.first
    rest = entry.rest
    place = entry.key.rawValue
  }

  /// How it stands to the values of a row: negative before, zero equal, positive after.
  static func compare(_ a: borrowing IndexedValue, _ b: IndexEntry) -> Int {
    let order = StoredOrder.compare(a.first, b.first)
    return order != 0 ? order : StoredOrder.compare(a.rest, b.rest)
  }

  var hasNull: Bool { first.isNull || rest.contains { $0.isNull } }

  static func isIdentical(_ a: IndexedValue, _ b: IndexedValue) -> Bool {
    a.first == b.first && a.rest == b.rest && a.place == b.place
  }
}
