import FiefRuntime

/// The bags of up to 256 rows with consecutive keys, for one column that links to them. A row without incoming links
/// costs nothing, and a row with one link costs a key.
///
///     single   0 1 0 0 1 0 …   the rows with one link, by bit                   crowded  0 0 0 1 0 0 …   several
///     origins  [#7][#3]        the rows of those links, by rank                 crowds   [tree]
///
/// Most rows have at most one link, and links are added and removed at random. The keys are stored contiguously, so
/// inserting one moves little memory and touches few cache lines.
///
/// A transaction changes a block only while it holds the one reference to it; see `Cluster`.
public final class BacklinkBlock: RadixChunk, @unchecked Sendable {
  // Exclusivity is not checked at run time on these: only `Transaction` changes a block, never re-entrantly.

  /// The rows with one incoming link, by bit.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var single: Bitmap256
  /// The origins of those links, in the order of the bits.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var origins: ContiguousArray<ObjectKey>
  /// The rows with two or more incoming links, by bit; disjoint from `single`.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var crowded: Bitmap256
  /// The origins of those links, ascending, one tree for each row in the order of the bits.
  @safe @exclusivity(unchecked) @usableFromInline private(set) var crowds: ContiguousArray<OrderedTree<Int64>>

  /// Makes a block without links.
  convenience override init() { self.init(single: Bitmap256(), [], crowded: Bitmap256(), []) }

  private init(
    single: Bitmap256, _ origins: ContiguousArray<ObjectKey>, crowded: Bitmap256,
    _ crowds: ContiguousArray<OrderedTree<Int64>>
  ) {
    self.single = single
    self.origins = origins
    self.crowded = crowded
    self.crowds = crowds
    super.init()
    checkLayout()
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }

  /// An equal block that shares the trees.
  override func copy() -> BacklinkBlock { BacklinkBlock(single: single, origins, crowded: crowded, crowds) }

  /// The rows with incoming links, by bit.
  var linked: Bitmap256 { single | crowded }

  /// Whether none of the rows has incoming links.
  var isEmpty: Bool { linked.isEmpty }

  /// The bag of the row at `bit`, or nil if it has no incoming links.
  @inlinable
  func bag(atBit bit: Int) -> BacklinkBag? {
    assert(0..<256 ~= bit, "A block has the bits 0 ..< 256.")
    if single[bit] { return .one(origins[single.rank(bit)]) }
    return crowded[bit] ? .many(crowds[crowded.rank(bit)]) : nil
  }

  /// How many links lead to the row at `bit`. No reference is counted.
  func count(atBit bit: Int) -> Int {
    assert(0..<256 ~= bit, "A block has the bits 0 ..< 256.")
    if single[bit] { return 1 }
    return crowded[bit] ? crowds[crowded.rank(bit)].count : 0
  }

  /// Adds a link. O(log links).
  func insert(_ origin: ObjectKey, atBit bit: Int) {
    assert(0..<256 ~= bit, "A block has the bits 0 ..< 256.")
    assert(origin.rawValue >= 0, "A link begins at a row.")
    defer { checkLayout() }
    if crowded[bit] {
      crowds[crowded.rank(bit)].insert(ascending: origin.rawValue)
      return
    }
    // Objects are often linked to in the order of their keys, and appending is far cheaper than inserting.
    if single.next(from: bit) == nil {
      single[bit] = true
      return origins.append(origin)
    }
    let rank = single.rank(bit)
    guard single[bit] else {
      single[bit] = true
      origins.insert(shifting: origin, at: rank)
      return
    }
    single[bit] = false
    let other = origins[rank]
    origins.remove(shiftingTo: rank)
    crowded[bit] = true
    let both = OrderedTree(leaf: [min(origin, other).rawValue, max(origin, other).rawValue])
    crowds.insert(both, at: crowded.rank(bit))
  }

