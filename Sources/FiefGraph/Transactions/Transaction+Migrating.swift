// Changes that only migrations need: other kinds of tables, and columns whose cells become those of another column.

extension Transaction {
  /// Makes embedded and asymmetric tables ordinary ones. Their rows stay where they are linked to, and need no owner
  /// from now on.
  func makeOrdinary(_ tables: [TableKey]) {
    checkNotFilling()
    for key in tables {
      guard let schema = working[key]?.schema, schema.kind != .ordinary else { continue }
      adopt(schema.with(kind: .ordinary))
      assert(working[key]?.schema.kind == .ordinary, "A table has the kind that was set last.")
    }
  }

  /// Removes the primary key and the unique indexes of a table. Its values may repeat from now on.
  func deferUniqueness(of table: TableKey) throws {
    let schema = try facts(table)
    if schema.primaryKey == nil && !schema.indexes.contains(where: \.isUnique) { return }
    adopt(schema.with(primaryKey: .some(nil), indexes: schema.indexes.filter { !$0.isUnique }))
    assert(working[table]?.schema.primaryKey == nil, "Values may repeat until the migration ends.")
  }

  /// Changes the kind of a table. The caller has brought the rows into the form that the kind requires.
  ///
  /// - Throws: `GraphError.Code.invalidSchema` if the table, or a column that links to it, does not allow the kind.
  func setKind(_ kind: TableKind, of table: TableKey) throws {
    let schema = try facts(table).with(kind: kind)
    try checkSound(schema)
    for other in working.allTables where other.schema.key != table {
      guard other.schema.columns.contains(where: { $0.type.target == table }) else { continue }
      let problems = other.schema.problems { $0 == table ? schema : self.working[$0]?.schema }
      if let problem = problems.first { throw GraphError(.invalidSchema, problem, table: other.schema.name) }
    }
    adopt(schema)
    assert(working[table]?.schema.kind == kind, "A table has the kind that was set last.")
  }

  /// Gives a column a type that holds all that it holds: null may be allowed, and integers may be wider.
  ///
  /// - Returns: The key of the column. It is a new one if the elements of its collections are stored in another form,
  ///   as those are that may be null.
  /// - Throws: `GraphError` if the column or table does not exist, or the schema does not allow the type.
  /// - Complexity: Linear in the elements that are stored in another form; otherwise in the columns.
  func loosen(_ column: ColumnKey, of table: TableKey, to type: ColumnType) throws -> ColumnKey {
    let schema = try facts(table)
    let location = try self.location(table, column)
    assert(location.type.fits(into: type) && location.type.width <= type.width, "A type that is loosened holds more.")
    if location.type == type { return column }
    var columns = schema.columns
    columns[location.leaf].type = type
    if location.type.hasSameStorage(as: type) {
      try adoptIfSound(schema.with(columns: columns))
      return column
    }
    assert(type.shape == .list || type.shape == .set, "Only elements are stored in another form.")
    let cells = values(of: location)
    let key = ColumnKey(rawValue: schema.nextColumn)
    columns[location.leaf] = Column(key: key, name: location.column.name, type: type)
    adopt(schema.with(columns: columns, nextColumn: schema.nextColumn + 1))
    let target = try self.location(table, key)
    for (row, elements) in cells where !elements.isEmpty {
      edit(target, of: row, as: AnyStoredElements.self) { contents in
        for element in elements {
          if type.shape == .list { contents.change(.append(element)) } else { _ = contents.insertInOrder(element) }
        }
      }
    }
    return key
  }

