public import FiefRuntime

/// The cluster that a transaction changed last, with its table. The next change of the cluster needs no lookup.
///
/// The references are unmanaged, so they cost no reference counting and do not make the cluster look shared. They are
/// valid because the working copy holds all three objects, and because every operation that could release or share one
/// of them resets `cachedCluster` first:
///
/// - returning a copy of the working graph, or replacing it (`share()`);
/// - removing a cluster from a table, replacing one, or giving a table another schema (each calls
///   `releaseCachedCluster()`);
/// - copying the table (`makeUnique(_:)`).
///
/// While `cachedCluster` is set, only the working copy references the cluster and the table, so no other graph sees
/// changes in place.
@safe  // Every operation that could end the life of one of the three objects resets `cachedCluster` first.
@usableFromInline
struct CachedCluster {
  @usableFromInline let table: Int
  @usableFromInline let chunk: Int64
  @usableFromInline let cluster: Borrowed<Cluster>
  @usableFromInline let owner: Borrowed<Table>
  @usableFromInline let schema: Borrowed<TableSchema>
  /// Whether rows may be made in the table directly and without a primary key.
  @usableFromInline let isFree: Bool

  init(table: Int, chunk: Int64, cluster: Borrowed<Cluster>, owner: Table) {
    assert(owner.schema.key.index == table && chunk >= 0, "A cluster is one of its table.")
    self.table = table
    self.chunk = chunk
    self.cluster = cluster
    // Held by the working copy, as the cluster is.
    self.owner = unsafe Borrowed(owner)
    schema = unsafe Borrowed(owner.schema)
    isFree = owner.schema.kind != .embedded && owner.schema.primaryKey == nil
  }
}

extension Transaction {
  /// Resets the cached cluster: the next change looks its cluster up.
  @inlinable
  func releaseCachedCluster() {
    cachedCluster = nil
    motion.move()
  }

  /// Calls `body` with the cluster of a row and the row's slot. The cluster is copied first if it is shared.
  ///
  /// - Returns: The result of `body`; nil if the row does not exist.
  @inlinable
  @inline(__always)
  func change<Result>(_ key: ObjectKey, of table: Int, _ body: (Cluster, Int) throws -> Result) rethrows -> Result? {
    if !isCached(table, key.chunk) { guard cacheCluster(table, key) else { return nil } }
    #if DEBUG
      unsafe changeCount &+= 1
    #endif
    assert(isCachedClusterSound, "The cached cluster is the one that the working copy holds, alone.")
    return unsafe try cachedCluster.unsafelyUnwrapped.cluster.with { cluster in
      guard let slot = cluster.slot(ofBit: key.bit) else { return nil }
      return try body(cluster, slot)
    }
  }

  /// Whether the working copy holds the objects of the cached cluster, which then live. For assertions.
  @usableFromInline
  var isCachedClusterSound: Bool {
    guard let cachedCluster else { return true }
    guard cachedCluster.table < working.tables.count, let table = working.tables[cachedCluster.table],
      owned[cachedCluster.table]
    else {
      return false
    }
    return cachedCluster.owner.refers(to: table) && cachedCluster.schema.refers(to: table.schema)
      && cachedCluster.cluster == table.rows.borrowed(cachedCluster.chunk)
  }

  @inlinable
  @inline(__always)
  func isCached(_ table: Int, _ chunk: Int64) -> Bool {
    guard let cachedCluster else { return false }
    return cachedCluster.table == table && cachedCluster.chunk == chunk
  }

  /// Makes the cluster of a row uniquely owned by this transaction, and caches it.
  ///
  /// - Returns: False if the cluster does not exist.
  @usableFromInline
  func cacheCluster(_ table: Int, _ key: ObjectKey) -> Bool {
    let owner = writable(table)
    guard let cluster = owner.rows.makeUnique(key.chunk) else { return false }
    motion.move()
    cachedCluster = CachedCluster(table: table, chunk: key.chunk, cluster: cluster, owner: owner)
    lastReached = (table, key)
    assert(isCachedClusterSound && isCached(table, key.chunk), "A cluster is cached as the working copy holds it.")
    return true
  }

  /// Whether a version made of the working copy differs from the base.
  package func differs(_ successor: Graph) -> Bool { successor.differs(from: base, probablyIn: lastReached) }

  /// Makes the cluster of the table's next new row the cached one, and adds it if necessary.
  ///
  /// - Returns: The key of that row.
  /// - Throws: `GraphError` if the table has used its last key. That key is the last of its cluster, so callers that
  ///   stay within a cluster need not check.
  @usableFromInline
  func cacheClusterForNextRow(_ table: Int) throws -> ObjectKey {
    let owner = writable(table)
    guard owner.nextKey < Table.keyLimit else { throw Self.outOfKeys(owner.schema) }
    let key = ObjectKey(owner.nextKey)
    assert(!owner.contains(key), "The key of a new row was not given out before.")
    if isCached(table, key.chunk) || cacheCluster(table, key) { return key }
    let cluster = Cluster(for: owner.schema)
    owner.rows.set(cluster, at: key.chunk)
    cachedCluster = unsafe CachedCluster(table: table, chunk: key.chunk, cluster: Borrowed(cluster), owner: owner)
    assert(isCachedClusterSound, "A new cluster is cached when the working copy holds it.")
    return key
  }
}
