import FiefRuntime

// Applies a delta. Replaying a journal, reading a snapshot and undoing a change all use this.
//
// A delta may come from damaged bytes, so nothing in it is trusted. Rows, columns, types and positions are checked
// before they are used. Links get backlinks when all rows are in place, and only those with a target: a backlink to
// nowhere would take some hundred times the bytes of its link. Owners and unique values are checked at the end. Any
// fault is thrown, and the transaction is restored to its state before the call.

extension Transaction {
  /// Applies `delta`, which must have been made from a graph equal to this transaction's working copy.
  ///
  /// - Throws: `GraphError` if the delta does not fit the working copy, or would leave it unsound. Nothing has changed
  ///   then.
  /// - Complexity: Proportional to the delta. Clusters of new rows are inserted without copying where the chunk has no
  ///   rows.
  public func apply(_ delta: Delta) throws { try allOrNothing { try carryOut(delta) } }

  /// Applies `delta` as `apply` does, for a caller that drops the transaction when that fails. Without a way back, no
  /// node is copied that an earlier delta has copied.
  ///
  /// - Parameters:
  ///   - isChecked: Whether all inserted rows fit the delta's schemas: see `InsertedRows.fit(_:)`.
  ///   - share: counts the inserted rows and the changed cells: `delta.stepCount` in all.
  /// - Throws: as `apply`. The working copy is unsound then, and must not be used.
  package func applyFinally(_ delta: Delta, isChecked: Bool = false, counting share: WorkMeter.Share? = nil) throws {
    try carryOut(delta, isChecked: isChecked, share)
  }

  private func carryOut(_ delta: Delta, isChecked: Bool = false, _ share: WorkMeter.Share? = nil) throws {
    let before = delta.schema == nil ? nil : working
    assert(!isFilling, "No row is open while a delta is applied.")
    let gone = try adopt(delta.schema)
    var application = DeltaApplication(self, share)
    for table in delta.tables { try application.remove(table) }
    for table in delta.tables { try application.update(table) }
    for table in delta.tables { try application.insert(table, isChecked: isChecked) }
    try application.changeLinks()
    for table in delta.tables { try application.addLinks(of: table) }
    for table in delta.schema?.tables ?? [] where working[table.key]?.schema != table { adopt(table) }
    for key in gone { try application.verifyUnlinked(key, gone) }
    for key in gone { drop(key) }
    if let next = delta.schema?.nextTable, working.tables.count > Int(next) {
      // An older schema may not have the keys of the last tables yet.
      working.tables.removeSubrange(Int(next)...)
      owned = TableFlags()
    }
    if let before { try application.verifyFacts(since: before) }
    try application.verify(delta)
  }

  /// Adopts the new schemas of all tables, with one exception: primary keys and indexes that are new to a table with
  /// rows wait until its cells are in place. Until then every row has the same value in a new column, and all its
  /// hashes are equal. Each change of a cell would search through all of them.
  ///
  /// - Returns: The tables to remove. They are dropped at the end, when nothing refers to them.
  private func adopt(_ schema: Schema?) throws -> [TableKey] {
    guard let schema else { return [] }
    if let problem = schema.problems.first { throw GraphError(.invalidDelta, problem) }
    guard schema.tables.count <= Int(schema.nextTable) else {
      throw GraphError(.invalidDelta, "The schema counts \(schema.nextTable) tables, which is more than there can be.")
    }
    let kept = Set(schema.tables.map(\.key))
    let gone = working.allTables.map(\.schema.key).filter { !kept.contains($0) }
    for table in schema.tables where working[table.key]?.schema != table {
      adopt(working[table.key].map { table.keepingIndexes(of: $0.schema) } ?? table)
    }
    releaseCachedCluster()
    while working.tables.count < Int(schema.nextTable) { working.tables.append(nil) }
    assert(schema.tables.allSatisfy { working[$0.key] != nil }, "Each table of the schema is there.")
    return gone
  }
}

extension TableSchema {
  /// This schema, restricted to the primary key and indexes that exist for the rows of a table with the schema `old`.
  fileprivate func keepingIndexes(of old: TableSchema) -> TableSchema {
    func isKept(_ key: ColumnKey) -> Bool { column(key).map { old.leaf(holding: $0) != nil } ?? false }
    let isKeyKept = primaryKey == old.primaryKey && (primaryKey.map(isKept) ?? true)
    return with(
      primaryKey: .some(isKeyKept ? primaryKey : nil),
      indexes: indexes.filter { old.indexes.contains($0) && $0.columns.allSatisfy(isKept) })
  }
}

