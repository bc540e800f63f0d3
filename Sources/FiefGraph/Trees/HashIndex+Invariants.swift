extension HashIndex {
  /// Looks for broken invariants in every node (they are listed in `HashIndex.md`). Linear.
  ///
  /// - Returns: A sentence for each fault, with the path of child numbers from the root to it. Empty if the index is
  ///   sound.
  public func checkInvariants() -> [String] {
    var faults: [String] = []
    let actual = root.checkInvariants(path: "root", prefix: 0, shift: 0, &faults)
    if actual != total { faults.append("root: the index says \(total) entries and has \(actual)") }
    return faults
  }
}

extension HashIndex.Node {
  /// Checks this node and all nodes below it.
  ///
  /// - Parameters:
  ///   - prefix: The bits of the hash that lead here.
  ///   - shift: How many bits these are.
  /// - Returns: How many entries this node and all nodes below it have.
  func checkInvariants(path: String, prefix: UInt64, shift: Int, _ faults: inout [String]) -> Int {
    switch self {
    case .bucket(let entries):
      if shift < UInt64.bitWidth, entries.count > Self.capacity {
        faults.append("\(path): a bucket of \(entries.count) entries should have become an inner node")
      }
      let mask: UInt64 = ~(~0 << UInt64(shift))
      for entry in entries where entry.hash & mask != prefix {
        faults.append("\(path): the entry of key \(entry.key) with hash \(entry.hash) does not belong here")
      }
      return entries.count
    case .inner(let children):
      guard shift < UInt64.bitWidth else {
        faults.append("\(path): an inner node has no bits left to choose by")
        return 0
      }
      if children.count != Self.fanOut { faults.append("\(path): an inner node has \(children.count) children") }
      var count = 0
      for (slot, child) in children.enumerated() {
        count += child.checkInvariants(
          path: "\(path)/\(slot)", prefix: prefix | UInt64(slot) << UInt64(shift), shift: shift + Self.levelBits,
          &faults)
      }
      if count <= Self.sparseCount {
        faults.append("\(path): an inner node of \(count) entries should have become a bucket")
      }
      return count
    }
  }
}
