// Makes ordinary tables embedded: brings their rows into the form that every row has one owner.

/// The rows that embedding has deleted and copied, by table.
package struct EmbeddingOutcome: Sendable {
  /// How many rows had no owner and were deleted.
  package var deleted: [TableKey: Int] = [:]
  /// How many copies were made of rows with several owners.
  package var copied: [TableKey: Int] = [:]
  /// How many elements of collections were read to find the links.
  package var elementsRead = 0

  /// An outcome without such rows.
  package init() {}
}

extension Transaction {
  /// How many copies one call of `embed` makes at most. Rows that share others, level by level, can have exponentially
  /// many copies.
  static let embeddingLimit = 1 << 24

  /// Makes ordinary tables embedded. Each link to one of their rows owns a row from then on:
  ///
  /// - A row without links to it is deleted by its delete rules, with what it owns, and so are rows that only own each
  ///   other, and rows that lose their last owner by these rules.
  /// - The first link to a row keeps it. Each other link gets a copy, with copies of all that the row owns.
  ///
  /// Primary keys and indexes of the tables, and delete rules of links to them, are removed.
  ///
  /// - Throws: `GraphError` if an any-value links to a row; rows would own each other in a circle; there would be more
  ///   than 2^24 copies; the type of a column that links to the tables does not allow embedded rows; or a delete rule
  ///   forbids a deletion. Nothing has changed then.
  /// - Complexity: Linear in the rows of the tables, the links to them (again as often as rules take an owner), the
  ///   collections that link to rows with several owners, and the copies; each copy takes O(log n) more.
  package func embed(_ tables: [TableKey]) throws -> EmbeddingOutcome {
    checkNotFilling()
    if tables.isEmpty { return EmbeddingOutcome() }
    return try allOrNothing {
      for table in tables { adopt(try facts(table).with(primaryKey: .some(nil), indexes: [])) }
      removeDeleteRules(ofLinksTo: Set(tables))
      var embedding = Embedding(self, Set(tables))
      try embedding.run()
      for table in tables { try setKind(.embedded, of: table) }
      assert(tables.allSatisfy { working[$0]?.schema.kind == .embedded }, "Each table has become embedded.")
      return embedding.outcome
    }
  }

  /// Removes the rules that only links to ordinary rows may have. Also tables that no class declares can have them.
  private func removeDeleteRules(ofLinksTo targets: Set<TableKey>) {
    for table in working.allTables {
      let columns = table.schema.columns.map { column in
        var column = column
        if let target = column.type.target, targets.contains(target) { column.deleteRule = .nullify }
        return column
      }
      if columns != table.schema.columns { adopt(table.schema.with(columns: columns)) }
    }
  }
}

/// The embedding of some tables.
private struct Embedding {
  let transaction: Transaction
  let tables: Set<TableKey>
  var outcome = EmbeddingOutcome()
  /// By cell of a collection, the positions of the links to each row that is still to be copied. A collection is read
  /// once, as no element moves.
  private var positions: [Cell: [ObjectLink: [Int]]] = [:]

  init(_ transaction: Transaction, _ tables: Set<TableKey>) {
    assert(tables.allSatisfy { transaction.working[$0]?.schema.kind == .ordinary }, "Ordinary tables become embedded.")
    self.transaction = transaction
    self.tables = tables
  }

  mutating func run() throws {
    try refuseAnyLinks()
    var rows = try self.rows()
    // A delete rule of a row that goes may take the owner of another one.
    while !rows.unowned.isEmpty {
      try delete(rows.unowned)
      rows = try self.rows()
    }
    for row in rows.owned { try copy(row) }
  }

  /// The rows that nothing outside owns, and those that may have several owners, each after its owners.
  private func rows() throws -> (unowned: [ObjectLink], owned: [ObjectLink]) {
    if isNested { return try NestedOwners(transaction.working, tables).order() }
    var (unowned, shared): ([ObjectLink], [ObjectLink]) = ([], [])
    for key in tables.sorted() {
      guard let table = transaction.working[key] else { continue }
      table.forEachRow { row, _, _ in
        let count = table.incoming.reduce(0) { $0 + ($1.bag(of: row)?.count ?? 0) }
        if count == 0 { unowned.append(ObjectLink(key, row)) }
        if count > 1 { shared.append(ObjectLink(key, row)) }
      }
    }
    return (unowned, shared)
  }

  /// Whether rows of the tables, or embedded rows, link to rows of the tables. Copies then lead to more copies.
  private var isNested: Bool {
    tables.contains { key in
      transaction.working[key]?.incoming.contains {
        !$0.blocks.isEmpty && (tables.contains($0.origin) || transaction.working[$0.origin]?.schema.kind == .embedded)
      } ?? false
    }
  }

