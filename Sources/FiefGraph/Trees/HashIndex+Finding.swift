// This file holds the unsafe code of the index: it descends without counting references.
//
// A safe loop or recursion over the nodes retains and releases each of them. Those two atomic operations per level cost
// as much as the search itself: 57 ns instead of 42 with 100,000 entries, 220 instead of 100 with a million. Here the
// cursor is a bare pointer to the children of the current node. That is sound for these reasons:
// 1. The root is held for the whole of `find`, and every node holds its children. So each array on the path stays
//    allocated.
// 2. An array that is reachable from a held root is not changed in place. A change needs exclusive access to the index,
//    or copies the shared arrays first.
// 3. An array keeps its elements at one address for as long as it is neither changed nor freed.
// 4. No pointer leaves `find`: the caller's closure receives numbers.

extension HashIndex.Node {
  /// Finds a key; see ``HashIndex/find(hash:where:)``.
  @inlinable
  func find(hash: UInt64, where matches: (Int64) throws -> Bool) rethrows -> Int64? {
    try withExtendedLifetime(self) {
      var step = unsafe below
      var rest = hash
      while case .inner(let children) = unsafe step {
        unsafe step = children[Self.slot(rest)].below
        rest &>>= UInt64(Self.levelBits)
      }
      guard case .bucket(let entries) = unsafe step else {
        fatalError("Every way down the hash index ends in a bucket.")
      }
      for index in entries.indices {
        let entry = unsafe entries[index]
        if entry.hash == hash, try matches(entry.key) { return entry.key }
      }
      return nil
    }
  }

  /// Finds the key of a hash that belongs to one value only; see ``HashIndex/find(exactly:)``.
  @inlinable
  @inline(__always)
  borrowing func find(exactly hash: UInt64) -> Int64? {
    var step = unsafe below
    var rest = hash
    while case .inner(let children) = unsafe step {
      unsafe step = children[Self.slot(rest)].below
      rest &>>= UInt64(Self.levelBits)
    }
    guard case .bucket(let entries) = unsafe step else { return nil }
    for index in entries.indices {
      let entry = unsafe entries[index]
      if entry.hash == hash { return entry.key }
    }
    return nil
  }

  /// The content of this node, without retaining it.
  @inlinable
  @inline(__always)
  var below: View {
    switch self {
    case .bucket(let entries): return unsafe .bucket(entries.withUnsafeBufferPointer { unsafe $0 })
    case .inner(let children): return unsafe .inner(children.withUnsafeBufferPointer { unsafe $0 })
    }
  }

  /// The content of a node that another owner retains.
  @unsafe
  @frozen
  @usableFromInline
  enum View {
    /// The entries of a bucket.
    case bucket(UnsafeBufferPointer<HashIndex.Entry>)
    /// The children of an inner node.
    case inner(UnsafeBufferPointer<HashIndex.Node>)
  }
}
