extension HashIndex {
  /// A hash with a key that has it.
  @frozen
  @usableFromInline
  struct Entry: Equatable, Sendable {
    @usableFromInline let hash: UInt64
    @usableFromInline let key: Int64

    @inlinable
    init(hash: UInt64, key: Int64) {
      self.hash = hash
      self.key = key
    }
  }

  /// A node of the trie: a reference of 8 bytes, whose spare bits store the case.
  @frozen
  @usableFromInline
  enum Node: Sendable {
    /// Entries in no order, at most ``capacity`` of them unless the bits of the hash are used up. May be empty.
    case bucket(ContiguousArray<Entry>)
    /// Sixteen children, chosen by the next four bits of the hash. More than ``sparseCount`` entries lie below them.
    case inner(ContiguousArray<Node>)
  }
}

extension HashIndex.Node {
  /// How many bits of the hash one level uses. In measurements with five bits, a copied path retained twice as many
  /// siblings.
  @inlinable static var levelBits: Int { 4 }

  /// How many children an inner node has.
  @inlinable static var fanOut: Int { 1 << levelBits }

  /// How many entries a bucket may have before it becomes an inner node.
  @inlinable static var capacity: Int { 32 }

  /// A node that shrinks to this many entries is, or becomes, a bucket.
  @inlinable static var sparseCount: Int { capacity / 4 }

  /// A node may become a bucket only if the bucket has room to grow. Otherwise it could split again at once.
  @inlinable static var mergeCount: Int { capacity / 2 }

  /// A bucket without entries. All such buckets share one static storage, so this allocates nothing.
  @inlinable static var empty: HashIndex.Node { .bucket([]) }

  /// The child for a hash whose used bits are shifted out.
  @inlinable
  @inline(__always)
  static func slot(_ rest: UInt64) -> Int { Int(truncatingIfNeeded: rest) & (fanOut - 1) }
}