  private func refuseAnyLinks() throws {
    for key in tables.sorted() {
      guard let table = transaction.working[key] else { continue }
      for incoming in table.incoming where !incoming.blocks.isEmpty {
        guard let origin = transaction.working[incoming.origin]?.schema, let column = origin.column(incoming.column),
          column.type.kind == .any
        else { continue }
        throw GraphError(
          .ownership,
          "'\(table.schema.name)' cannot become embedded: any-values link to its objects, in '\(origin.name)."
            + "\(column.name)'; set these to something else first.", table: table.schema.name, column: column.name)
      }
    }
  }

  private mutating func delete(_ rows: [ObjectLink]) throws {
    transaction.apply(try transaction.planDeletion(of: rows))
    for row in rows { outcome.deleted[row.table, default: 0] += 1 }
  }

  /// Gives every link to a row but the first a copy of the row.
  private mutating func copy(_ row: ObjectLink) throws {
    guard let table = transaction.working[row.table] else { return }
    var cells: [(cell: Cell, count: Int)] = []
    for incoming in table.incoming {
      incoming.bag(of: row.key)?.forEach { key in
        let cell = Cell(incoming.origin, key, incoming.column)
        if cells.last?.cell == cell { cells[cells.count - 1].count += 1 } else { cells.append((cell, 1)) }
      }
    }
    assert(cells.allSatisfy { $0.count > 0 }, "Each owner has a link to the row.")
    // The only link keeps the row, wherever it is.
    if cells.count == 1, cells[0].count == 1 { return }
    var isKept = false
    for (cell, count) in cells {
      let positions = try takePositions(of: row, in: cell)
      try RowCopying(transaction).replace(row, in: cell, at: positions, keepingFirst: !isKept)
      outcome.copied[row.table, default: 0] += count - (isKept ? 0 : 1)
      isKept = true
    }
    if outcome.copied[row.table] == 0 { outcome.copied[row.table] = nil }
  }

  /// The positions at which a collection links to a row, ascending; none for a single cell. Each is asked for once.
  private mutating func takePositions(of row: ObjectLink, in cell: Cell) throws -> [Int] {
    let type = try transaction.location(of: cell).type
    guard let contents = transaction.working.collection(cell) else { return [] }
    if positions[cell] == nil {
      var (found, position) = ([ObjectLink: [Int]](), 0)
      contents.forEach(as: type) { value in
        if let link = value.linked { found[link, default: []].append(position) }
        position += 1
        return true
      }
      outcome.elementsRead += position
      positions[cell] = found
    }
    defer { if positions[cell]?.isEmpty ?? false { positions[cell] = nil } }
    return positions[cell]?.removeValue(forKey: row) ?? []
  }
}

/// The order in which rows are copied that own rows of the same tables: owners first.
private struct NestedOwners {
  private let graph: Graph
  /// By row: how many links come from rows of other tables, and how many from rows of these.
  private var free: [ObjectLink: Int] = [:]
  private var bound: [ObjectLink: Int] = [:]
  /// By row, the rows of these tables that it owns, itself or through embedded rows.
  private var owned: [ObjectLink: [ObjectLink]] = [:]
  private var rows: [ObjectLink] = []
  /// By row of another table: its owner among the rows of these.
  private var owners: [ObjectLink: ObjectLink?] = [:]

  init(_ graph: Graph, _ tables: Set<TableKey>) {
    self.graph = graph
    for key in tables.sorted() {
      guard let table = graph[key] else { continue }
      table.forEachRow { row, _, _ in
        let link = ObjectLink(key, row)
        rows.append(link)
        for incoming in table.incoming {
          incoming.bag(of: row)?.forEach { source in
            if let owner = owner(of: ObjectLink(incoming.origin, source), tables) {
              bound[link, default: 0] += 1
              owned[owner, default: []].append(link)
            } else {
              free[link, default: 0] += 1
            }
          }
        }
      }
    }
  }

  /// The nearest row of `tables` that owns a row, or is it; nil if an ordinary row of another table owns it. The rows
  /// on the way remember it, so that each step of a chain is taken once.
  private mutating func owner(of row: ObjectLink, _ tables: Set<TableKey>) -> ObjectLink? {
    var (owner, path): (ObjectLink?, [ObjectLink]) = (row, [])
    while let link = owner, !tables.contains(link.table) {
      owner = owners[link] ?? graph.owner(of: link)?.object
      path.append(link)
    }
    for link in path { owners[link] = .some(owner) }
    return owner
  }