/// The state of applying one delta to a working copy.
private struct DeltaApplication {
  let transaction: Transaction
  let share: WorkMeter.Share?
  /// The links that changed cells lose and get, in order.
  var changedLinks: [(cell: Cell, target: ObjectLink, isNew: Bool)] = []
  /// Whether a link of a new row leads to no row.
  var missesTarget = false
  /// The tables in which two rows may have one primary key.
  var repeating: Set<TableKey> = []
  /// Whether a table gives out keys again.
  var lowersNextKey = false
  /// Owned rows that were inserted or may have another owner, to be checked at the end.
  var toBeOwned: Set<ObjectLink> = []

  init(_ transaction: Transaction, _ share: WorkMeter.Share?) {
    self.transaction = transaction
    self.share = share
  }

  private func wrong(_ problem: String, _ schema: TableSchema? = nil) -> GraphError {
    GraphError(.invalidDelta, "\(problem).", table: schema?.name)
  }

  private func schema(_ delta: TableDelta) throws -> TableSchema {
    guard let schema = transaction.working[delta.table]?.schema else { throw wrong("there is no \(delta.table)") }
    return schema
  }

  // MARK: Deleted rows

  mutating func remove(_ delta: TableDelta) throws {
    if delta.deleted.isEmpty { return }
    let schema = try schema(delta)
    let table = delta.table.index
    for deleted in delta.deleted {
      guard let cluster = transaction.working.tables[table]?.rows[deleted.chunk], !deleted.rows.isEmpty,
        (deleted.rows - cluster.live).isEmpty
      else { throw wrong("it deletes rows of '\(schema.name)' that are not there", schema) }
      deleted.rows.forEach { bit in
        let key = ObjectKey(chunk: deleted.chunk, bit: bit)
        removeLinks(of: key, cluster, schema)
        let owner = transaction.writable(table)
        for number in owner.indexes.indices { owner.removeEntry(of: key, index: number) }
        if schema.primaryKeyLeaf >= 0 { owner.removePrimaryKey(of: key) }
      }
      transaction.removeRows(deleted.rows, ofChunk: deleted.chunk, from: table)
      transaction.writable(table).count -= deleted.rows.count
      assert(transaction.writable(table).count >= 0, "A table counts its rows.")
    }
  }

  private mutating func removeLinks(of key: ObjectKey, _ cluster: Cluster, _ schema: TableSchema) {
    guard !schema.linkLeaves.isEmpty, let slot = cluster.slot(ofBit: key.bit) else { return }
    for leaf in schema.linkLeaves {
      let column = schema.columns[leaf]
      let cell = Cell(schema.key, key, column.key)
      cluster.leaves[leaf].forEachLink(at: slot, as: column.type) { remove(cell, $0) }
    }
  }

  private mutating func remove(_ cell: Cell, _ target: ObjectLink) {
    assert(target.key.rawValue >= 0, "A link that is stored leads to a row.")
    transaction.removeBacklink(cell, to: target)
    if transaction.isOwning(.link(target)) { toBeOwned.insert(target) }
  }

  /// Adds the backlink of a link, if there is a row at its end.
  ///
  /// - Returns: Whether there is one.
  private mutating func add(_ cell: Cell, _ target: ObjectLink) throws -> Bool {
    guard let table = transaction.working[target.table] else {
      throw wrong("it links to \(target.table), which is not there")
    }
    guard target.key.rawValue >= 0 else { throw wrong("it links to \(target), which cannot be") }
    guard table.contains(target.key) else { return false }
    transaction.addBacklink(cell, to: target)
    if table.schema.kind == .ordinary { return true }
    guard let type = transaction.working[cell.table]?.schema.column(cell.column)?.type, type.mayLink(to: table.schema)
    else {
      throw wrong("\(cell) cannot link to '\(table.schema.name)'", table.schema)
    }
    toBeOwned.insert(target)
    return true
  }

  // MARK: Changed cells

