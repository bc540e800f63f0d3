import FiefGraph

/// Builds a sound graph from rows of which some are missing.
///
///     rows as they were in whole blocks ──▶ top-level rows         created again, with new keys: plain values
///                                       ──▶ links and collections  those that lead to an existing row
///                                       ──▶ owned rows             created in their owners' cells, with a work list
///
/// Every row goes through the operations that an application uses, so the result is sound. Data that these operations
/// refuse is counted and left out. Owned rows whose owner is missing are never reached, and so are left out too.
struct Salvage {
  /// A row of the damaged store.
  private struct Row {
    let schema: TableSchema
    let cluster: Cluster
    let slot: Int

    /// A single value; null if the form of the column's leaf differs from the schema.
    func value(_ leaf: Int) -> Value {
      if case .collection = cluster[leaf: leaf].values { return .null }
      return cluster[leaf: leaf].value(at: slot, as: schema.columns[leaf].type)
    }
  }

  /// The graph of the saved rows.
  var graph: Graph { transaction.graph }
  /// How many rows were left out.
  private(set) var lostRows = 0
  /// How many links led to missing rows.
  private(set) var lostLinks = 0

  private let transaction = Transaction(.empty)
  private let schema: Schema
  private var clusters: [TableKey: [Int64: Cluster]] = [:]
  private var made: [ObjectLink: ObjectLink] = [:]
  private var work: [(row: Row, made: ObjectLink)] = []

  /// Saves as many rows of `delta`, which has a schema, as possible.
  ///
  /// - Throws: `GraphError` when the schema is invalid.
  init(_ delta: Delta) throws {
    try transaction.apply(Delta(schema: delta.schema))
    schema = transaction.graph.schema
    var count = 0
    for table in delta.tables {
      for rows in table.inserted {
        clusters[table.table, default: [:]][rows.chunk] = rows.rows
        count += rows.rows.count
      }
    }
    for table in delta.tables {
      guard let facts = schema.table(table.table), facts.kind != .embedded else { continue }
      for rows in table.inserted where rows.rows.leafCount == facts.columns.count {
        for slot in 0..<rows.rows.count {
          let old = ObjectLink(table.table, ObjectKey(chunk: rows.chunk, bit: rows.rows.bit(ofSlot: slot)))
          make(Row(schema: facts, cluster: rows.rows, slot: slot), old)
        }
      }
    }
    while let (row, made) = work.popLast() { connect(row, made) }
    lostRows = count - made.count
  }

  /// Creates a row that has no owner.
  private mutating func make(_ row: Row, _ old: ObjectLink) {
    let primaryKey = row.schema.primaryKey.flatMap { row.schema.leaf(of: $0) }
    guard
      let key = try? transaction.create(
        in: row.schema.key, primaryKey: primaryKey.map(row.value), { try fill($0, row, except: primaryKey) })
    else { return }
    note(row, from: old, to: ObjectLink(row.schema.key, key))
  }

  private mutating func note(_ row: Row, from old: ObjectLink, to new: ObjectLink) {
    made[old] = new
    work.append((row, new))
  }

  /// Sets the plain values of a new row.
  private func fill(_ new: NewRow, _ row: Row, except primaryKey: Int?) throws {
    for (leaf, column) in row.schema.columns.enumerated() where leaf != primaryKey && !column.type.isCollection {
      let value = row.value(leaf)
      if case .link = value { continue }
      if !value.isNull { try new.set(value, column.key) }
    }
  }

  /// Sets the links and collections of a new row.
  private mutating func connect(_ row: Row, _ new: ObjectLink) {
    for (leaf, column) in row.schema.columns.enumerated() {
      let cell = Cell(new.table, new.key, column.key)
      guard column.type.isCollection else {
        if case .link(let target) = row.value(leaf) { put(.link(target), in: cell, at: .value) }
        continue
      }
      guard case .collection(let collections) = row.cluster[leaf: leaf].values, let collection = collections[row.slot],
        collection.shape == column.type.shape
      else { continue }
      if let dictionary = collection as? StoredDictionary {
        for entry in dictionary.entries { put(entry.value, in: cell, at: .entry(entry.key)) }
      } else {
        for position in 0..<collection.count {
          let value = collection.value(at: position, as: column.type)
          if column.type.shape == .set {
            putInSet(value, cell)
          } else {
            put(value, in: cell, at: .inserted(at: transaction.count(of: cell)))
          }
        }
      }
    }
  }

  /// Stores a value at a position. A link is changed to the new row of its target; an owned target is created here.
  private mutating func put(_ value: Value, in cell: Cell, at position: OwnedPosition) {
    var value = value
    if case .link(let old) = value {
      if isOwned(old) { return makeOwned(old, in: cell, at: position) }
      guard let new = made[old] else {
        lostLinks += 1
        return
      }
      value = .link(new)
    }
    do {
      switch position {
      case .value: try transaction.set(value, cell)
      case .inserted(let position), .element(let position): try transaction.insert(value, at: position, inList: cell)
      case .entry(let key): try transaction.set(value, forKey: key, inDictionary: cell)
      }
    } catch {
      lostLinks += 1
    }
  }

  private mutating func putInSet(_ value: Value, _ cell: Cell) {
    var value = value
    if case .link(let old) = value {
      guard let new = made[old] else {
        lostLinks += 1
        return
      }
      value = .link(new)
    }
    if (try? transaction.insert(value, inSet: cell)) == nil { lostLinks += 1 }
  }

  private func isOwned(_ link: ObjectLink) -> Bool { schema.table(link.table)?.kind == .embedded }

  /// Creates a row in its owner's cell.
  private mutating func makeOwned(_ old: ObjectLink, in cell: Cell, at position: OwnedPosition) {
    guard let cluster = clusters[old.table]?[old.key.chunk], let slot = cluster.slot(ofBit: old.key.bit),
      let schema = schema.table(old.table), cluster.leafCount == schema.columns.count, made[old] == nil
    else {
      lostLinks += 1
      return
    }
    let row = Row(schema: schema, cluster: cluster, slot: slot)
    guard
      let key = try? transaction.createOwned(in: old.table, by: cell, position, { try fill($0, row, except: nil) })
    else {
      lostLinks += 1
      return
    }
    note(row, from: old, to: ObjectLink(old.table, key))
  }
}
