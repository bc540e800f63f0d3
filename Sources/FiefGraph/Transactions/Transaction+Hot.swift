/// The cluster that a transaction changed last, with its table: what makes the next change of it need no walk.
///
/// The references are unmanaged, so that they neither cost counting nor make the cluster look shared. They are valid
/// because the working copy holds all three objects, and because whatever could let one go or share it lets go of this
/// first:
///
/// - giving out a copy of the working graph, or exchanging it (`share()`);
/// - taking a cluster out of a table, putting another in its place, or giving a table another schema (each calls
///   `letGoOfHot()`);
/// - copying the table (`own(_:)`).
///
/// While it stands, the cluster and the table are referenced by the working copy alone, so changing them in place is
/// seen by nobody else.
@usableFromInline
struct HotCluster {
  @usableFromInline let table: Int
  @usableFromInline let chunk: Int64
  @usableFromInline let cluster: Unmanaged<Cluster>
  @usableFromInline let owner: Unmanaged<Table>
  @usableFromInline let schema: Unmanaged<TableSchema>
  /// Whether rows may be made in the table directly and without a primary key.
  @usableFromInline let isFree: Bool

  init(table: Int, chunk: Int64, cluster: Unmanaged<Cluster>, owner: Table) {
    self.table = table
    self.chunk = chunk
    self.cluster = cluster
    self.owner = .passUnretained(owner)
    schema = .passUnretained(owner.schema)
    isFree = owner.schema.kind != .embedded && owner.schema.primaryKey == nil
  }
}

extension Transaction {
  /// Forgets the hot cluster: the next change walks.
  @inlinable
  func letGoOfHot() {
    hot = nil
    moves &+= 1
  }

  /// Calls `body` with the cluster of a row, which is this transaction's own, and the row's slot.
  ///
  /// - Returns: what `body` returns; nil when there is no such row.
  @inlinable
  @inline(__always)
  func change<Result>(_ table: Int, _ key: ObjectKey, _ body: (Cluster, Int) throws -> Result) rethrows -> Result? {
    if !isHot(table, key.chunk) { guard heat(table, key) else { return nil } }
    return try hot.unsafelyUnwrapped.cluster._withUnsafeGuaranteedRef { cluster in
      guard let slot = cluster.slot(ofBit: key.bit) else { return nil }
      return try body(cluster, slot)
    }
  }

  @inlinable
  @inline(__always)
  func isHot(_ table: Int, _ chunk: Int64) -> Bool {
    guard let hot else { return false }
    return hot.table == table && hot.chunk == chunk
  }

  /// Makes the cluster of a row this transaction's own, and the hot one.
  ///
  /// - Returns: false when there is no such cluster.
  @usableFromInline
  func heat(_ table: Int, _ key: ObjectKey) -> Bool {
    let owner = writable(table)
    guard let cluster = owner.rows.own(key.chunk) else { return false }
    moves &+= 1
    hot = HotCluster(table: table, chunk: key.chunk, cluster: cluster, owner: owner)
    lastReached = (table, key)
    return true
  }

  /// Whether a version made of the working copy shows anything that the base does not.
  package func differs(_ successor: Graph) -> Bool { successor.differs(from: base, probablyIn: lastReached) }

  /// Makes the cluster of the table's next new row the hot one, adding it if need be.
  ///
  /// - Returns: the key of that row.
  /// - Throws: `GraphError` when the table has given out its last key. It is the last of its cluster, so those who stay
  ///   within one need not ask.
  @usableFromInline
  func heatForNextRow(_ table: Int) throws -> ObjectKey {
    let owner = writable(table)
    guard owner.nextKey < Table.keyLimit else {
      throw GraphError(
        .invalidValue, "'\(owner.schema.name)' has given out all its keys, and can have no more objects.",
        table: owner.schema.name)
    }
    let key = ObjectKey(owner.nextKey)
    if isHot(table, key.chunk) || heat(table, key) { return key }
    let cluster = Cluster(for: owner.schema)
    owner.rows.set(cluster, at: key.chunk)
    hot = HotCluster(table: table, chunk: key.chunk, cluster: .passUnretained(cluster), owner: owner)
    return key
  }
}
