package import FiefGraph
internal import FiefRuntime

/// Copies a row of another store, and all rows that it reaches, without a plan.
///
///     look    rows are visited in the order of the planner; nothing is written
///                rows      0: Person #7 → #0    1: Dog #3 → #0    2: Address #9 → #0    source key → key of the copy
///                targets   –, 1, 2                                  the targets of the links, one after another
///     make    each row with its scalars and links, leaf by leaf; then its backlinks
///
/// Anything unusual ends the look without a change, and the planner copies the row instead. Examples are a class that
/// differs between the two stores, a primary key that exists already, an any-value that is a link, and a nonempty map
/// of links. If cycles are refused, a row that is reached twice is unusual too.
///
/// There is no recursion, and each row costs two dozen bytes during the copy. No application code runs meanwhile, so
/// the source rows do not change.
package final class RowCopier {
  private struct Row {
    let key: ObjectKey
    let newKey: ObjectKey
    let route: Int
  }

  @safe @exclusivity(unchecked) private var routes: ContiguousArray<CopyRoute> = []
  @safe @exclusivity(unchecked) private var rows: ContiguousArray<Row> = []
  @safe @exclusivity(unchecked) private var targets: ContiguousArray<Int32> = []
  @safe @exclusivity(unchecked) private var known = RowNumbers()

  /// A copier without routes.
  package init() {}

  /// Copies a row.
  ///
  /// - Parameters:
  ///   - key: the row's key.
  ///   - source: the row's class in its store.
  ///   - other: the view that shows the row, of another store than the one that is written to.
  ///   - target: the class in the store that is written to.
  ///   - refusesSharing: whether a row that is reached twice is unusual.
  /// - Returns: the key of the copy; nil when anything is unusual, and nothing was changed.
  package func copy(
    _ key: ObjectKey, _ source: RowClass, _ other: any RowReader, to target: RowClass, _ transaction: Transaction,
    refusesSharing: Bool
  ) throws -> ObjectKey? {
    assert(rows.isEmpty && targets.isEmpty, "A copier begins empty.")
    defer { removeAll() }
    guard let route = route(source, target), inspect(key, route, other, transaction, refusesSharing) else { return nil }
    try make(other, transaction)
    return rows[0].newKey
  }

  private func removeAll() {
    let isSmall = rows.count < 4096 && targets.count < 4096
    rows.removeAll(keepingCapacity: isSmall)
    targets.removeAll(keepingCapacity: isSmall)
    known.removeAll()
    for route in routes {
      route.nextKey = nil
      route.chunk = -1
      route.cluster = nil
    }
    if routes.count > 64 { routes = [] }
  }

  /// The index of the route between two classes; nil when there is no such route.
  private func route(_ source: RowClass, _ target: RowClass) -> Int? {
    if let known = routes.firstIndex(where: { $0.source === source && $0.target === target }) { return known }
    guard let route = CopyRoute(source, target) else { return nil }
    routes.append(route)
    return routes.count - 1
  }

  // MARK: Looking

  private func inspect(
    _ key: ObjectKey, _ route: Int, _ other: any RowReader, _ transaction: Transaction, _ refusesSharing: Bool
  ) -> Bool {
    guard insert(key, route, transaction) else { return false }
    _ = known.number(of: key.rawValue, route, orTake: 0)
    var next = 0
    while next < rows.count {
      guard inspect(at: rows[next], other, transaction, refusesSharing) else { return false }
      next &+= 1
    }
    // A table that runs out of keys would end the copy halfway.
    return routes.allSatisfy { $0.nextKey.map { Transaction.mayGiveOut(keysBelow: $0) } ?? true }
  }

  /// Adds a row to the copy.
  @inline(__always)
  private func insert(_ key: ObjectKey, _ number: Int, _ transaction: Transaction) -> Bool {
    assert(routes.indices.contains(number), "A row has a route.")
    let route = routes[number]
    guard rows.count < Int(Int32.max), let newKey = route.nextKey ?? firstKey(of: route, transaction) else {
      return false
    }
    route.nextKey = ObjectKey(newKey.rawValue + 1)
    rows.append(Row(key: key, newKey: newKey, route: number))
    return true
  }

  /// The key of the first row that is made through a route. Nil when another route makes rows in that table, since two
  /// classes may share a table.
  private func firstKey(of route: CopyRoute, _ transaction: Transaction) -> ObjectKey? {
    assert(route.nextKey == nil, "The first key is asked for once.")
    for other in routes where other.nextKey != nil && other.target.table == route.target.table { return nil }
    return transaction.nextKey(of: route.target.table)
  }

  private func inspect(at row: Row, _ other: any RowReader, _ transaction: Transaction, _ refusesSharing: Bool) -> Bool
  {
    let route = routes[row.route]
    guard let cluster = cluster(row, route, other) else { return false }
    return cluster.with { cluster in
      guard let slot = cluster.slot(ofBit: row.key.bit) else { return false }
      if route.keyLeaf >= 0 {
        let value = cluster[leaf: route.keyLeaf].value(at: slot, as: route.keyType)
        if transaction.find(primaryKey: value, in: route.target.table) != nil { return false }
      }
      for join in 0..<route.joins.count {
        switch route.joins[join].kind {
        case .link, .owned:
          guard let target = cluster[leaf: route.joins[join].from].load(Int64.self, at: slot) else {
            targets.append(-1)
            continue
          }
          guard reach(ObjectKey(target), route, join, other, transaction, refusesSharing) else { return false }
        case .list:
          guard let contents = cluster[leaf: route.joins[join].from].values.collection(at: slot) else {
            targets.append(0)
            continue
          }
          targets.append(Int32(truncatingIfNeeded: contents.count))
          let isReached = contents.forEachTarget { reach($0, route, join, other, transaction, refusesSharing) }
          guard isReached == true else { return false }
        case .scalars: break
        case .any:
          if cluster[leaf: route.joins[join].from].value(at: slot, as: ColumnType(.any)).linked != nil { return false }
        case .other: if cluster[leaf: route.joins[join].from].values.collection(at: slot) != nil { return false }
        }
      }
      return true
    }
  }

  /// Records the target of a link.
  @inline(__always)
  private func reach(
    _ key: ObjectKey, _ route: CopyRoute, _ join: Int, _ other: any RowReader, _ transaction: Transaction,
    _ refusesSharing: Bool
  ) -> Bool {
    if route.joins[join].route < 0 {
      guard let found = lead(route, join, other) else { return false }
      route.joins[join].route = found
    }
    let next = route.joins[join].route
    assert(next >= 0 && routes[next].target.table == route.target.target(route.joins[join].number).table)
    // An owned row has one owner, so it is reached once.
    if route.joins[join].kind != .owned, let known = known.number(of: key.rawValue, next, orTake: rows.count) {
      targets.append(Int32(truncatingIfNeeded: known))
      return !refusesSharing
    }
    targets.append(Int32(truncatingIfNeeded: rows.count))
    return insert(key, next, transaction)
  }

  /// The index of the route for the target class of a property.
  private func lead(_ route: CopyRoute, _ join: Int, _ other: any RowReader) -> Int? {
    let number = route.joins[join].number
    guard let table = route.source.all[number].type.target, let source = other.rowClass(of: table) else { return nil }
    return self.route(source, route.target.target(number))
  }

  @inline(__always)
  private func cluster(_ row: Row, _ route: CopyRoute, _ other: any RowReader) -> Borrowed<Cluster>? {
    if route.chunk != row.key.chunk {
      route.cluster = other.cluster(route.source.table, row.key.chunk)
      route.chunk = row.key.chunk
    }
    return route.cluster
  }

  // MARK: Making

  private func make(_ other: any RowReader, _ transaction: Transaction) throws {
    var target = 0
    for index in rows.indices {
      let row = rows[index]
      let route = routes[row.route]
      guard let cluster = cluster(row, route, other) else { continue }
      try cluster.with { cluster in
        guard let slot = cluster.slot(ofBit: row.key.bit) else { return }
        let primaryKey =
          route.keyLeaf < 0 ? nil : cluster[leaf: route.keyLeaf].value(at: slot, as: route.keyType)
        let first = target
        let made = try transaction.insertRow(route.target.table, primaryKey) { new in
          target = first
          fill(new, route, cluster, slot, &target)
        }
        precondition(made == row.newKey, "A row was given another key than the next one.")
        note(row, route, first, transaction)
      }
    }
    assert(target == targets.count, "Each target belongs to a row.")
  }

  /// Writes the scalars and links of a new row.
  @inline(__always)
  private func fill(_ new: NewRow, _ route: CopyRoute, _ cluster: Cluster, _ slot: Int, _ next: inout Int) {
    assert(next <= targets.count, "The targets of a row were recorded.")
    for number in 0..<route.scalars.count {
      new.copy(leaf: route.scalars[number].to, from: cluster, leaf: route.scalars[number].from, slot: slot)
    }
    for join in 0..<route.joins.count {
      let (from, to) = (route.joins[join].from, route.joins[join].to)
      switch route.joins[join].kind {
      case .link, .owned:
        if targets[next] >= 0 { new.storeLink(rows[Int(targets[next])].newKey, leaf: to) }
        next &+= 1
      case .list:
        let range = next &+ 1..<next &+ 1 &+ Int(targets[next])
        if !range.isEmpty {
          var keys = ContiguousArray<Int64>()
          keys.reserveCapacity(range.count)
          for target in range { keys.append(rows[Int(targets[target])].newKey.rawValue) }
          new.storeLinks(keys, leaf: to)
        }
        next = range.upperBound
      case .scalars:
        if let contents = cluster[leaf: from].values.collection(at: slot) { new.storeCopy(of: contents, leaf: to) }
      case .any: new.copy(leaf: to, from: cluster, leaf: from, slot: slot)
      case .other: break
      }
    }
  }

  /// Records the backlinks for a row's links.
  @inline(__always)
  private func note(_ row: Row, _ route: CopyRoute, _ first: Int, _ transaction: Transaction) {
    assert(first <= targets.count, "The targets of a row were recorded.")
    var next = first
    for join in 0..<route.joins.count {
      var count = 1
      switch route.joins[join].kind {
      case .link, .owned: break
      case .list:
        count = Int(targets[next])
        next &+= 1
      case .scalars, .any, .other: continue
      }
      let cell = Cell(route.target.table, row.newKey, route.joins[join].column)
      for index in next..<next &+ count where targets[index] >= 0 {
        let target = rows[Int(targets[index])]
        transaction.noteStoredLink(cell, to: ObjectLink(routes[target.route].target.table, target.newKey))
      }
      next &+= count
    }
  }
}
