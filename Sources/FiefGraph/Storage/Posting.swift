import FiefRuntime

/// The rows of one value of an index, ascending: two or more. The row of a value that only one row has is stored with
/// the value.
///
/// A transaction changes a posting only while it holds the one reference to it; see `Cluster`.
final class Posting: RadixChunk, @unchecked Sendable {
  // Exclusivity is not checked at run time: only `Transaction` changes a posting, never re-entrantly.
  @safe @exclusivity(unchecked) private(set) var keys: OrderedTree<Int64>

  /// Makes a posting of rows, ascending.
  init(_ keys: OrderedTree<Int64>) {
    assert(keys.count > 1, "A row that is alone with its value is stored with the value.")
    self.keys = keys
    super.init()
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }

  /// An equal posting that shares the nodes of the tree.
  override func copy() -> Posting { Posting(keys) }

  /// How many rows the posting has.
  var count: Int { keys.count }

  /// Adds a row that is not in the posting. O(log count).
  func insert(_ key: ObjectKey) {
    assert(!contains(key), "A posting has each row once.")
    keys.insert(ascending: key.rawValue)
  }

  func contains(_ key: ObjectKey) -> Bool {
    assert(key.rawValue >= 0, "A posting has rows.")
    let position = keys.partitionPoint { $0 >= key.rawValue }
    return position < keys.count && keys[position] == key.rawValue
  }

  /// Removes a row. O(log count).
  ///
  /// - Returns: Whether the posting contained the row.
  func remove(_ key: ObjectKey) -> Bool {
    assert(keys.count > 1, "A posting has two rows or more.")
    return keys.remove(ascending: key.rawValue)
  }

  /// Every fault of the posting itself, as sentences; empty for a sound one.
  func checkInvariants(_ name: String) -> [String] {
    var faults = keys.checkInvariants(areIdentical: ==) { $0 < $1 }.map { "\(name): \($0)" }
    if keys.count < 2 { faults.append("\(name) has \(keys.count) rows.") }
    return faults
  }
}