  mutating func update(_ delta: TableDelta) throws {
    let schema = try schema(delta)
    for column in delta.updated {
      guard let leaf = schema.leaf(of: column.column) else {
        throw wrong("'\(schema.name)' has no \(column.column)", schema)
      }
      let location = Transaction.ColumnLocation(table: delta.table.index, leaf: leaf, schema: schema)
      for (key, change) in column.cells {
        guard transaction.working[delta.table]?.contains(key) ?? false else {
          throw wrong("it changes object \(key) of '\(schema.name)', which is not there", schema)
        }
        try update(Cell(delta.table, key, column.column), at: location, change)
      }
      share?.advance(by: column.cells.count)
    }
  }

  private mutating func update(_ cell: Cell, at location: Transaction.ColumnLocation, _ change: CellChange) throws {
    let type = location.type
    switch (change, type.shape) {
    case (.value(let value), .single):
      guard type.holds(value) else { throw unfit(value, location) }
      if type.canLink {
        exchange(cell, type, old: transaction.working.value(cell).map { [$0] } ?? [], new: [value])
      }
      transaction.store(value, at: location, of: cell.key)
    case (.list(let splices), .list): try splice(cell, at: location, splices)
    case (.set(let removed, let inserted), .set):
      for value in removed {
        guard let set = transaction.contents(location, of: cell.key, as: AnyStoredElements.self),
          set.find(value, as: type).isPresent,
          set.value(at: set.find(value, as: type).position, as: type) == value
        else { throw wrong("it takes \(value) out of a set that does not hold it", location.schema) }
        exchange(cell, type, old: [value])
        transaction.edit(location, of: cell.key, as: AnyStoredElements.self) {
          $0.change(.remove(at: $0.find(value, as: type).position))
        }
      }
      for value in inserted {
        guard type.holdsElement(value) else { throw unfit(value, location) }
        let isNew = transaction.edit(location, of: cell.key, as: AnyStoredElements.self) { $0.insertInOrder(value) }
        if !isNew { throw wrong("it adds \(value) to a set that holds it", location.schema) }
        exchange(cell, type, new: [value])
      }
    case (.dictionary(let removed, let entries), .dictionary):
      for key in removed {
        guard let old = transaction.contents(location, of: cell.key, as: StoredDictionary.self)?[key] else {
          throw wrong("it removes a key from a dictionary that does not have it", location.schema)
        }
        exchange(cell, type, old: [old])
        transaction.edit(location, of: cell.key, as: StoredDictionary.self) { $0.remove(at: $0.find(key).position) }
      }
      for entry in entries {
        guard type.holdsElement(entry.value) else { throw unfit(entry.value, location) }
        let old = transaction.contents(location, of: cell.key, as: StoredDictionary.self)?[entry.key]
        exchange(cell, type, old: old.map { [$0] } ?? [], new: [entry.value])
        transaction.edit(location, of: cell.key, as: StoredDictionary.self) { $0.set(entry.value, forKey: entry.key) }
      }
    default: throw wrong("'\(location.schema.name).\(location.column.name)' is of another shape", location.schema)
    }
  }

  private mutating func splice(_ cell: Cell, at location: Transaction.ColumnLocation, _ splices: [ListSplice]) throws {
    let contents = transaction.contents(location, of: cell.key, as: AnyStoredElements.self)
    var last = 0
    for splice in splices {
      guard splice.range.lowerBound >= last, splice.range.upperBound <= contents?.count ?? 0 else {
        throw wrong("it changes a list beyond its end", location.schema)
      }
      last = splice.range.upperBound
      for value in splice.values where !location.type.holdsElement(value) { throw unfit(value, location) }
      exchange(
        cell, location.type, old: transaction.links(in: contents, at: splice.range, location.type), new: splice.values)
    }
    transaction.edit(location, of: cell.key, as: AnyStoredElements.self) { list in
      // From the end, so that the positions before a splice are still those of the old list.
      for splice in splices.reversed() { list.change(.replaceSubrange(splice.range, with: splice.values)) }
    }
  }

  private mutating func exchange(_ cell: Cell, _ type: ColumnType, old: [Value] = [], new: [Value] = []) {
    guard type.canLink else {
      assert(!old.contains { $0.linked != nil }, "Only a column of links has some.")
      return
    }
    for case .link(let target) in old { changedLinks.append((cell, target, false)) }
    for case .link(let target) in new { changedLinks.append((cell, target, true)) }
  }

