// Deletes rows, and the rows that must be deleted with them.
//
// 1. Plan: a work list follows owning and cascading links from the given rows until it finds no more rows. There is no
//    recursion, so a chain of a million owned objects is no problem. Then the denying columns of all rows found are
//    checked. Nothing has changed so far, so a refusal has no effect.
// 2. Carry out: the links of doomed rows are removed from their targets' bags. References from living rows are cleared:
//    a to-one becomes null, entries of lists and sets are removed, values of dictionaries become null. Each cell is
//    edited once, however many of its targets are deleted. The rows are removed from primary keys, indexes and
//    clusters.

/// The rows to delete, in every table.
struct Deletion {
  /// The doomed rows of each table; nil for a table that loses none.
  var doomed: [KeySet?]

  func contains(_ link: ObjectLink) -> Bool { doomed[link.table.index]?.contains(link.key) ?? false }

  /// - Returns: Whether the row was not doomed before.
  mutating func insert(_ link: ObjectLink) -> Bool {
    assert(link.table.index < doomed.count, "A row is in a table of the graph.")
    if doomed[link.table.index] == nil { doomed[link.table.index] = KeySet() }
    return doomed[link.table.index]?.insert(link.key) ?? false
  }
}

extension Transaction {
  /// Deletes a row, the embedded rows that it owns, and the rows that delete rules cascade to.
  ///
  /// References to the deleted rows are cleared: a to-one link and an any-value become null, entries of lists and sets
  /// are removed, values of dictionaries become null. Deleting an embedded row clears its owner's reference in the same
  /// way.
  ///
  /// - Throws: `GraphError` if the row does not exist, or a delete rule forbids it; nothing has changed then.
  /// - Complexity: O(links of the deleted rows · log), and linear in each list that loses an entry, up to it.
  public func delete(_ object: ObjectLink) throws {
    guard contains(object) else { throw noRow(Cell(object.table, object.key, ColumnKey(rawValue: .max))) }
    apply(try planDeletion(of: [object]))
  }

  /// Deletes many rows as one operation: each list that loses entries is edited once.
  ///
  /// Rows that do not exist, and repetitions, are ignored.
  ///
  /// - Throws: `GraphError` if a delete rule forbids it; nothing has changed then.
  public func delete(_ objects: [ObjectLink]) throws { apply(try planDeletion(of: objects.filter(contains(_:)))) }

  /// Deletes all rows of a table, as one operation.
  ///
  /// - Throws: `GraphError` if the table does not exist, or a delete rule forbids it; nothing has changed then.
  public func clear(_ table: TableKey) throws { try clear([table]) }

  /// Deletes all rows of several tables, as one operation.
  ///
  /// - Throws: `GraphError` if one of the tables does not exist, or a delete rule forbids it; nothing has changed then.
  public func clear(_ tables: [TableKey]) throws {
    checkNotFilling()
    var deletion = Deletion(doomed: Array(repeating: nil, count: working.tables.count))
    var work: [ObjectLink] = []
    for key in tables {
      guard let table = working[key] else {
        throw GraphError(.missingObject, "There is no \(key): it was removed, or is another graph's.")
      }
      var all = KeySet()
      let takesOthers = deletesOthers(table.schema)
      table.rows.forEach { chunk, cluster in
        all.insert(cluster.live, ofChunk: chunk)
        if takesOthers { cluster.live.forEach { work.append(ObjectLink(key, ObjectKey(chunk: chunk, bit: $0))) } }
        return true
      }
      deletion.doomed[key.index] = all
    }
    apply(try completed(deletion, work))
  }

  // MARK: Planning

  func planDeletion(of objects: [ObjectLink]) throws -> Deletion {
    checkNotFilling()
    var deletion = Deletion(doomed: Array(repeating: nil, count: working.tables.count))
    var work: [ObjectLink] = []
    // Computed once for each run of rows of one table.
    var table: TableKey?
    var takesOthers = false
    for object in objects {
      if object.table != table {
        table = object.table
        takesOthers = working[object.table].map { self.deletesOthers($0.schema) } ?? false
      }
      if deletion.insert(object) && takesOthers { work.append(object) }
    }
    assert(objects.allSatisfy(deletion.contains), "What is to be deleted is doomed.")
    return try completed(deletion, work)
  }

  /// Whether deleting a row of the table can delete the rows that it links to, or be denied by them.
  private func deletesOthers(_ schema: TableSchema) -> Bool {
    schema.linkLeaves.contains { consequence(of: schema.columns[$0]) != .nullify }
  }

  /// The effect of deleting a row on the rows that the column links to.
  private func consequence(of column: Column) -> DeleteRule {
    if column.type.kind == .any { return .cascade }
    if let target = column.type.target, working[target]?.schema.kind == .embedded { return .cascade }
    return column.deleteRule
  }

