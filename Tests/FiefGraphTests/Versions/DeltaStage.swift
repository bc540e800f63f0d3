import FiefGraph
import FiefTestSupport

/// A small graph for tests of deltas, with a cell of every shape, a primary key, a unique value, shared and owned rows.
///
///     Row    #0  small 1000, ratio 0, list 0 1 2 3 4, set 1 2 3, map a: 1 b: 2      #1  nothing set
///     Keyed  #0  id 'a', mail 1        #1  id 'b', mail 2
///     Person #0  dog ──▶ Rex, dogs ──▶ Rex, Pal, any ──▶ [1], anyMap k ──▶ Keyed #0,
///                home ──▶ Address #0 ──▶ Address #1
///     Person #1  homes ──▶ Address #2
struct DeltaStage {
  let kennel: Kennel
  let rows: TableKey
  let keyed: TableKey

  let small: ColumnKey
  let ratio: ColumnKey
  let text: ColumnKey
  let list: ColumnKey
  let set: ColumnKey
  let map: ColumnKey
  let id: ColumnKey
  let mail: ColumnKey

  /// The first row of any table.
  let first = ObjectKey(0)
  /// The second row of any table.
  let second = ObjectKey(1)

  var graph: Graph { kennel.graph }

  /// Makes the tables without rows.
  ///
  /// - Parameter rowKind: The kind of the table `Row`; `fill()` requires an ordinary one.
  init(emptyWith rowKind: TableKind) throws {
    kennel = try Kennel()
    let t = kennel.transaction
    rows = try t.addTable("Row", kind: rowKind)
    small = try t.addColumn(to: rows, "small", ColumnType(.int, width: .bits16))
    ratio = try t.addColumn(to: rows, "ratio", ColumnType(.double))
    text = try t.addColumn(to: rows, "text", ColumnType(.string, isOptional: true))
    list = try t.addColumn(to: rows, "list", ColumnType(.int, shape: .list))
    set = try t.addColumn(to: rows, "set", ColumnType(.int, shape: .set))
    map = try t.addColumn(to: rows, "map", ColumnType(.int, shape: .dictionary))
    keyed = try t.addTable("Keyed")
    id = try t.addColumn(to: keyed, "id", ColumnType(.string))
    mail = try t.addColumn(to: keyed, "mail", ColumnType(.int, isOptional: true))
    try t.setPrimaryKey(id, of: keyed)
    try t.addIndex(IndexDefinition([mail], isUnique: true), to: keyed)
  }

  init() throws {
    try self.init(emptyWith: .ordinary)
    try fill()
  }

  private func fill() throws {
    let t = kennel.transaction
    for _ in 0..<2 { try t.create(in: rows) }
    try t.set(Int64(1000), cell(small))
    try t.insert(contentsOf: (0..<5).map(Value.int), at: 0, inList: cell(list))
    try t.formUnion((1...3).map(Value.int), inSet: cell(set))
    try t.set(.int(1), forKey: "a", inDictionary: cell(map))
    try t.set(.int(2), forKey: "b", inDictionary: cell(map))
    try t.create(in: keyed, primaryKey: .string("a")) { try $0.set(Int64(1), mail) }
    try t.create(in: keyed, primaryKey: .string("b")) { try $0.set(Int64(2), mail) }
    let (ann, bob) = (try kennel.person(), try kennel.person())
    let (rex, pal) = (try kennel.newDog("Rex"), try kennel.newDog("Pal"))
    try t.set(.link(rex), kennel.cell(ann, kennel.dog))
    try t.insert(contentsOf: [.link(rex), .link(pal)], at: 0, inList: kennel.cell(ann, kennel.dogList))
    try t.append(.int(1), toList: kennel.nestedList(kennel.cell(ann, kennel.any)))
    try t.set(.link(ObjectLink(keyed, first)), forKey: "k", inDictionary: kennel.cell(ann, kennel.anyMap))
    let outer = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
    try t.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, outer, kennel.inner), .value)
    try t.createOwned(in: kennel.addresses, by: kennel.cell(bob, kennel.homes), .inserted(at: 0))
  }

  /// A cell of the first row of `Row`.
  func cell(_ column: ColumnKey) -> Cell { Cell(rows, first, column) }

  /// The graph after `change`.
  func changed(_ change: (Transaction) throws -> Void) throws -> Graph {
    let transaction = Transaction(graph)
    try change(transaction)
    return transaction.graph
  }

  /// The delta of `change`.
  func delta(_ change: (Transaction) throws -> Void) throws -> Delta { Delta(from: graph, to: try changed(change)) }
}

extension Delta {
  /// The contents of the delta, one line each, with the names of tables and columns in `graph`.
  func lines(_ graph: Graph) -> [String] {
    var lines = schema == nil ? [] : ["schema"]
    for table in tables {
      let facts = graph[table.table]?.schema
      let name = facts?.name ?? "\(table.table)"
      lines.append("\(name): next \(table.nextKey)")
      for gone in table.deleted {
        gone.rows.forEach { lines.append("\(name): - \(ObjectKey(chunk: gone.chunk, bit: $0))") }
      }
      for come in table.inserted {
        for slot in 0..<come.rows.live.count {
          let cells = (facts?.columns ?? []).enumerated().map { leaf, column in
            "\(column.name) \(come.rows[leaf: leaf].text(slot, column.type))"
          }
          let key = ObjectKey(chunk: come.chunk, bit: come.rows.bit(ofSlot: slot))
          lines.append("\(name): + \(key) \(cells.joined(separator: ", "))")
        }
      }
      for column in table.updated {
        let path = "\(name).\(facts?.column(column.column)?.name ?? "\(column.column)")"
        lines += column.cells.map { "\(path) \($0.key): \($0.change.text)" }
      }
    }
    return lines
  }
}

extension CellChange {
  fileprivate var text: String {
    switch self {
    case .value(let value): "\(value)"
    case .list(let splices): splices.map { "\($0.range) \($0.values)" }.joined(separator: ", ")
    case .set(let removed, let inserted): "-\(removed) +\(inserted)"
    case .dictionary(let removed, let set): "-\(removed) +\(set.map { "\($0.key): \($0.value)" })"
    }
  }
}

extension Leaf {
  fileprivate func text(_ slot: Int, _ type: ColumnType) -> String {
    guard type.isCollection else { return "\(value(at: slot, as: type))" }
    var elements: [Value] = []
    values.collection(at: slot)?.forEach(as: type) {
      elements.append($0)
      return true
    }
    return "\(elements)"
  }
}
