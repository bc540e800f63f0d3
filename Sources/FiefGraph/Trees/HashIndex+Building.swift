import FiefRuntime
import Synchronization

extension HashIndex {
  /// Entries to be added at once, by the child of the root that they belong to. Several threads may gather some each.
  struct Additions {
    fileprivate var parts = ContiguousArray(repeating: ContiguousArray<Entry>(), count: Node.fanOut)

    /// Makes room for about as many entries. Sixteen consecutive integers are in one part, so parts differ.
    init(capacity: Int) {
      guard capacity > 64 else { return }
      let share = capacity / Node.fanOut + 4 * Int(Double(capacity).squareRoot())
      for slot in parts.indices { parts[slot].reserveCapacity(min(share, capacity)) }
    }

    mutating func append(_ entry: Entry) { parts[Node.slot(entry.hash)].append(entry) }

    fileprivate var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Takes out the entries that belong to a child of the root. Their memory is given back with the result.
    fileprivate mutating func take(_ slot: Int) -> ContiguousArray<Entry> {
      var part: ContiguousArray<Entry> = []
      swap(&part, &parts[slot])
      return part
    }
  }

  /// Adds many entries at once: each node takes all that belong below it, so it is visited once.
  ///
  /// - Returns: Whether a new entry has the hash of another entry, new or old. If not, all values of the index differ,
  ///   provided that they did before.
  /// - Complexity: O(*n* log16 *n*) if hashes are spread, on several threads for many entries.
  mutating func insert(contentsOf additions: consuming [Additions]) -> Bool {
    let count = additions.reduce(0) { $0 + $1.count }
    total += count
    // Starting threads takes as long as some thousand entries.
    guard count >= 1 << 14, Processors.count > 1 else {
      return root.insert(contentsOf: ContiguousArray(additions.flatMap { $0.parts.joined() }), shift: 0)
    }
    if case .bucket(let few) = root {
      root = .inner(ContiguousArray(repeating: .empty, count: Node.fanOut))
      for entry in few { additions[0].append(entry) }
    }
    guard case .inner(let children) = root else { fatalError("A node is a bucket or has children.") }
    let left = Mutex(consume additions)
    let filled = Processors.map(Node.fanOut) { slot in
      var node = children[slot]
      let parts = left.withLock { left in left.indices.map { left[$0].take(slot) } }
      var own: ContiguousArray<Entry> = []
      own.reserveCapacity(parts.reduce(0) { $0 + $1.count })
      for part in consume parts { own += part }
      HeapRoom.make(own.count * 2 * MemoryLayout<Entry>.size)
      let repeats = node.insert(contentsOf: own, shift: Node.levelBits)
      return (node: node, repeats: repeats)
    }
    root = .inner(ContiguousArray(filled.map(\.node)))
    return filled.contains { $0.repeats }
  }
}

extension HashIndex.Node {
  /// Adds entries below this node.
  ///
  /// - Parameter shift: How many bits of the hash the levels above have used.
  /// - Returns: Whether a new entry has the hash of another one.
  fileprivate mutating func insert(contentsOf entries: consuming ContiguousArray<HashIndex.Entry>, shift: Int) -> Bool {
    var entries = entries
    var spare = entries
    return insert(entries.indices, of: &entries, sorting: &spare, shift: shift)
  }

  /// Adds a range of entries below this node.
  ///
  /// - Parameters:
  ///   - spare: Room for as many entries. Each level sorts them from one array into the other, and the arrays change
  ///     places.
  private mutating func insert(
    _ range: Range<Int>, of entries: inout ContiguousArray<HashIndex.Entry>,
    sorting spare: inout ContiguousArray<HashIndex.Entry>, shift: Int
  ) -> Bool {
    if range.isEmpty { return false }
    switch consume self {
    case .inner(var children):
      let ends = Self.sort(range, of: entries, into: &spare, shift: shift)
      var repeats = false
      var start = range.lowerBound
      for slot in children.indices {
        let below = start..<ends[slot]
        if children[slot].insert(below, of: &spare, sorting: &entries, shift: shift + Self.levelBits) { repeats = true }
        start = below.upperBound
      }
      self = .inner(children)
      return repeats
    case .bucket(let few):
      if few.count + range.count <= Self.capacity || shift >= UInt64.bitWidth {
        let all = few.isEmpty ? ContiguousArray(entries[range]) : few + entries[range]
        self = .bucket(all)
        return Self.repeats(all, from: few.count)
      }
      self = .inner(ContiguousArray(repeating: .empty, count: Self.fanOut))
      for entry in few { insert(entry, shift: shift) }
      return insert(range, of: &entries, sorting: &spare, shift: shift)
    }
  }

  /// Sorts a range of entries by the children that they belong to, into the same range of another array.
  ///
  /// - Returns: The end of each child's part.
  private static func sort(
    _ range: Range<Int>, of entries: ContiguousArray<HashIndex.Entry>,
    into sorted: inout ContiguousArray<HashIndex.Entry>, shift: Int
  ) -> ContiguousArray<Int> {
    assert(shift < UInt64.bitWidth, "Entries are divided only while bits of the hash are left.")
    // The end of each part among the sorted entries, which is its beginning while there is none of it.
    var ends = ContiguousArray(repeating: 0, count: fanOut)
    for index in range { ends[slot(entries[index].hash &>> UInt64(shift))] &+= 1 }
    var next = range.lowerBound
    for slot in 0..<fanOut { (ends[slot], next) = (next, next + ends[slot]) }
    for index in range {
      let slot = slot(entries[index].hash &>> UInt64(shift))
      sorted[ends[slot]] = entries[index]
      ends[slot] &+= 1
    }
    return ends
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