  /// Moves all cells of a column to another column of the table, whose own cells are lost. The first column is unset
  /// then. Rows and columns keep their keys, and other cells their places.
  ///
  ///     first  last  full          first  last  full
  ///     "Ann"  "Lee"  ""    ──▶      ""   "Lee"  "Ann"
  ///
  /// Indexes over either column are removed. The second column gets the width of the first, if that is wider.
  ///
  /// - Throws: `GraphError` if a column does not exist or is the primary key, if the second cannot hold every value of
  ///   the first (it may allow null where the first does not), or if a delete rule forbids the deletion of a row that
  ///   the second column owned. Nothing has changed then.
  /// - Complexity: O(rows / 256), and linear in what the second column owned or linked to.
  package func moveCells(from source: ColumnKey, to target: ColumnKey, of table: TableKey) throws {
    let schema = try facts(table)
    let (from, to) = (try location(table, source), try location(table, target))
    guard source != target, from.type.fits(into: to.type) else {
      throw error(
        .invalidSchema, "cannot become '\(to.column.name)': it is \(from.type.phrase), and the other \(to.type.phrase)",
        at: from, of: nil)
    }
    guard ![source, target].contains(where: { $0 == schema.primaryKey }) else {
      throw error(.invalidSchema, "cannot be moved: it is, or would become, the primary key", at: from, of: nil)
    }
    let orphans = to.type.canLink ? values(of: to).flatMap { $0.1 }.filter(isOwning).compactMap(\.linked) : []
    let deletion = try planDeletion(of: orphans)
    // Elements that may be null are stored in another form, so the column is brought into it first.
    let key = try loosen(source, of: table, to: to.type.with(width: from.type.width))
    apply(deletion)
    guard let present = working[table]?.schema, let fromLeaf = present.leaf(of: key) else { return }
    let type = present.columns[fromLeaf].type
    var columns = present.columns
    // The declared width may be narrower than the cells: `declare` compares it with the one that the column has.
    columns[to.leaf].type = type
    let indexes = present.indexes.filter { !$0.columns.contains(key) && !$0.columns.contains(target) }
    adopt(present.with(columns: columns, indexes: indexes))
    releaseCachedCluster()
    motion.move()
    if to.type.canLink { removeBacklinks(from: table) { $0 == target } }
    let rows = writable(table.index)
    rows.rows = rows.rows.map { cluster in
      var leaves = cluster.leaves
      leaves[to.leaf] = leaves[fromLeaf]
      leaves[fromLeaf] = Leaf(for: type, count: cluster.count)
      return Cluster(live: cluster.live, leaves: leaves)
    }
    if to.type.canLink { renameBacklinks(from: table, key, to: target) }
    assert(working[table]?.schema.leaf(of: target) == to.leaf, "The column that takes the cells stays in its place.")
  }

  /// Gives a column that received the cells of another one its key as well, and removes the other column. A delta then
  /// describes the two as one column with another name, and contains none of its cells.
  package func takeKey(of source: ColumnKey, by target: ColumnKey, in table: TableKey) throws {
    let schema = try facts(table)
    let (from, to) = (try location(table, source), try location(table, target))
    guard from.type.hasSameStorage(as: to.type), schema.primaryKey != source, schema.primaryKey != target,
      !schema.indexes.contains(where: { $0.columns.contains(source) || $0.columns.contains(target) })
    else { return }
    if from.type.canLink, values(of: from).contains(where: { $0.1.contains { $0.linked != nil } }) { return }
    releaseCachedCluster()
    motion.move()
    var columns = schema.columns
    columns[to.leaf] = Column(key: source, name: to.column.name, type: to.type, deleteRule: to.column.deleteRule)
    columns.remove(at: from.leaf)
    let rows = writable(table.index)
    rows.schema = schema.with(columns: columns)
    rows.rows = rows.rows.map { cluster in
      var leaves = cluster.leaves
      leaves.remove(at: from.leaf)
      return Cluster(live: cluster.live, leaves: leaves)
    }
    assert(rows.schema.column(target) == nil, "Of the two columns, one is left.")
    if to.type.canLink {
      removeBacklinks(from: table) { $0 == source }
      renameBacklinks(from: table, target, to: source)
    }
  }

  /// Records the links of one column as those of another.
  private func renameBacklinks(from origin: TableKey, _ old: ColumnKey, to new: ColumnKey) {
    assert(old != new, "Backlinks that are renamed come from another column.")
    for (index, table) in working.tables.enumerated() {
      guard let position = table?.incomingIndex(from: origin, old) else { continue }
      let blocks = table?.incoming[position].blocks ?? RadixTree()
      writable(index).incoming[position] = IncomingLinks(origin: origin, column: new, blocks)
    }
  }
}

extension ColumnType {
  /// Whether every cell of this type is one of the other type, in the same or another stored form.
  package func fits(into other: ColumnType) -> Bool {
    kind == other.kind && shape == other.shape && target == other.target && (other.allowsNull || !allowsNull)
  }

  /// This type with another width of integers.
  fileprivate func with(width: IntegerWidth) -> ColumnType {
    var type = self
    if kind == .int { type.width = max(width, type.width) }
    assert(type.width >= self.width, "A column only becomes wider.")
    return type
  }
}