  /// Adds links: to a block without links in one go, otherwise one by one.
  ///
  /// - Parameter links: Sorted `GatheredLinks` to rows of this block.
  /// - Returns: The rows that they lead to.
  func insert(_ links: ArraySlice<UInt64>) -> Bitmap256 {
    if !isEmpty {
      for link in links { insert(GatheredLinks.origin(link), atBit: GatheredLinks.target(link).bit) }
      return links.reduce(into: Bitmap256()) { $0[GatheredLinks.target($1).bit] = true }
    }
    defer { checkLayout() }
    var (single, crowded) = (Bitmap256(), Bitmap256())
    var origins: ContiguousArray<ObjectKey> = []
    var crowds: ContiguousArray<OrderedTree<Int64>> = []
    origins.reserveCapacity(links.count)
    var start = links.startIndex
    while start < links.endIndex {
      let target = links[start] >> 32
      var end = start + 1
      while end < links.endIndex, links[end] >> 32 == target { end += 1 }
      let bit = Int(truncatingIfNeeded: target & 255)
      if end - start == 1 {
        single[bit] = true
        origins.append(GatheredLinks.origin(links[start]))
      } else {
        crowded[bit] = true
        crowds.append(OrderedTree(leaf: ContiguousArray(links[start..<end].lazy.map { Int64($0 & 0xFFFF_FFFF) })))
      }
      start = end
    }
    (self.single, self.origins, self.crowded, self.crowds) = (single, origins, crowded, crowds)
    return linked
  }

  /// Removes one link. O(log links).
  ///
  /// - Returns: Whether the link existed.
  func remove(_ origin: ObjectKey, atBit bit: Int) -> Bool {
    assert(0..<256 ~= bit, "A block has the bits 0 ..< 256.")
    defer { checkLayout() }
    if single[bit] {
      let rank = single.rank(bit)
      guard origins[rank] == origin else { return false }
      single[bit] = false
      origins.remove(shiftingTo: rank)
      return true
    }
    guard crowded[bit] else { return false }
    let rank = crowded.rank(bit)
    assert(crowds[rank].count > 1, "A row in a tree has several links.")
    let wasThere = crowds[rank].remove(ascending: origin.rawValue)
    if crowds[rank].count == 1 {
      let last = crowds.remove(at: rank)[0]
      crowded[bit] = false
      single[bit] = true
      origins.insert(ObjectKey(last), at: single.rank(bit))
    }
    return wasThere
  }

  /// Removes every link to the row at `bit`.
  func removeBag(atBit bit: Int) {
    assert(0..<256 ~= bit, "A block has the bits 0 ..< 256.")
    defer { checkLayout() }
    if single[bit] {
      origins.remove(at: single.rank(bit))
      single[bit] = false
    } else if crowded[bit] {
      crowds.remove(at: crowded.rank(bit))
      crowded[bit] = false
    }
  }

  /// Asserts that bitmaps and arrays agree. Constant time, in debug builds only.
  private func checkLayout() {
    assert(single.count == origins.count, "A block has an origin for each row with one link.")
    assert(crowded.count == crowds.count, "A block has a tree for each row with several links.")
    assert((single & crowded).isEmpty, "A row has one link or several.")
  }

  /// Every fault of the block itself, as sentences; empty for a sound one.
  func checkInvariants(_ name: String) -> [String] {
    var faults: [String] = []
    if isEmpty { faults.append("\(name) has no links.") }
    if single.count != origins.count { faults.append("\(name) has \(origins.count) origins of \(single.count) links.") }
    if crowded.count != crowds.count { faults.append("\(name) has \(crowds.count) trees of \(crowded.count) rows.") }
    if !(single & crowded).isEmpty { faults.append("\(name) has a row with one link and several.") }
    for keys in crowds {
      faults += keys.checkInvariants(areIdentical: ==) { $0 <= $1 }.map { "\(name): \($0)" }
      if keys.count < 2 { faults.append("\(name) has a tree of \(keys.count).") }
    }
    return faults
  }
}

extension ContiguousArray where Element == ObjectKey {
  /// Does what `insert(_:at:)` does, with a third of the instructions: that one replaces a range by a collection.
  fileprivate mutating func insert(shifting key: ObjectKey, at position: Int) {
    append(key)
    unsafe withUnsafeMutableBufferPointer { keys in
      assert(keys.indices.contains(position), "A key is inserted before another one, or at the end.")
      let place = unsafe keys.baseAddress.unsafelyUnwrapped + position
      unsafe (place + 1).update(from: place, count: keys.count - 1 - position)
      unsafe place.pointee = key
    }
  }

  /// Does what `remove(at:)` does, with half of the instructions.
  fileprivate mutating func remove(shiftingTo position: Int) {
    unsafe withUnsafeMutableBufferPointer { keys in
      assert(keys.indices.contains(position), "Only a key is removed.")
      let place = unsafe keys.baseAddress.unsafelyUnwrapped + position
      unsafe place.update(from: place + 1, count: keys.count - 1 - position)
    }
    removeLast()
  }
}
