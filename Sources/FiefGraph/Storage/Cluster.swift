import FiefRuntime

/// Up to 256 rows with consecutive keys: a bitmap of the live rows, and a leaf for each column.
///
///     live    1 1 0 1 1 0 0 …        bit = the key's lower eight bits
///     slot    0 1 · 2 3              slot = rank of the bit: dead rows cost nothing
///     leaves  [name][age][toy]…      each with `count` cells, by slot
///
/// A transaction changes a cluster only while it holds the one reference to it and to every node above it. A cluster
/// that is reachable from a published version, a savepoint or a delta therefore never changes. That is why any thread
/// may read it.
public final class Cluster: RadixChunk, @unchecked Sendable {
  // Exclusivity is not checked at run time on these: only `Transaction` changes a cluster, never re-entrantly. The
  // members for finding a row in a dense cluster come first, to share a cache line.

  @safe @exclusivity(unchecked) @usableFromInline var leaves: ContiguousArray<Leaf>
  /// How many rows are live.
  @safe @exclusivity(unchecked) public internal(set) var count: Int
  /// Whether the live rows are the first `count` bits, so that slot and bit are equal.
  @safe @exclusivity(unchecked) @usableFromInline var isDense: Bool
  /// The live rows, by bit.
  @safe @exclusivity(unchecked) public internal(set) var live: Bitmap256

  /// Makes a cluster of its parts. A decoder makes one from bytes, and a delta inserts it into a graph. Nothing is
  /// checked here; applying the delta checks it.
  ///
  /// - Parameters:
  ///   - live: The live rows, by bit.
  ///   - leaves: A leaf for each column of the table, each with a cell for each live row.
  public init(live: Bitmap256 = Bitmap256(), leaves: ContiguousArray<Leaf>) {
    self.live = live
    self.leaves = leaves
    count = live.count
    isDense = live == Bitmap256(prefix: count)
    super.init()
    HeapTrimming.noteCluster(columns: leaves.count)
    LiveNodes.add()
  }

  deinit {
    HeapTrimming.noteRelease(ofClusterWithColumns: leaves.count)
    LiveNodes.remove()
  }

  /// An empty cluster for the columns of `schema`.
  convenience init(for schema: TableSchema) {
    self.init(leaves: ContiguousArray(schema.columns.map { Leaf(for: $0.type, count: 0) }))
  }

  /// The leaf of the column at index `leaf` of the table's schema.
  @inlinable public subscript(leaf leaf: Int) -> Leaf { leaves[leaf] }

  /// An equal cluster that shares the leaves. O(columns).
  override func copy() -> Cluster { Cluster(live: live, leaves: leaves) }

  /// The slot of the row at `bit`, or nil if no row is live there.
  @inlinable
  public func slot(ofBit bit: Int) -> Int? {
    assert(0..<256 ~= bit, "A cluster has the bits 0 ..< 256.")
    if isDense { return bit < count ? bit : nil }
    return live[bit] ? live.rank(bit) : nil
  }

  /// The bit of the row at `slot`, which must exist.
  @inlinable
  public func bit(ofSlot slot: Int) -> Int {
    assert(0..<count ~= slot, "Only a slot with a live row has a bit.")
    return isDense ? slot : live.select(slot)
  }

  /// Adds a row of unset cells at `bit`, where no row is live, and returns its slot.
  func insertRow(atBit bit: Int) -> Int {
    assert(0..<256 ~= bit, "A cluster has the bits 0 ..< 256.")
    assert(!live[bit], "A row is inserted only where no row is live.")
    let slot = isDense && bit >= count ? count : live.rank(bit)
    live[bit] = true
    if slot == count {
      isDense = isDense && bit == count
      for leaf in leaves.indices { leaves[leaf].values.appendZero() }
    } else {
      // A row between others may fill the last gap.
      isDense = live == Bitmap256(prefix: count + 1)
      for leaf in leaves.indices {
        leaves[leaf].values.change(.insert(at: slot))
        leaves[leaf].nulls.insertBit(false, at: slot)
      }
    }
    count += 1
    checkLayout()
    return slot
  }

  /// Removes the live row at `bit`.
  func removeRow(atBit bit: Int) {
    assert(0..<256 ~= bit && live[bit], "Only a live row is removed.")
    let slot = isDense ? bit : live.rank(bit)
    for leaf in leaves.indices {
      leaves[leaf].values.change(.remove(at: slot))
      leaves[leaf].nulls.removeBit(at: slot)
    }
    live[bit] = false
    count -= 1
    isDense = live == Bitmap256(prefix: count)
    checkLayout()
  }

  /// Removes all rows at the set bits of `bits`, which must be live. Linear in the rows of the cluster.
  func removeRows(_ bits: Bitmap256) {
    assert((bits - live).isEmpty, "Only live rows are removed.")
    assert(!bits.isEmpty || count > 0, "A cluster that loses rows has some.")
    if bits.count == 1, let bit = bits.next(from: 0) { return removeRow(atBit: bit) }
    let kept = live - bits
    let slots = kept.packed(at: live)
    for leaf in leaves.indices {
      leaves[leaf].values.change(.keep(slots))
      leaves[leaf].nulls = leaves[leaf].nulls.packed(at: slots)
    }
    live = kept
    count = kept.count
    isDense = kept == Bitmap256(prefix: count)
    checkLayout()
  }

  /// A cluster of only the rows at `bits`, which must be live. This cluster itself if these are all its rows.
  func restricted(to bits: Bitmap256) -> Cluster {
    assert((bits - live).isEmpty, "A cluster is restricted to rows that it has.")
    if bits == live { return self }
    let copy = copy()
    copy.removeRows(live - bits)
    assert(copy.live == bits, "A restricted cluster has the rows that it was restricted to.")
    return copy
  }
}

extension Cluster {
  /// Asserts that counts and bitmaps agree. O(columns), in debug builds only.
  private func checkLayout() {
    assert(count == live.count, "A cluster counts its live rows.")
    assert(isDense == (live == Bitmap256(prefix: count)), "A dense cluster has its first bits set.")
    assert(0...256 ~= count, "A cluster has 256 keys.")
    assert(leaves.allSatisfy { ($0.nulls - Bitmap256(prefix: count)).isEmpty }, "Only a cell can be null.")
    assert(leaves.allSatisfy { $0.values.count == count }, "A leaf has a cell for each live row.")
  }

  /// How many leaves the cluster has: one for each column of the table.
  package var leafCount: Int { leaves.count }
}