  /// The rows that nothing outside owns, and the others, each after its owners.
  func order() throws -> (unowned: [ObjectLink], owned: [ObjectLink]) {
    var reached: Set<ObjectLink> = []
    var work = rows.filter { free[$0] != nil }
    reached.formUnion(work)
    while let row = work.popLast() {
      for child in owned[row] ?? [] where reached.insert(child).inserted { work.append(child) }
    }
    var waiting = bound
    for row in rows where !reached.contains(row) {
      for child in owned[row] ?? [] { waiting[child, default: 0] -= 1 }
    }
    // How many rows a row becomes: one for each of its links, times the rows that its owner becomes.
    var copies = free.mapValues { Double($0) }
    var order = rows.filter { reached.contains($0) && waiting[$0, default: 0] == 0 }
    var position = 0
    while position < order.count {
      let row = order[position]
      position += 1
      for child in owned[row] ?? [] {
        copies[child, default: 0] += copies[row, default: 0]
        waiting[child, default: 0] -= 1
        if waiting[child] == 0 { order.append(child) }
      }
    }
    if order.count < reached.count, let row = rows.first(where: { reached.contains($0) && waiting[$0, default: 0] > 0 })
    {
      let name = graph[row.table]?.schema.name ?? "?"
      throw GraphError(
        .ownership,
        "'\(name)' cannot become embedded: object \(row.key) would own itself, directly or through others; remove the "
          + "links that lead back to it.", table: name, key: row.key)
    }
    let total = order.reduce(0.0) { $0 + copies[$1, default: 1] - 1 }
    if total > Double(Transaction.embeddingLimit) {
      let name = order.first.flatMap { graph[$0.table]?.schema.name } ?? "?"
      throw GraphError(
        .ownership,
        "'\(name)' cannot become embedded: its objects have several owners on so many levels that more than "
          + "\(Transaction.embeddingLimit) copies would be made.", table: name)
    }
    assert(order.count == reached.count, "Owners come before the rows that they own.")
    return (rows.filter { !reached.contains($0) }, order)
  }
}

/// Copies rows with all that they own.
private struct RowCopying {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Replaces the links of a cell to a row by links to copies of it, one for each; the first may be kept. The positions
  /// are those of the links, if the cell is a collection.
  func replace(_ row: ObjectLink, in cell: Cell, at positions: [Int], keepingFirst: Bool) throws {
    let location = try transaction.location(of: cell)
    let replaced = positions.dropFirst(keepingFirst ? 1 : 0)
    switch location.type.shape {
    case .single:
      if !keepingFirst { try transaction.set(.link(try copy(row)), cell) }
    case .list:
      for position in replaced { try transaction.replace(at: position, with: .link(try copy(row)), inList: cell) }
    case .dictionary:
      for position in replaced {
        guard let key = transaction.working.collection(cell)?.key(ofEntryAt: position) else { continue }
        try transaction.set(.link(try copy(row)), forKey: key, inDictionary: cell)
      }
    case .set:
      throw transaction.error(.ownership, "is a set, which cannot hold embedded objects", at: location, of: cell.key)
    }
  }

  /// Makes a row with the values of another, and with copies of the rows that it owns.
  private func copy(_ row: ObjectLink) throws -> ObjectLink {
    try transaction.checkKeys(for: 1, in: row.table)
    let made = ObjectLink(row.table, try transaction.insertRow(in: row.table, primaryKey: nil) { _ in })
    var work = [(from: row, to: made)]
    while let (from, to) = work.popLast() {
      guard let table = transaction.working[from.table], let (cluster, slot) = table.find(from.key) else { continue }
      let schema = table.schema
      for (leaf, column) in schema.columns.enumerated() {
        let cell = Cell(to.table, to.key, column.key)
        if column.type.shape == .single {
          let value = cluster.leaves[leaf].value(at: slot, as: column.type)
          if let part = try put(value, in: cell, at: .value, { try transaction.set(value, cell) }) { work.append(part) }
          continue
        }
        guard let contents = cluster.leaves[leaf].values.collection(at: slot) else { continue }
        for position in 0..<contents.count {
          let value = contents.value(at: position, as: column.type)
          let key = contents.key(ofEntryAt: position)
          let part = try put(value, in: cell, at: key.map { .entry($0) } ?? .inserted(at: position)) {
            switch column.type.shape {
            case .list: try transaction.append(value, toList: cell)
            case .set: _ = try transaction.insert(value, inSet: cell)
            default: try transaction.set(value, forKey: key ?? "", inDictionary: cell)
            }
          }
          if let part { work.append(part) }
        }
      }
    }
    return made
  }

  /// Stores a value in a cell. An owned row gets a row of its own there, still unset.
  ///
  /// - Returns: the owned row and the new one, to be copied later.
  private func put(
    _ value: Value, in cell: Cell, at position: OwnedPosition, _ store: () throws -> Void
  ) throws -> (from: ObjectLink, to: ObjectLink)? {
    assert(transaction.contains(cell.object), "A part is put into a row that exists.")
    guard case .link(let link) = value, transaction.isOwning(value) else {
      try store()
      return nil
    }
    return (link, ObjectLink(link.table, try transaction.createOwned(in: link.table, by: cell, position)))
  }
}