  /// Removes and adds the backlinks of changed cells, when all rows are in place.
  mutating func changeLinks() throws {
    for (cell, target, isNew) in changedLinks {
      if !isNew {
        remove(cell, target)
      } else if try !add(cell, target) {
        throw astray(cell)
      }
    }
  }

  private func unfit(_ value: Value, _ location: Transaction.ColumnLocation) -> GraphError {
    wrong("'\(location.schema.name).\(location.column.name)' cannot hold \(value)", location.schema)
  }

  // MARK: Inserted rows

  mutating func insert(_ delta: TableDelta, isChecked: Bool) throws {
    let schema = try schema(delta)
    let index = delta.table.index
    let table = transaction.writable(index)
    guard 0...Table.keyLimit ~= delta.nextKey else { throw wrong("the next key is out of range", schema) }
    if delta.nextKey < table.nextKey { lowersNextKey = true }
    table.nextKey = delta.nextKey
    if delta.inserted.isEmpty { return }
    for inserted in delta.inserted {
      if !isChecked, let fault = inserted.faults(schema).first { throw wrong(fault, schema) }
      guard inserted.chunk >= 0, inserted.chunk <= Int64.max >> 8 else { throw wrong("a key is out of range", schema) }
      if let present = transaction.working.tables[index]?.rows[inserted.chunk] {
        guard (present.live & inserted.rows.live).isEmpty else {
          throw wrong("it inserts rows of '\(schema.name)' that are there", schema)
        }
        let merged = present.merging(inserted.rows, schema)
        transaction.releaseCachedCluster()
        transaction.writable(index).rows.set(merged, at: inserted.chunk)
      } else {
        transaction.releaseCachedCluster()
        transaction.writable(index).rows.set(inserted.rows, at: inserted.chunk)
      }
      transaction.writable(index).count += inserted.rows.count
      if schema.kind == .embedded {
        inserted.rows.live.forEach {
          toBeOwned.insert(ObjectLink(schema.key, ObjectKey(chunk: inserted.chunk, bit: $0)))
        }
      }
      share?.advance(by: inserted.rows.count)
    }
    if schema.primaryKeyLeaf >= 0, table.insertPrimaryKeys(of: delta.inserted) { repeating.insert(delta.table) }
    for number in table.indexes.indices {
      // A table that had no rows is sorted once.
      if table.count == delta.inserted.reduce(0, { $0 + $1.rows.count }) {
        table.indexes[number] = table.index(table.indexes[number].definition)
        continue
      }
      for inserted in delta.inserted {
        inserted.rows.live.forEach { table.insertEntry(of: ObjectKey(chunk: inserted.chunk, bit: $0), index: number) }
      }
    }
  }

  /// The table that a column links to if the links of new rows through it are gathered: links to ordinary rows, which
  /// most links are.
  private func gathers(_ type: ColumnType) -> TableKey? {
    guard type.kind == .link, type.shape != .dictionary, let target = type.target,
      transaction.working[target]?.schema.kind == .ordinary
    else { return nil }
    return target
  }

  /// Adds the backlinks of new rows, when all rows are in place.
  mutating func addLinks(of delta: TableDelta) throws {
    guard !delta.inserted.isEmpty, let schema = transaction.working[delta.table]?.schema else { return }
    for leaf in schema.linkLeaves {
      let column = schema.columns[leaf]
      guard let target = gathers(column.type) else {
        for inserted in delta.inserted { try addLinks(of: inserted, column, leaf, schema) }
        continue
      }
      let links = GatheredLinks.gathered(
        from: delta.inserted, leaf: leaf, below: transaction.working[target]?.nextKey ?? 0)
      for other in links.flatMap(\.others) {
        let cell = Cell(schema.key, other.origin, column.key)
        if try !add(cell, ObjectLink(target, other.target)) { missesTarget = true }
      }
      if !transaction.addBacklinks(consume links, from: schema.key, column.key, to: target) { missesTarget = true }
    }
  }

