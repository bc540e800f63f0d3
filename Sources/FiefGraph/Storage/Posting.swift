/// The rows of one value of an index, ascending: two or more, since the row of a value that only one has stands with
/// the value.
///
/// It is changed only by a transaction that holds the one reference to it; see `Cluster`.
final class Posting: RadixChunk, @unchecked Sendable {
  @exclusivity(unchecked) private(set) var keys: OrderedTree<Int64>

  /// Rows, ascending.
  init(_ keys: OrderedTree<Int64>) {
    self.keys = keys
    super.init()
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }

  /// An equal one of its own, sharing the nodes of the tree.
  override func copy() -> Posting { Posting(keys) }

  /// How many rows there are.
  var count: Int { keys.count }

  /// Adds a row that is not there. O(log count).
  func insert(_ key: ObjectKey) { keys.insert(ascending: key.rawValue) }

  /// Takes a row out. O(log count).
  ///
  /// - Returns: whether it was there.
  func remove(_ key: ObjectKey) -> Bool { keys.remove(ascending: key.rawValue) }

  /// What is wrong with it in itself, in sentences; empty for a sound one.
  func checkInvariants(_ name: String) -> [String] {
    var faults = keys.checkInvariants(areIdentical: ==) { $0 < $1 }.map { "\(name): \($0)" }
    if keys.count < 2 { faults.append("\(name) has \(keys.count) rows.") }
    return faults
  }
}
