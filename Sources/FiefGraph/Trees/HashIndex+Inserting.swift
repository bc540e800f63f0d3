extension HashIndex {
  /// Adds an entry. The index is a multimap and does not look for an equal entry, so a pair that is inserted twice is
  /// present twice. A caller that wants uniqueness calls ``find(hash:where:)`` first.
  ///
  /// - Parameters:
  ///   - key: The object key, any number.
  ///   - hash: The hash of the object's value.
  /// - Complexity: O(log16 *n*) if hashes are spread, including the copy of a path of shared nodes.
  public mutating func insert(_ key: Int64, hash: UInt64) {
    root.insert(Entry(hash: hash, key: key), shift: 0)
    total += 1
    assert(find(hash: hash, where: { $0 == key }) != nil, "A key that was inserted is found.")
  }
}

extension HashIndex.Node {
  /// Adds an entry below this node.
  ///
  /// The node's array is moved out, changed and moved back, so that it has one reference while it changes. A node that
  /// no other index shares is therefore changed in place.
  ///
  /// - Parameter shift: How many bits of the hash the levels above have used.
  mutating func insert(_ entry: HashIndex.Entry, shift: Int) {
    assert(shift >= 0 && shift % Self.levelBits == 0, "A level uses a whole digit of the hash.")
    switch consume self {
    case .inner(var children):
      children[Self.slot(entry.hash &>> UInt64(shift))].insert(entry, shift: shift + Self.levelBits)
      self = .inner(children)
    case .bucket(var entries):
      if entries.count < Self.capacity || shift >= UInt64.bitWidth {
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(entry)
        self = .bucket(entries)
      } else {
        self = Self.split(entries, adding: entry, shift: shift)
      }
    }
  }

  /// Makes an inner node of a full bucket and one more entry.
  static func split(
    _ entries: ContiguousArray<HashIndex.Entry>, adding entry: HashIndex.Entry, shift: Int
  ) -> HashIndex.Node {
    assert(shift < UInt64.bitWidth, "A bucket splits only while bits of the hash are left.")
    var children = ContiguousArray(repeating: empty, count: fanOut)
    for moved in entries {
      children[slot(moved.hash &>> UInt64(shift))].insert(moved, shift: shift + levelBits)
    }
    children[slot(entry.hash &>> UInt64(shift))].insert(entry, shift: shift + levelBits)
    assert(children.count == fanOut, "An inner node has a child for each digit.")
    return .inner(children)
  }
}