  /// Adds the backlinks of a column whose links are not gathered.
  private mutating func addLinks(
    of inserted: InsertedRows, _ column: Column, _ leaf: Int, _ schema: TableSchema
  ) throws {
    let cells = inserted.rows.leaves[leaf]
    try (Bitmap256(prefix: inserted.rows.count) - cells.nulls).forEach { slot in
      let key = ObjectKey(chunk: inserted.chunk, bit: inserted.rows.bit(ofSlot: slot))
      var targets: [ObjectLink] = []
      cells.forEachLink(at: slot, as: column.type) { targets.append($0) }
      for target in targets {
        if try !add(Cell(schema.key, key, column.key), target) { missesTarget = true }
      }
    }
  }

  // MARK: Checks that need all rows in place

  func verify(_ delta: Delta) throws {
    let graph = transaction.working
    if missesTarget { try verifyTargets(ofNewRows: delta, graph) }
    for table in delta.tables {
      guard let rows = graph[table.table] else { throw wrong("it changes a table that it removes") }
      // Without new rows the highest key is that of before, or lower.
      if lowersNextKey || !table.inserted.isEmpty, let last = rows.rows.last {
        let highest = ObjectKey(chunk: last.number, bit: last.chunk.bit(ofSlot: last.chunk.count - 1))
        if highest.rawValue >= rows.nextKey { throw wrong("a row has a key that is yet to be given out", rows.schema) }
      }
      for deleted in table.deleted { try verifyUnlinked(deleted, rows) }
      try verifyUnique(table, rows)
    }
    try verifyOwners(graph)
  }

  private func astray(_ cell: Cell) -> GraphError {
    var place = "\(cell)"
    if let table = transaction.working[cell.table], let column = table.schema.column(cell.column) {
      place = "'\(table.schema.name).\(column.name)' of \(table.phrase(of: cell.key))"
    }
    return wrong("\(place) links to an object that is not there")
  }

  /// Throws for the first link of the new rows without a target.
  private func verifyTargets(ofNewRows delta: Delta, _ graph: Graph) throws {
    for table in delta.tables {
      guard let schema = graph[table.table]?.schema else { continue }
      for inserted in table.inserted {
        for leaf in schema.linkLeaves {
          for slot in 0..<inserted.rows.count {
            let key = ObjectKey(chunk: inserted.chunk, bit: inserted.rows.bit(ofSlot: slot))
            let cell = Cell(schema.key, key, schema.columns[leaf].key)
            var isAstray = false
            inserted.rows.leaves[leaf].forEachLink(at: slot, as: schema.types[leaf]) {
              isAstray = isAstray || !graph.contains($0)
            }
            if isAstray { throw astray(cell) }
          }
        }
      }
    }
  }

  /// Throws if a remaining table links to a removed one.
  func verifyUnlinked(_ key: TableKey, _ gone: [TableKey]) throws {
    guard let table = transaction.working[key] else { return }
    for incoming in table.incoming where !incoming.blocks.isEmpty && !gone.contains(incoming.origin) {
      throw wrong("it removes '\(table.schema.name)', which is still linked to", table.schema)
    }
  }

  /// Checks every table whose schema changed. All its rows must satisfy the new schema, including those that the delta
  /// does not mention.
  mutating func verifyFacts(since before: Graph) throws {
    for table in transaction.working.allTables {
      guard let old = before[table.schema.key], old.schema != table.schema, table.count > 0 else { continue }
      if let fault = table.checkInvariants().first { throw wrong(fault, table.schema) }
      if table.schema.kind != old.schema.kind { try verifyOrigins(of: table) }
      if table.schema.kind == .embedded && old.schema.kind != .embedded {
        table.forEachRow { key, _, _ in toBeOwned.insert(ObjectLink(table.schema.key, key)) }
      }
    }
    noteOrphans(of: before)
  }

  /// Checks the columns that link into a table whose kind changed: any-values cannot own embedded objects, and no
  /// column can link to asymmetric ones.
  private func verifyOrigins(of table: Table) throws {
    for incoming in table.incoming where !incoming.blocks.isEmpty {
      let type = transaction.working[incoming.origin]?.schema.column(incoming.column)?.type
      if let type, !type.mayLink(to: table.schema) {
        throw wrong("\(type.phrase) links to '\(table.schema.name)', and cannot any more", table.schema)
      }
    }
  }

