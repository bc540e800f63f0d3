// Changes the schema of the working copy, for schema changes and deltas. The functions here check nothing.

extension Transaction {
  /// Gives a new or existing table the schema `schema`. Brings the leaves into the order of its columns (new ones are
  /// unset), removes the backlinks of removed columns, and builds new primary keys and indexes.
  ///
  /// - Complexity: O(clusters) if columns are added, removed or moved; O(rows · log rows) for each new index.
  func adopt(_ schema: TableSchema) {
    assert(!isFilling, "A schema does not change while a row is being made.")
    releaseCachedCluster()
    let index = schema.key.index
    while working.tables.count <= index { working.tables.append(nil) }
    guard let old = working.tables[index]?.schema else {
      working.tables[index] = Table(schema: schema)
      owned[index] = true
      return
    }
    if old === schema { return }
    let table = writable(index)
    let sources = schema.columns.map { old.leaf(holding: $0) }
    let isSameLayout = old.columns.count == sources.count && sources.enumerated().allSatisfy { $0 == $1 }
    table.schema = schema
    if !isSameLayout {
      table.rows = table.rows.map { cluster in
        Cluster(
          live: cluster.live,
          leaves: ContiguousArray(
            zip(schema.columns, sources).map { column, source in
              source.map { cluster.leaves[$0] } ?? Leaf(for: column.type, count: cluster.count)
            }))
      }
      let kept = Set(sources.compactMap { $0 })
      for (leaf, column) in old.columns.enumerated() where !kept.contains(leaf) && column.type.canLink {
        removeBacklinks(from: schema.key) { $0 == column.key }
      }
    }
    // In an unrelated schema, a column may have the key of another column and hold another type.
    func isKept(_ column: ColumnKey) -> Bool { schema.leaf(of: column).map { sources[$0] != nil } ?? false }
    let present = table.indexes.filter { $0.definition.columns.allSatisfy(isKept) }
    table.indexes = ContiguousArray(
      schema.indexes.map { definition in
        present.first { $0.definition == definition } ?? table.index(definition)
      })
    if schema.primaryKey != old.primaryKey || !(schema.primaryKey.map(isKept) ?? true) { table.buildPrimaryKeys() }
    assert(table.indexes.count == schema.indexes.count, "A table has the indexes of its schema.")
    assert(
      table.rows.next(from: 0).map { $1.leaves.count == schema.columns.count } ?? true,
      "A cluster has a leaf for each column.")
  }

  /// Removes a table with its rows and the backlinks of its links.
  func drop(_ key: TableKey) {
    releaseCachedCluster()
    motion.remove()
    removeBacklinks(from: key) { _ in true }
    working.tables[key.index] = nil
    assert(working[key] == nil && cachedCluster == nil, "A table that was removed is not found.")
  }

  /// Removes the backlinks of columns of `origin` from all tables.
  func removeBacklinks(from origin: TableKey, _ isGone: (ColumnKey) -> Bool) {
    for (index, table) in working.tables.enumerated() {
      guard let table, table.incoming.contains(where: { $0.origin == origin && isGone($0.column) }) else { continue }
      writable(index).incoming.removeAll { $0.origin == origin && isGone($0.column) }
    }
    assert(
      working.tables.allSatisfy { !($0?.incoming.contains { $0.origin == origin && isGone($0.column) } ?? false) },
      "Backlinks that were removed are gone.")
  }
}

extension Table {
  /// Builds an index of every row.
  func index(_ definition: IndexDefinition) -> PropertyIndex {
    ColumnSort(self, definition).map { PropertyIndex(definition, $0) }
      ?? PropertyIndex(definition, ascending: entries(definition))
  }
}

extension RadixTree {
  /// A tree of the same shape with each chunk replaced by the result of `transform`.
  func map(_ transform: (Chunk) -> Chunk) -> RadixTree {
    func map(_ node: RadixNode) -> RadixNode {
      switch node {
      case .empty: .empty
      case .chunk(let chunk): .chunk(transform(Self.typed(chunk)))
      case .inner(let nodes): .inner(ContiguousArray(nodes.map(map)))
      }
    }
    var result = self
    result.root = map(root)
    return result
  }
}
