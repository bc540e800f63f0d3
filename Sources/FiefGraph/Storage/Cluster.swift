/// Up to 256 rows with consecutive keys: which of them live, and a leaf for each column.
///
///     live    1 1 0 1 1 0 0 …        bit = the key's lower eight bits
///     slot    0 1 · 2 3              slot = rank of the bit: dead rows cost nothing
///     leaves  [name][age][toy]…      each with `count` cells, by slot
///
/// Who may change it: a cluster is changed only by a transaction that holds the one reference to it (and to every
/// node above it), so one that can be reached from a published version, a savepoint or a delta never changes. That
/// is why it may be read from any thread.
public final class Cluster: RadixChunk, @unchecked Sendable {
  // Exclusivity is not checked at run time on these: only `Transaction` changes a cluster, never re-entrantly. What
  // finding a row in a dense cluster takes stands first, most likely in one line of the cache.

  @exclusivity(unchecked) @usableFromInline var leaves: ContiguousArray<Leaf>
  /// How many rows live.
  @exclusivity(unchecked) public internal(set) var count: Int
  /// Whether the rows that live are the first `count` bits, so that slot and bit are the same.
  @exclusivity(unchecked) @usableFromInline var isDense: Bool
  /// The rows that live, by bit.
  @exclusivity(unchecked) public internal(set) var live: Bitmap256

  /// A cluster from its parts: what a decoder makes of bytes, to be brought into a graph by a delta. Nothing is checked
  /// here; applying the delta does that.
  ///
  /// - Parameters:
  ///   - live: the rows that live, by bit.
  ///   - leaves: a leaf for each column of the table, each with a cell for each row that lives.
  public init(live: Bitmap256 = Bitmap256(), leaves: ContiguousArray<Leaf>) {
    self.live = live
    self.leaves = leaves
    count = live.count
    isDense = live == Bitmap256(prefix: count)
    super.init()
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }

  /// An empty cluster for the columns of `schema`.
  convenience init(for schema: TableSchema) {
    self.init(leaves: ContiguousArray(schema.columns.map { Leaf(for: $0.type, count: 0) }))
  }

  /// The leaf of the column at place `leaf` of the table's schema.
  @inlinable
  public subscript(leaf leaf: Int) -> Leaf { leaves[leaf] }

  /// An equal cluster of its own, sharing the leaves. O(columns).
  override func copy() -> Cluster { Cluster(live: live, leaves: leaves) }

  /// The slot of the row at `bit`, or nil when there is none.
  @inlinable
  public func slot(ofBit bit: Int) -> Int? {
    if isDense { return bit < count ? bit : nil }
    return live[bit] ? live.rank(bit) : nil
  }

  /// The bit of the row at `slot`. Traps when there is no such slot.
  @inlinable
  public func bit(ofSlot slot: Int) -> Int { isDense ? slot : live.select(slot) }

  /// Adds a row of unset cells at `bit`, which no row has; returns its slot.
  func insertRow(atBit bit: Int) -> Int {
    let slot = isDense && bit >= count ? count : live.rank(bit)
    live[bit] = true
    if slot == count {
      isDense = isDense && bit == count
      for leaf in leaves.indices {
        leaves[leaf].values.appendZero()
      }
    } else {
      // A row put between others may have closed the last gap.
      isDense = live == Bitmap256(prefix: count + 1)
      for leaf in leaves.indices {
        leaves[leaf].values.insertZero(at: slot)
        leaves[leaf].nulls.insertBit(false, at: slot)
      }
    }
    count += 1
    return slot
  }

  /// Takes out the row at `bit`, which lives.
  func removeRow(atBit bit: Int) {
    let slot = isDense ? bit : live.rank(bit)
    for leaf in leaves.indices {
      leaves[leaf].values.remove(at: slot)
      leaves[leaf].nulls.removeBit(at: slot)
    }
    live[bit] = false
    count -= 1
    isDense = live == Bitmap256(prefix: count)
  }

  /// Takes out all rows at the set bits of `bits`, each of which lives. Linear in the rows of the cluster.
  func removeRows(_ bits: Bitmap256) {
    if bits.count == 1, let bit = bits.next(from: 0) { return removeRow(atBit: bit) }
    let kept = live - bits
    let slots = kept.packed(at: live)
    for leaf in leaves.indices {
      leaves[leaf].values.keep(slots)
      leaves[leaf].nulls = leaves[leaf].nulls.packed(at: slots)
    }
    live = kept
    count = kept.count
    isDense = kept == Bitmap256(prefix: count)
  }

  /// A cluster of the rows at `bits` alone, each of which lives. The cluster itself when those are all.
  func restricted(to bits: Bitmap256) -> Cluster {
    if bits == live { return self }
    let copy = copy()
    copy.removeRows(live - bits)
    return copy
  }
}

extension Cluster {
  /// How many leaves there are: one for each column of the table.
  package var leafCount: Int { leaves.count }
}