  /// Adds the rows that a removed table or column owned to `toBeOwned`: those that remain must have another owner.
  private mutating func noteOrphans(of before: Graph) {
    for table in before.allTables where transaction.working[table.schema.key]?.schema.kind == .embedded {
      for incoming in table.incoming {
        let column = before[incoming.origin]?.schema.column(incoming.column)
        let origin = transaction.working[incoming.origin]?.schema
        if let column, origin?.leaf(holding: column) != nil { continue }
        incoming.blocks.forEach { chunk, block in
          block.linked.forEach { toBeOwned.insert(ObjectLink(table.schema.key, ObjectKey(chunk: chunk, bit: $0))) }
          return true
        }
      }
    }
  }

  private func verifyUnlinked(_ deleted: DeletedRows, _ table: Table) throws {
    try deleted.rows.forEach { bit in
      let key = ObjectKey(chunk: deleted.chunk, bit: bit)
      if !table.contains(key), table.incoming.contains(where: { $0.bag(of: key) != nil }) {
        throw wrong("it deletes object \(key) of '\(table.schema.name)', which is still linked to", table.schema)
      }
    }
  }

  private func verifyUnique(_ delta: TableDelta, _ table: Table) throws {
    let unique = table.indexes.isEmpty ? [] : table.indexes.indices.filter { table.indexes[$0].definition.isUnique }
    if unique.isEmpty && table.schema.primaryKeyLeaf < 0 { return }
    let isVerified = unique.isEmpty && !repeating.contains(table.schema.key)
    func verify(_ key: ObjectKey) throws {
      guard let (cluster, slot) = table.find(key) else { return }
      for number in unique {
        let entry = table.entry(of: key, in: cluster, slot: slot, columns: table.indexes[number].definition.columns)
        if let other = table.indexes[number].conflict(with: entry) {
          let conflict = transaction.conflict(in: table.schema, index: number, key, other)
          throw GraphError(.invalidDelta, conflict.message, table: conflict.table)
        }
      }
      let leaf = table.schema.primaryKeyLeaf
      if leaf >= 0, let value = table.value(key, leaf: leaf), let hash = value.primaryKeyHash {
        let other = table.primary.find(hash: hash) {
          $0 != key.rawValue && table.value(ObjectKey($0), leaf: leaf) == value
        }
        if other != nil {
          throw GraphError(
            .invalidDelta, transaction.duplicate(value, table.schema).message, table: table.schema.name)
        }
      }
    }
    for inserted in delta.inserted where !isVerified {
      try inserted.rows.live.forEach { try verify(ObjectKey(chunk: inserted.chunk, bit: $0)) }
    }
    for column in delta.updated {
      // The values of other columns may repeat.
      guard
        column.column == table.schema.primaryKey
          || unique.contains(where: { table.indexes[$0].definition.columns.contains(column.column) })
      else { continue }
      for (key, _) in column.cells { try verify(key) }
    }
  }

  /// Checks that every owned row in `toBeOwned` has exactly one owner, and that following owners from it ends at a row
  /// that is not owned.
  private func verifyOwners(_ graph: Graph) throws {
    if toBeOwned.isEmpty { return }
    let rows = toBeOwned.filter { graph.contains($0) && graph[$0.table]?.schema.kind == .embedded }
    if let fault = graph.checkOwners(of: rows).first { throw wrong(fault) }
  }
}

extension Cluster {
  /// A cluster of the rows of both clusters, which must be disjoint.
  func merging(_ other: Cluster, _ schema: TableSchema) -> Cluster {
    let merged = copy()
    other.live.forEach { bit in
      let slot = merged.insertRow(atBit: bit)
      guard let source = other.slot(ofBit: bit) else { return }
      for (leaf, column) in schema.columns.enumerated() {
        if column.type.isCollection {
          merged.leaves[leaf].values.updateCollection(at: slot) {
            $0 = other.leaves[leaf].values.collection(at: source)
          }
        } else {
          merged.leaves[leaf].nulls[slot] = other.leaves[leaf].nulls[source]
          merged.leaves[leaf].values.copy(other.leaves[leaf].values, at: source, to: slot)
        }
      }
    }
    assert(merged.live == live | other.live, "A merged cluster has the rows of both.")
    return merged
  }
}

extension Graph {
  /// Applies `delta` to this graph and returns the resulting graph.
  ///
  /// - Throws: `GraphError` if the delta does not fit this graph, or would leave it unsound.
  public func applying(_ delta: Delta) throws -> Graph {
    let transaction = Transaction(self)
    try transaction.apply(delta)
    return transaction.graph
  }
}
