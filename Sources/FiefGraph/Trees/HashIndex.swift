/// The index of a primary key: a copy-on-write multimap from a 64-bit hash to 64-bit object keys.
///
///     HashIndex        bits 0-3 of the hash choose a child
///     root, count ──►  ┌─────┬─────┬─────┬ ... ┬─────┐
///                      │  0  │  1  │  2  │     │ 15  │   inner
///                      └──┬──┴──┬──┴─────┴ ... ┴──┬──┘
///                         ▼     ▼   bits 4-7      ▼
///         bucket  [(hash, key), ...]            inner ...
///
/// It is a trie on the bits of the hash, lowest first, sixteen ways at each level. Its leaves are buckets of at most 32
/// entries, searched linearly. The index does not know the values that it indexes. Two values may have one hash, so a
/// lookup passes each candidate to the caller, and the caller compares the stored row.
///
/// Copying an index is one retain. A change copies the nodes on one path if another index shares them, and nothing
/// otherwise. Entries with equal hashes share one bucket, however long it grows: correct, but no faster than a list.
/// That is why the hash functions here are seeded anew in every process.
///
/// The index never stores a value, and calls back only in ``find(hash:where:)`` and ``forEach(_:)``. Its order is
/// unspecified. Figures and invariants are in `HashIndex.md`.
@frozen
public struct HashIndex: Sendable {
  /// The topmost node: a bucket, until the entries exceed its capacity.
  @usableFromInline var root: Node

  /// How many entries the index holds; see ``count``.
  @usableFromInline var total: Int

  /// Makes an empty index. Allocates nothing.
  @inlinable
  public init() {
    root = .empty
    total = 0
  }

  /// How many entries the index holds. Constant time.
  @inlinable public var count: Int { total }

  /// Finds an object key by the hash of its value.
  ///
  /// - Parameters:
  ///   - hash: The hash that the key was inserted with.
  ///   - matches: Whether the row of this candidate has the value. It is called for keys of exactly this hash, in no
  ///     particular order, until it returns true.
  /// - Returns: The first key that matches, or nil.
  /// - Throws: Any error of `matches`.
  /// - Complexity: O(log16 *n*) if hashes are spread; O(*n*) if they are all equal.
  @inlinable
  public func find(hash: UInt64, where matches: (Int64) throws -> Bool) rethrows -> Int64? {
    try root.find(hash: hash, where: matches)
  }

  /// Finds an object key by a hash that belongs to one value only: no other value that may be in the index has it. The
  /// hashes of integers have this property in an index that holds integers only.
  ///
  /// - Complexity: That of ``find(hash:where:)``.
  @inlinable
  @inline(__always)
  public borrowing func find(exactly hash: UInt64) -> Int64? { root.find(exactly: hash) }
}
