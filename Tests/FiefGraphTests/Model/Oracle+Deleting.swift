import FiefGraph

// The rows that a delete affects.

extension Oracle {
  /// The rows that a delete of `roots` deletes, including the roots; throws if a rule denies it.
  func doomed(by roots: some Sequence<ObjectLink>) throws -> Set<ObjectLink> {
    var doomed: Set<ObjectLink> = []
    var newcomers = Set(roots.filter(contains))
    while !newcomers.isEmpty {
      doomed.formUnion(newcomers)
      var next: Set<ObjectLink> = []
      for row in newcomers { next.formUnion(taken(by: row, .cascade)) }
      newcomers = next.subtracting(doomed)
    }
    for row in doomed where !doomed.isSuperset(of: taken(by: row, .deny)) { throw Refusal(.deleteDenied) }
    return doomed
  }

  /// The targets that the row owns or cascades to, or the targets that deny its delete.
  private func taken(by row: ObjectLink, _ rule: DeleteRule) -> [ObjectLink] {
    guard let table = self[row.table], let cells = table.rows[row.key.rawValue] else { return [] }
    var taken: [ObjectLink] = []
    for column in table.columns {
      guard let contents = cells[column.key.rawValue] else { continue }
      for link in Oracle.links(contents) {
        if isOwned(link) ? rule == .cascade : column.deleteRule == rule { taken.append(link) }
      }
    }
    return taken
  }

  /// Removes rows and every reference to them.
  mutating func erase(_ doomed: Set<ObjectLink>) {
    if doomed.isEmpty { return }
    for row in doomed { tables[Int(row.table.rawValue)]?.rows[row.key.rawValue] = nil }
    var touched: Set<Cell> = []
    forEachLink { if doomed.contains($1) { touched.insert($0) } }
    for cell in touched {
      guard let contents = self.cell(cell) else { continue }
      func isGone(_ value: Value) -> Bool { value.linked.map(doomed.contains) ?? false }
      switch contents {
      case .single: put(.single(.null), cell)
      case .list(let values): put(.list(values.filter { !isGone($0) }), cell)
      case .set(let values): put(.set(values.filter { !isGone($0) }), cell)
      case .dictionary(let entries):
        put(.dictionary(entries.map { ($0.key, isGone($0.value) ? .null : $0.value) }), cell)
      }
    }
  }

  mutating func delete(_ row: ObjectLink) throws {
    guard contains(row) else { throw Refusal(.missingObject) }
    erase(try doomed(by: [row]))
  }

  mutating func delete(_ rows: [ObjectLink]) throws { erase(try doomed(by: rows)) }

  mutating func clear(_ keys: [TableKey]) throws {
    var all: [ObjectLink] = []
    for key in keys {
      guard let table = self[key] else { throw Refusal(.missingObject) }
      all += table.rows.keys.map { ObjectLink(key, ObjectKey($0)) }
    }
    erase(try doomed(by: all))
  }

  /// Replaces the contents of a cell; rows that it no longer owns are deleted.
  mutating func exchange(_ cell: Cell, _ contents: ModelCell) throws {
    let old = self.cell(cell).map(Oracle.links) ?? []
    let new = Set(Oracle.links(contents))
    let gone = try doomed(by: old.filter { isOwned($0) && !new.contains($0) })
    put(contents, cell)
    erase(gone)
  }
}
