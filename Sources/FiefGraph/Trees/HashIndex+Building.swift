import Dispatch
import FiefRuntime
import Synchronization

extension HashIndex {
  /// Entries to be added at once, by the child of the root that they belong to. There is one array of them at a time,
  /// and no other copy of all.
  struct Additions {
    private(set) var parts = ContiguousArray(repeating: ContiguousArray<Entry>(), count: Node.fanOut)
    private(set) var count = 0

    /// Makes room for about as many entries. Sixteen consecutive integers are in one part, so parts differ.
    init(capacity: Int) {
      guard capacity > 64 else { return }
      let share = capacity / Node.fanOut + 4 * Int(Double(capacity).squareRoot())
      for slot in parts.indices { parts[slot].reserveCapacity(min(share, capacity)) }
    }

    mutating func append(_ entry: Entry) {
      parts[Node.slot(entry.hash)].append(entry)
      count &+= 1
    }
  }

  /// Adds many entries at once: each node takes all that belong below it, so it is visited once.
  ///
  /// - Returns: Whether a new entry has the hash of another entry, new or old. If not, all values of the index differ,
  ///   provided that they did before.
  /// - Complexity: O(*n* log16 *n*) if hashes are spread, on several threads for many entries.
  mutating func insert(contentsOf additions: consuming Additions) -> Bool {
    total += additions.count
    // Starting threads takes as long as some thousand entries.
    guard additions.count >= 1 << 14, Processors.count > 1 else {
      return root.insert(contentsOf: ContiguousArray(additions.parts.joined()), shift: 0)
    }
    if case .bucket(let few) = root {
      root = .inner(ContiguousArray(repeating: .empty, count: Node.fanOut))
      for entry in few { additions.append(entry) }
    }
    guard case .inner(let children) = root else { fatalError("A node is a bucket or has children.") }
    let parts = Mutex(additions.parts)
    let results = Mutex<[Int: (node: Node, repeats: Bool)]>([:])
    DispatchQueue.concurrentPerform(iterations: Node.fanOut) { slot in
      var node = children[slot]
      let own = parts.withLock { parts in
        var own: ContiguousArray<Entry> = []
        swap(&own, &parts[slot])
        return own
      }
      HeapRoom.make(own.count * 2 * MemoryLayout<Entry>.size)
      let repeats = node.insert(contentsOf: own, shift: Node.levelBits)
      results.withLock { $0[slot] = (node, repeats) }
    }
    let all = results.withLock { $0 }
    root = .inner(ContiguousArray((0..<Node.fanOut).map { all[$0]?.node ?? .empty }))
    return all.contains { $1.repeats }
  }
}

extension HashIndex.Node {
  /// Adds entries below this node.
  ///
  /// - Parameter shift: How many bits of the hash the levels above have used.
  /// - Returns: Whether a new entry has the hash of another one.
  mutating func insert(contentsOf entries: consuming ContiguousArray<HashIndex.Entry>, shift: Int) -> Bool {
    if entries.isEmpty { return false }
    switch consume self {
    case .inner(var children):
      var repeats = false
      for (slot, part) in Self.parts(of: entries, shift: shift).enumerated() {
        if children[slot].insert(contentsOf: part, shift: shift + Self.levelBits) { repeats = true }
      }
      self = .inner(children)
      return repeats
    case .bucket(let few):
      let all = few.isEmpty ? entries : few + entries
      if all.count <= Self.capacity || shift >= UInt64.bitWidth {
        self = .bucket(all)
        return Self.repeats(all, from: few.count)
      }
      self = .inner(ContiguousArray(repeating: .empty, count: Self.fanOut))
      return insert(contentsOf: all, shift: shift)
    }
  }

  /// The entries of each child, in arrays of exactly their length.
  static func parts(
    of entries: ContiguousArray<HashIndex.Entry>, shift: Int
  ) -> ContiguousArray<ContiguousArray<HashIndex.Entry>> {
    assert(shift < UInt64.bitWidth, "Entries are divided only while bits of the hash are left.")
    // The end of each part among the sorted entries, which is its beginning while there is none of it.
    var ends = ContiguousArray(repeating: 0, count: fanOut)
    for entry in entries { ends[slot(entry.hash &>> UInt64(shift))] &+= 1 }
    var next = 0
    for slot in 0..<fanOut { (ends[slot], next) = (next, next + ends[slot]) }
    var sorted = entries
    for entry in entries {
      let slot = slot(entry.hash &>> UInt64(shift))
      sorted[ends[slot]] = entry
      ends[slot] &+= 1
    }
    let parts = (0..<fanOut).map { slot in
      let start = slot == 0 ? 0 : ends[slot - 1]
      return ContiguousArray(sorted[start..<ends[slot]])
    }
    return ContiguousArray(parts)
  }

  /// Whether an entry from `start` on has the hash of another one. All have one hash where its bits are used up.
  private static func repeats(_ entries: ContiguousArray<HashIndex.Entry>, from start: Int) -> Bool {
    if entries.count > capacity { return true }
    // The six highest bits of most hashes differ from those of the others, and then the hashes do. Consecutive integers
    // differ in the highest four.
    var seen: UInt64 = 0
    for index in entries.indices {
      let hash = entries[index].hash
      let bit: UInt64 = 1 &<< (hash &>> 58)
      if seen & bit != 0, index >= start, entries[..<index].contains(where: { $0.hash == hash }) { return true }
      seen |= bit
    }
    return false
  }
}
