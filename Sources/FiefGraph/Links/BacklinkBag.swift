/// The rows that link to one row through one column. A row occurs once for each of its links.
///
/// The bag is sorted by key. Finding, adding or removing one of a million links takes O(log n), and so does reading the
/// i-th. One link, by far the most common number, needs no storage of its own.
@frozen
public enum BacklinkBag: Sendable {
  /// One link.
  case one(ObjectKey)
  /// Two or more, ascending.
  case many(OrderedTree<Int64>)

  /// How many links the bag contains, repetitions included.
  @inlinable
  public var count: Int {
    switch self {
    case .one: 1
    case .many(let keys): keys.count
    }
  }

  /// The row of the link at `position`, 0..<count. O(log count).
  @inlinable
  public subscript(position: Int) -> ObjectKey {
    switch self {
    case .one(let key):
      precondition(position == 0, "A bag of one link was asked for another.")
      return key
    case .many(let keys): return ObjectKey(keys[position])
    }
  }

  /// Calls `body` with the row of every link, ascending, repetitions included.
  @inlinable
  public func forEach(_ body: (ObjectKey) throws -> Void) rethrows {
    switch self {
    case .one(let key): try body(key)
    case .many(let keys): for key in keys { try body(ObjectKey(key)) }
    }
  }
}
