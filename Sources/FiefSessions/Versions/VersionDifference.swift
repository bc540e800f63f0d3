import FiefGraph

/// The difference between two versions, with the queries that observers need.
///
/// The search starts at the changed rows and follows links backwards to the rows that refer to them. Its cost grows
/// with the changes and their referrers, not with the size of the store.
package final class VersionDifference {
  package let old: Graph
  package let new: Graph
  private let delta: Delta
  private let tables: [TableKey: TableDelta]
  private var deep: [TableKey: Set<ObjectKey>] = [:]
  private var whole: [TableKey: Set<ObjectKey>] = [:]
  private var byPath: [ObservedPath: Set<ObjectKey>] = [:]

  package init(_ old: Graph, _ new: Graph) {
    self.old = old
    self.new = new
    assert(old.version <= new.version, "A difference leads to a later version.")
    delta = Delta(from: old, to: new)
    tables = Dictionary(delta.tables.map { ($0.table, $0) }) { first, _ in first }
  }

  /// Whether the two versions are equal.
  package var isEmpty: Bool { delta.isEmpty }

  /// The tables that changed.
  var changedTables: [TableDelta] { delta.tables }

  /// Returns the changes of a table; nil when it is unchanged.
  package func changes(of table: TableKey) -> TableDelta? { tables[table] }

  /// Returns the change of a cell; nil when the cell is unchanged, or its row was inserted or deleted.
  package func change(of cell: Cell) -> CellChange? {
    tables[cell.table]?.updated.first { $0.column == cell.column }.flatMap { Self.change(of: cell.key, in: $0) }
  }

  private static func change(of key: ObjectKey, in column: ColumnDelta) -> CellChange? {
    var (low, high) = (0, column.cells.count)
    while low < high {
      let middle = (low + high) / 2
      if column.cells[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < column.cells.count && column.cells[low].key == key ? column.cells[low].change : nil
  }

  /// Whether a cell changed, or a collection nested in its any-value.
  package func isChanged(_ cell: Cell) -> Bool { change(of: cell) != nil || nestedOwners.contains(cell) }

  /// Whether a cell of a row may have changed. Most of the rows that did not change are known not to have.
  package func mayBeChanged(_ row: ObjectLink) -> Bool {
    !nestedOwners.isEmpty
      || tables[row.table]?.updated.contains { Self.change(of: row.key, in: $0) != nil } ?? false
  }

  /// Returns the rows of a table whose cell in a column changed, or owns a nested collection that changed.
  package func rows(of table: TableKey, changedIn column: ColumnKey) -> Set<ObjectKey> {
    assert(!table.isNested, "Nested collections are part of the cells that own them.")
    var rows: Set<ObjectKey> = []
    if let changed = tables[table]?.updated.first(where: { $0.column == column }) {
      for cell in changed.cells { rows.insert(cell.key) }
    }
    for owner in nestedOwners where owner.table == table && owner.column == column { rows.insert(owner.key) }
    return rows
  }

  /// The cells that own a changed collection inside an any-value, directly or through other nested collections.
  private lazy var nestedOwners: Set<Cell> = {
    var owners: Set<Cell> = []
    var seen: Set<ObjectLink> = []
    for table in [TableKey.nestedLists, .nestedDictionaries] {
      for column in tables[table]?.updated ?? [] {
        for cell in column.cells {
          var link = ObjectLink(table, cell.key)
          while seen.insert(link).inserted, let owner = new.owner(of: link) {
            if !owner.table.isNested {
              owners.insert(owner)
              break
            }
            link = owner.object
          }
        }
      }
    }
    return owners
  }()

  // MARK: Without key paths

  /// The number of links that are followed from an object to find changes.
  static let depth = 4

  /// Returns the rows of a table that changed, or that reach a changed row over at most `depth` links. The result may
  /// contain rows that were inserted since the old version.
  package func rowsReachingChanges(in table: TableKey) -> Set<ObjectKey> {
    if let known = deep[table] { return known }
    // `reach[n]` holds the tables that at most n links lead to from `table`.
    var reach: [Set<TableKey>] = [[table]]
    for _ in 0..<Self.depth {
      var next = reach[reach.count - 1]
      for table in next { next.formUnion(targets(of: table)) }
      reach.append(next)
    }
    var found: Set<ObjectLink> = []
    var frontier: Set<ObjectLink> = []
    // A collection inside an any-value is no link away from its owner, whose table may be among the last ones.
    for changed in tables.values where changed.table.isNested || reach[Self.depth].contains(changed.table) {
      for column in changed.updated {
        for cell in column.cells { frontier.insert(ObjectLink(changed.table, cell.key)) }
      }
    }
    for level in stride(from: Self.depth, through: 0, by: -1) {
      // A collection inside an any-value is part of its owner.
      frontier = withOwners(frontier)
      found.formUnion(frontier)
      if level == 0 { break }
      var next: Set<ObjectLink> = []
      for link in frontier {
        guard let target = new[link.table] else { continue }
        for incoming in target.incoming where incoming.origin.isNested || reach[level - 1].contains(incoming.origin) {
          incoming.bag(of: link.key)?.forEach { key in
            let source = ObjectLink(incoming.origin, key)
            if !found.contains(source) { next.insert(source) }
          }
        }
      }
      frontier = next
    }
    let rows = Set(found.lazy.filter { $0.table == table }.map(\.key))
    assert(!tables.isEmpty || rows.isEmpty, "Equal versions have no changed rows.")
    deep[table] = rows
    return rows
  }

  /// Returns the rows of `rowsReachingChanges(in:)`, and those of which a part changed, however deep it is embedded.
  package func rowsShowingChanges(in table: TableKey) -> Set<ObjectKey> {
    if let known = whole[table] { return known }
    let rows = rowsReachingChanges(in: table).union(ownersOfChanges[table] ?? [])
    whole[table] = rows
    return rows
  }

  /// The rows that own a changed row, directly or through others.
  private lazy var ownersOfChanges: [TableKey: Set<ObjectKey>] = {
    var owners: [TableKey: Set<ObjectKey>] = [:]
    for changed in tables.values where changed.table.isNested || new[changed.table]?.schema.kind == .embedded {
      for cell in changed.updated.lazy.flatMap(\.cells) {
        var link = ObjectLink(changed.table, cell.key)
        while let owner = new.owner(of: link), owners[owner.table, default: []].insert(owner.key).inserted {
          link = owner.object
        }
      }
    }
    return owners
  }()

  /// Adds the owners of the rows that are collections inside any-values.
  private func withOwners(_ rows: Set<ObjectLink>) -> Set<ObjectLink> {
    var result = rows
    for row in rows where row.table.isNested {
      var link = row
      while link.table.isNested, let owner = new.owner(of: link), result.insert(owner.object).inserted {
        link = owner.object
      }
    }
    return result
  }

  /// Returns the tables that a table can link to. A table with any-values can link to every table.
  private func targets(of table: TableKey) -> Set<TableKey> {
    guard let schema = new[table]?.schema else { return [] }
    var targets: Set<TableKey> = []
    for column in schema.columns {
      if column.type.kind == .any {
        return Set(new.allTables.map(\.schema.key))
      }
      if let target = column.type.target { targets.insert(target) }
    }
    return targets
  }

  // MARK: With key paths

  /// Returns the rows of the path's class for which a value on the path changed. The result may contain rows that exist
  /// in only one of the two versions.
  package func rows(changedOn path: ObservedPath) -> Set<ObjectKey> {
    assert(!path.steps.isEmpty, "A path has a property at its end.")
    if let known = byPath[path] { return known }
    var rows: Set<ObjectKey> = []
    for step in path.steps.reversed() { rows = sources(of: rows, step).union(changed(step)) }
    byPath[path] = rows
    return rows
  }

  /// Returns the rows whose own value at this step changed.
  private func changed(_ step: ObservedPath.Step) -> Set<ObjectKey> {
    switch step {
    case .property(let table, let column): return rows(of: table, changedIn: column)
    case .backlinks(_, let origin, let column):
      // The targets of links that rows of the origin gained or lost.
      var touched = rows(of: origin, changedIn: column)
      if let changes = tables[origin] {
        for part in changes.inserted {
          part.rows.live.forEach { touched.insert(ObjectKey(chunk: part.chunk, bit: $0)) }
        }
        for part in changes.deleted {
          part.rows.forEach { touched.insert(ObjectKey(chunk: part.chunk, bit: $0)) }
        }
      }
      var rows: Set<ObjectKey> = []
      for key in touched {
        let cell = Cell(origin, key, column)
        let (before, after) = (old.links(in: cell), new.links(in: cell))
        // The same object may have several links to a row, each of which is a linking object.
        for (link, count) in before where after[link] != count { rows.insert(link.key) }
        for link in after.keys where before[link] == nil { rows.insert(link.key) }
      }
      return rows
    }
  }

  /// Returns the rows from which a step leads to one of `targets`.
  private func sources(of targets: Set<ObjectKey>, _ step: ObservedPath.Step) -> Set<ObjectKey> {
    var rows: Set<ObjectKey> = []
    if targets.isEmpty { return rows }
    switch step {
    case .property(let table, let column):
      guard let target = new[table]?.schema.column(column)?.type.target, let incoming = new[target]?.incoming else {
        return rows
      }
      for incoming in incoming where incoming.origin == table && incoming.column == column {
        for key in targets { incoming.bag(of: key)?.forEach { rows.insert($0) } }
      }
    case .backlinks(_, let origin, let column):
      for key in targets {
        for link in new.links(in: Cell(origin, key, column)).keys { rows.insert(link.key) }
      }
    }
    return rows
  }
}

/// The cells on the way from the rows of one table, over links, to a value.
package struct ObservedPath: Hashable {
  /// One property on the way.
  package enum Step: Hashable {
    /// The cells of a column.
    case property(TableKey, ColumnKey)
    /// The links that lead from the cells of a column of another table to a row.
    case backlinks(TableKey, origin: TableKey, ColumnKey)
  }

  package let steps: [Step]

  package init(_ steps: [Step]) {
    assert(!steps.isEmpty, "A path has a property at its end.")
    self.steps = steps
  }
}

extension Graph {
  /// Returns the rows that a cell links to, and how often it links to each; empty when the row does not exist.
  func links(in cell: Cell) -> [ObjectLink: Int] {
    guard let table = self[cell.table], let leaf = table.schema.leaf(of: cell.column) else { return [:] }
    let type = table.schema.columns[leaf].type
    if !type.isCollection { return value(cell)?.linked.map { [$0: 1] } ?? [:] }
    var links: [ObjectLink: Int] = [:]
    collection(cell)?.forEach(as: type) { value in
      if let link = value.linked { links[link, default: 0] += 1 }
      return true
    }
    return links
  }
}
