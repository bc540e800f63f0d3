import FiefGraph

/// The differences that are looked at while observers are told, each found once.
final class Differences {
  private var known: [Pair: Difference] = [:]
  private var made: [ObjectIdentifier: (owner: AnyObject, value: Any)] = [:]

  private struct Pair: Hashable {
    let old: UInt64
    let new: UInt64
  }

  /// The difference of two published versions of one store.
  func between(_ old: Graph, _ new: Graph) -> Difference {
    let pair = Pair(old: old.version, new: new.version)
    if let known = known[pair] { return known }
    let made = Difference(old, new)
    known[pair] = made
    return made
  }

  /// What several observers of one thing need of the version that they are told now, worked out for the first of them.
  func once<Value>(for owner: AnyObject, _ make: () -> Value) -> Value {
    if let known = made[ObjectIdentifier(owner)]?.value as? Value { return known }
    let value = make()
    made[ObjectIdentifier(owner)] = (owner, value)
    return value
  }
}

/// What differs between two versions, as observers ask for it.
///
/// Everything is found from what changed, backwards along the links that lead to it; so it costs what changed and who
/// refers to that, however large the store is.
final class Difference {
  let old: Graph
  let new: Graph
  private let delta: Delta
  private let tables: [TableKey: TableDelta]
  private var deep: [TableKey: Set<ObjectKey>] = [:]
  private var followed: [ObservedPath: Set<ObjectKey>] = [:]

  init(_ old: Graph, _ new: Graph) {
    self.old = old
    self.new = new
    delta = Delta(from: old, to: new)
    tables = Dictionary(delta.tables.map { ($0.table, $0) }) { first, _ in first }
  }

  /// Whether nothing differs.
  var isEmpty: Bool { delta.isEmpty }

  /// What differs in a table.
  func changes(of table: TableKey) -> TableDelta? { tables[table] }

  /// What differs in a cell; nil when nothing does, or the row is new or gone.
  func change(of cell: Cell) -> CellChange? {
    guard let column = tables[cell.table]?.updated.first(where: { $0.column == cell.column }) else { return nil }
    var (low, high) = (0, column.cells.count)
    while low < high {
      let middle = (low + high) / 2
      if column.cells[middle].key < cell.key { low = middle + 1 } else { high = middle }
    }
    return low < column.cells.count && column.cells[low].key == cell.key ? column.cells[low].change : nil
  }

  /// Whether a cell differs, or a collection that is kept elsewhere on its behalf.
  func isChanged(_ cell: Cell) -> Bool { change(of: cell) != nil || nestedOwners.contains(cell) }

  /// The rows of a table that differ in a column, or hold a collection there that is kept elsewhere and differs.
  func rows(of table: TableKey, changedIn column: ColumnKey) -> Set<ObjectKey> {
    var rows: Set<ObjectKey> = []
    if let changed = tables[table]?.updated.first(where: { $0.column == column }) {
      for cell in changed.cells { rows.insert(cell.key) }
    }
    for owner in nestedOwners where owner.table == table && owner.column == column { rows.insert(owner.key) }
    return rows
  }

  /// The cells that own, over any number of steps, collections inside any-values in which something differs.
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

  /// How many links are followed from an object to find out whether what it reaches has changed.
  static let depth = 4

  /// The rows of a table, present before and after, that differ or reach, over at most `depth` links, rows that do.
  func rowsReachingChanges(in table: TableKey) -> Set<ObjectKey> {
    if let known = deep[table] { return known }
    // The tables from which so many links can lead here, by the number of links that are left.
    var reach: [Set<TableKey>] = [[table]]
    for _ in 0..<Self.depth {
      var next = reach[reach.count - 1]
      for table in next { next.formUnion(targets(of: table)) }
      reach.append(next)
    }
    var found: Set<ObjectLink> = []
    var frontier: Set<ObjectLink> = []
    for changed in tables.values where reach[Self.depth].contains(changed.table) {
      for column in changed.updated {
        for cell in column.cells { frontier.insert(ObjectLink(changed.table, cell.key)) }
      }
    }
    for level in stride(from: Self.depth, through: 0, by: -1) {
      // Collections inside any-values are part of their owners.
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
    deep[table] = rows
    return rows
  }

  /// The rows, and for collections inside any-values the rows that hold them.
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

  /// The tables that a table can link to; any table, when it has any-values.
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

  /// The rows of the path's class, present before and after, for which something on the path differs.
  func rows(changedOn path: ObservedPath) -> Set<ObjectKey> {
    if let known = followed[path] { return known }
    var rows: Set<ObjectKey> = []
    for step in path.steps.reversed() { rows = sources(of: rows, step).union(changed(step)) }
    followed[path] = rows
    return rows
  }

  /// The rows whose own value of the step differs.
  private func changed(_ step: ObservedPath.Step) -> Set<ObjectKey> {
    switch step {
    case .property(let table, let column): return rows(of: table, changedIn: column)
    case .backlinks(_, let origin, let column):
      // The targets that rows of the origin have gained or lost.
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
        for link in before where !after.contains(link) { rows.insert(link.key) }
        for link in after where !before.contains(link) { rows.insert(link.key) }
      }
      return rows
    }
  }

  /// The rows from which a step leads to one of `targets`.
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
        for link in new.links(in: Cell(origin, key, column)) { rows.insert(link.key) }
      }
    }
    return rows
  }
}

extension Graph {
  /// The rows that a cell links to; none when there is no such row.
  func links(in cell: Cell) -> Set<ObjectLink> {
    guard let table = self[cell.table], let leaf = table.schema.leaf(of: cell.column) else { return [] }
    let type = table.schema.columns[leaf].type
    if !type.isCollection { return value(cell)?.linked.map { [$0] } ?? [] }
    var links: Set<ObjectLink> = []
    collection(cell)?.forEach(as: type) { value in
      if let link = value.linked { links.insert(link) }
      return true
    }
    return links
  }
}