  private func completed(_ initial: Deletion, _ initialWork: [ObjectLink]) throws -> Deletion {
    var deletion = initial
    var work = initialWork
    var denied: [(cell: Cell, target: ObjectLink)] = []
    while let object = work.popLast() {
      guard let table = working[object.table], let (cluster, slot) = table.find(object.key) else { continue }
      for leaf in table.schema.linkLeaves {
        let column = table.schema.columns[leaf]
        let rule = consequence(of: column)
        if rule == .nullify { continue }
        cluster.leaves[leaf].forEachLink(at: slot, as: column.type) { target in
          if rule == .deny {
            denied.append((Cell(object.table, object.key, column.key), target))
          } else if column.type.kind != .any || target.table.isNested {
            if deletion.insert(target) { work.append(target) }
          }
        }
      }
    }
    for (cell, target) in denied where !deletion.contains(target) {
      throw GraphError(
        .deleteDenied,
        "Object \(cell.key) of '\(name(cell))' cannot be deleted: its delete rule forbids it while it links "
          + "to object \(target.key) of '\(working[target.table]?.schema.name ?? "?")'.",
        table: working[cell.table]?.schema.name, column: working[cell.table]?.schema.column(cell.column)?.name,
        key: cell.key)
    }
    return deletion
  }

  private func name(_ cell: Cell) -> String {
    guard let schema = working[cell.table]?.schema else { return "?" }
    return "\(schema.name).\(schema.column(cell.column)?.name ?? "?")"
  }

  // MARK: Carrying out

  func apply(_ deletion: Deletion) {
    assert(deletion.doomed.count == working.tables.count, "A deletion is planned for the tables that there are.")
    var touched: [Cell: Int] = [:]
    for (index, doomed) in deletion.doomed.enumerated() {
      guard let doomed, let table = working.tables[index] else { continue }
      if !table.schema.linkLeaves.isEmpty || table.incoming.contains(where: { !$0.blocks.isEmpty }) {
        for (chunk, bits) in doomed.chunks {
          bits.forEach {
            unlink(ObjectLink(table.schema.key, ObjectKey(chunk: chunk, bit: $0)), by: deletion, noting: &touched)
          }
        }
      }
    }
    for (cell, number) in touched { removeLinks(number, of: cell, deletion) }
    for (index, doomed) in deletion.doomed.enumerated() {
      if let doomed { removeRows(index, doomed) }
    }
  }

  /// Removes a doomed row's links from the bags of living rows, and counts the links to it of each living cell.
  private func unlink(_ object: ObjectLink, by deletion: Deletion, noting touched: inout [Cell: Int]) {
    guard let (cluster, slot) = working[object.table]?.find(object.key), let schema = working[object.table]?.schema
    else {
      return
    }
    for leaf in schema.linkLeaves {
      let column = schema.columns[leaf]
      let cell = Cell(object.table, object.key, column.key)
      cluster.leaves[leaf].forEachLink(at: slot, as: column.type) {
        if !deletion.contains($0) { removeBacklink(cell, to: $0) }
      }
    }
    guard let table = working[object.table] else { return }
    for index in table.incoming.indices {
      // The links must not be held while their bag is removed. A second reference would make every node on the path
      // shared, and the removal would copy them.
      guard noteLinks(to: object.key, in: table.incoming[index], deletion, &touched) else { continue }
      writable(object.table.index).incoming[index].removeBag(of: object.key)
    }
  }

  /// - Returns: Whether the row has a bag.
  @inline(never)
  private func noteLinks(
    to key: ObjectKey, in incoming: IncomingLinks, _ deletion: Deletion, _ touched: inout [Cell: Int]
  ) -> Bool {
    guard let bag = incoming.bag(of: key) else { return false }
    bag.forEach {
      if deletion.contains(ObjectLink(incoming.origin, $0)) { return }
      touched[Cell(incoming.origin, $0, incoming.column), default: 0] += 1
    }
    return true
  }

  /// Clears a living cell's references to doomed rows, whose bags are already removed. As their number is known, the
  /// elements behind the last one are not read: objects are often deleted in the order of a list.
  private func removeLinks(_ number: Int, of cell: Cell, _ deletion: Deletion) {
    guard let location = try? self.location(of: cell) else {
      fatalError("A backlink comes from a cell that is not there.")
    }
    assert(!deletion.contains(cell.object), "A row that goes loses its links with its cells.")
    assert(location.type.canLink, "A backlink comes from a cell that can link.")
    switch location.type.shape {
    case .single: store(.null, at: location, of: cell.key)
    case .list, .set:
      edit(location, of: cell.key, as: AnyStoredElements.self) {
        $0.removeLinks(number, as: location.type, deletion.contains)
      }
    case .dictionary:
      edit(location, of: cell.key, as: StoredDictionary.self) { $0.nullifyLinks(number, deletion.contains) }
    }
  }

  private func removeRows(_ index: Int, _ doomed: KeySet) {
    let table = writable(index)
    assert(doomed.count <= table.count, "Only rows that exist are deleted.")
    if doomed.count == table.count {
      releaseCachedCluster()
      motion.remove()
      table.rows = RadixTree()
      table.primary = HashIndex()
      table.indexes = ContiguousArray(table.indexes.map { PropertyIndex($0.definition) })
      table.count = 0
      return
    }
    for (chunk, bits) in doomed.chunks {
      if table.schema.primaryKeyLeaf >= 0 || !table.indexes.isEmpty {
        bits.forEach { bit in
          let key = ObjectKey(chunk: chunk, bit: bit)
          for number in table.indexes.indices { table.removeEntry(of: key, index: number) }
          if table.schema.primaryKeyLeaf >= 0 { table.removePrimaryKey(of: key) }
        }
      }
      removeRows(bits, ofChunk: chunk, from: index)
    }
    table.count -= doomed.count
    assert(table.count >= 0 && (table.count == 0) == table.rows.isEmpty, "A table counts its rows.")
    assert(table.schema.primaryKeyLeaf < 0 || table.primary.count == table.count, "Each row has one primary key.")
  }
}
