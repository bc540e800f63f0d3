/// The index of a primary key: a copy-on-write multimap from a 64-bit hash to 64-bit object keys.
///
///     HashIndex        bits 0-3 of the hash choose a child
///     root, count ──►  ┌─────┬─────┬─────┬ ... ┬─────┐
///                      │  0  │  1  │  2  │     │ 15  │   inner
///                      └──┬──┴──┬──┴─────┴ ... ┴──┬──┘
///                         ▼     ▼   bits 4-7      ▼
///         bucket  [(hash, key), ...]            inner ...
///
/// It is a trie on the bits of the hash, lowest first, sixteen ways at each level; its leaves are buckets of at most 32
/// entries, searched from end to end. It does not know the values that it indexes: two values may have one hash, so a
/// look-up shows the caller each candidate, and the caller compares the stored row.
///
/// Copying an index is one retain. A change copies the nodes on one path if someone else holds them, else nothing.
/// Entries whose hashes are entirely equal share one bucket, however long it grows: correct, but no faster than a list.
/// That is why the hash functions here are seeded anew in every process.
///
/// It never stores a value, never calls the caller but in ``find(hash:where:)`` and ``forEach(_:)``, and has no order
/// that could be relied upon. Figures and invariants are in `HashIndex.md`.
@frozen
public struct HashIndex: Sendable {
  /// The topmost node: a bucket as long as that is enough.
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
  @inlinable
  public var count: Int { total }

  /// Finds an object key by the hash of its value.
  ///
  /// - Parameters:
  ///   - hash: The hash that the key was inserted with.
  ///   - matches: Whether this candidate is meant. It is called for keys of exactly this hash, in no particular order,
  ///     until it
  ///     says yes.
  /// - Returns: The first key that matches, or nil if there is none.
  /// - Throws: What `matches` throws.
  /// - Complexity: O(log16 *n*) if hashes are spread; O(*n*) if they are all equal.
  @inlinable
  public func find(hash: UInt64, where matches: (Int64) throws -> Bool) rethrows -> Int64? {
    try root.find(hash: hash, where: matches)
  }

  /// Finds an object key by a hash that is the value's own: no other value that may be in the index has it. Integers
  /// have such hashes, among themselves.
  ///
  /// - Complexity: as ``find(hash:where:)``.
  @inlinable
  @inline(__always)
  public borrowing func find(exactly hash: UInt64) -> Int64? {
    root.find(exactly: hash)
  }

  /// Whether two indexes are the same storage, and so hold the same entries. Constant time. Indexes that were built
  /// separately are not identical even when they are equal, except two empty ones.
  @inlinable
  public func isIdentical(to other: HashIndex) -> Bool {
    root.isIdentical(to: other.root)
  }
}
