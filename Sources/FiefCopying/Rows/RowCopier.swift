package import FiefGraph
internal import FiefRuntime

/// Copies a row of another store, and all rows that it reaches, without a plan.
///
///     inspect    rows are visited in the order of the planner; nothing is written
///                  rows     0: Person #7 → #0    1: Dog #3 → #0    2: Address #9 → #0    source key → key of the copy
///                  links    0.dogs → 1    0.address → 2
///     make       each row with its values and links, leaf by leaf; then all backlinks
///
/// Anything unusual ends the inspection without a change, and the planner copies the row instead. Examples are a class
/// that differs between the two stores, a primary key that exists already or has to be handed out, an any-value that is
/// a link, and a nonempty map of links. If cycles are refused, a row that is reached twice is unusual too.
///
/// There is no recursion. No application code runs meanwhile, so the source rows do not change.
package final class RowCopier {
  private struct Row {
    let route: Int
    let cluster: Borrowed<Cluster>
    let slot: Int
    let newKey: ObjectKey
  }

  /// A link, by the numbers of its row, its column and the row of its target.
  private struct Link {
    let row: Int32
    let column: Int32
    let target: Int32
  }

  @safe @exclusivity(unchecked) private var routes: ContiguousArray<CopyRoute> = []
  @safe @exclusivity(unchecked) private var rows: ContiguousArray<Row> = []
  @safe @exclusivity(unchecked) private var links: ContiguousArray<Link> = []
  /// The numbers of the rows that were reached.
  @safe @exclusivity(unchecked) private var numbers: [ObjectLink: Int32] = [:]

  package init() {}

  /// Copies a row.
  ///
  /// - Parameters:
  ///   - key: the row's key.
  ///   - source: the row's class in its store.
  ///   - reader: the view that shows the row, of another store than the one that is written to.
  ///   - target: the class in the store that is written to.
  ///   - refusesSharing: whether a row that is reached twice is unusual.
  /// - Returns: the key of the copy; nil when anything is unusual, and nothing was changed.
  package func copy(
    _ key: ObjectKey, of source: RowClass, in reader: any RowReader, to target: RowClass,
    transaction: Transaction, refusesSharing: Bool
  ) throws -> ObjectKey? {
    assert(rows.isEmpty && links.isEmpty, "A copier begins empty.")
    defer { removeAll() }
    guard let route = route(from: source, to: target),
      enter(key, by: route, in: reader, transaction: transaction) != nil
    else { return nil }
    var next = 0
    while next < rows.count {
      guard inspect(next, in: reader, transaction: transaction, refusesSharing: refusesSharing) else { return nil }
      next &+= 1
    }
    // A table that runs out of keys would end the copy halfway.
    guard routes.allSatisfy({ $0.nextKey.map(Transaction.mayGiveOut(keysBelow:)) ?? true }) else { return nil }
    try make(transaction)
    return rows[0].newKey
  }

  private func removeAll() {
    let isSmall = rows.count < 4096 && links.count < 4096
    rows.removeAll(keepingCapacity: isSmall)
    links.removeAll(keepingCapacity: isSmall)
    numbers.removeAll(keepingCapacity: numbers.capacity <= 64)
    for route in routes { route.nextKey = nil }
    if routes.count > 64 { routes = [] }
  }

  /// The number of the route between two classes; nil when there is no such route.
  private func route(from source: RowClass, to target: RowClass) -> Int? {
    if let known = routes.firstIndex(where: { $0.source === source && $0.target === target }) { return known }
    guard let route = CopyRoute(source, target) else { return nil }
    routes.append(route)
    return routes.count - 1
  }

  // MARK: Inspecting

  /// The number of a row, which is added when it is reached for the first time; nil when it is unusual.
  @inline(__always)
  private func enter(
    _ key: ObjectKey, by number: Int, in reader: any RowReader, transaction: Transaction
  ) -> (row: Int32, isKnown: Bool)? {
    let route = routes[number]
    let row = Int32(truncatingIfNeeded: rows.count)
    let known = numbers[ObjectLink(route.source.table, key), inserting: row]
    if known != row { return (known, true) }
    guard rows.count < Int(Int32.max), let newKey = route.nextKey ?? firstKey(of: route, transaction: transaction),
      let cluster = reader.cluster(route.source.table, key.chunk),
      let slot = cluster.with({ $0.slot(ofBit: key.bit) })
    else { return nil }
    route.nextKey = ObjectKey(newKey.rawValue + 1)
    rows.append(Row(route: number, cluster: cluster, slot: slot, newKey: newKey))
    return (row, false)
  }

  /// The key of the first row that is made through a route. Nil when another route makes rows in that table, since two
  /// classes may share a table.
  private func firstKey(of route: CopyRoute, transaction: Transaction) -> ObjectKey? {
    assert(route.nextKey == nil, "The first key is asked for once.")
    for other in routes where other.nextKey != nil && other.target.table == route.target.table { return nil }
    return transaction.nextKey(of: route.target.table)
  }

  /// Enters the targets of a row.
  ///
  /// - Returns: false when anything is unusual.
  private func inspect(
    _ number: Int, in reader: any RowReader, transaction: Transaction, refusesSharing: Bool
  ) -> Bool {
    let row = rows[number]
    let route = routes[row.route]
    return row.cluster.with { cluster in
      for column in route.columns.indices {
        @inline(__always)
        func enterTarget(_ key: ObjectKey) -> Bool {
          guard let next = route.columns[column].next ?? follow(column, of: route, in: reader),
            let (target, isKnown) = enter(key, by: next, in: reader, transaction: transaction)
          else { return false }
          links.append(
            Link(row: Int32(truncatingIfNeeded: number), column: Int32(truncatingIfNeeded: column), target: target))
          return !(isKnown && refusesSharing)
        }
        let leaf = route.columns[column].from
        switch route.columns[column].kind {
        case .scalar, .collection: break
        case .primaryKey:
          let key = cluster[leaf: leaf].value(at: row.slot, as: route.columns[column].property.type)
          // The store hands out a key for it.
          if route.columns[column].property.isIncreasing && key == .int(0) { return false }
          if transaction.find(primaryKey: key, in: route.target.table) != nil { return false }
        case .link:
          if let target = cluster[leaf: leaf].load(Int64.self, at: row.slot), !enterTarget(ObjectKey(target)) {
            return false
          }
        case .list:
          guard let contents = cluster[leaf: leaf].values.collection(at: row.slot) else { continue }
          numbers.reserveCapacity(numbers.count + contents.count)
          guard contents.forEachTarget(enterTarget) == true else { return false }
        case .any: if cluster[leaf: leaf].value(at: row.slot, as: ColumnType(.any)).linked != nil { return false }
        case .other: if cluster[leaf: leaf].values.collection(at: row.slot) != nil { return false }
        }
      }
      return true
    }
  }

  /// The number of the route for the class to which a column links.
  private func follow(_ column: Int, of route: CopyRoute, in reader: any RowReader) -> Int? {
    let number = route.columns[column].property.number
    guard let table = route.source.all[number].type.target, let source = reader.rowClass(of: table) else { return nil }
    let next = self.route(from: source, to: route.target.target(number))
    route.columns[column].next = next
    return next
  }

  // MARK: Making

  private func make(_ transaction: Transaction) throws {
    var next = 0
    for (number, row) in rows.enumerated() {
      let route = routes[row.route]
      let made = try row.cluster.with { cluster in
        let key = route.source.keyProperty.map {
          cluster[leaf: route.source.leaf($0.number)].value(at: row.slot, as: $0.type)
        }
        return try transaction.insertRow(in: route.target.table, primaryKey: key) { new in
          fill(new, of: number, from: cluster, slot: row.slot, nextLink: &next)
        }
      }
      precondition(made == row.newKey, "A row was given another key than the next one.")
    }
    assert(next == links.count, "Each link belongs to a row.")
    for link in links {
      let (row, target) = (rows[Int(link.row)], rows[Int(link.target)])
      let route = routes[row.route]
      transaction.noteStoredLink(
        Cell(route.target.table, row.newKey, route.columns[Int(link.column)].property.column),
        to: ObjectLink(routes[target.route].target.table, target.newKey))
    }
  }

  /// Writes the cells of a new row.
  @inline(__always)
  private func fill(_ new: NewRow, of number: Int, from cluster: Cluster, slot: Int, nextLink next: inout Int) {
    let route = routes[rows[number].route]
    for column in 0..<route.columns.count {
      let (from, to) = (route.columns[column].from, route.columns[column].to)
      switch route.columns[column].kind {
      case .primaryKey, .other: break
      case .scalar, .any: new.copy(leaf: to, from: cluster, leaf: from, slot: slot)
      case .collection:
        if let contents = cluster[leaf: from].values.collection(at: slot) { new.storeCopy(of: contents, leaf: to) }
      case .link, .list:
        let first = next
        while next < links.count, links[next].row == number, links[next].column == column { next &+= 1 }
        if next == first { break }
        if route.columns[column].kind == .link {
          new.storeLink(rows[Int(links[first].target)].newKey, leaf: to)
        } else {
          let keys = links[first..<next].lazy.map { self.rows[Int($0.target)].newKey.rawValue }
          new.storeLinks(ContiguousArray(keys), leaf: to)
        }
      }
    }
  }
}

extension Dictionary {
  /// The value of a key, after inserting one if necessary.
  fileprivate subscript(key: Key, inserting value: Value) -> Value {
    mutating get {
      func read(_ entry: inout Value) -> Value { entry }
      return read(&self[key, default: value])
    }
  }
}
