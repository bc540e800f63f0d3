import FiefGraph
import FiefValues

/// A small graph with everything that a delta can speak of, and names for its parts.
///
///     Person ── name, age (optional), tags (set), notes (dictionary), numbers (list), anything
///            ── pet, pets (list), friends (set), team (dictionary) ──▶ Dog
///            ══ home, rooms (list), places (dictionary) ══▶ Address ══ inner ══▶ Address
///     Dog    ── id (primary key), name (indexed), chip (unique, optional)
///     Log    ── asymmetric: text
///
/// Persons #0 … #3 and dogs #0 … #3 (ids 0 … 3, chips 10 … 13, the last without one). Person #0 holds some of everything:
/// pet and pets lead to dog #0 and #1; home is address #0 with address #1 inside; room #2; anything is a list with a link
/// to dog #2. Person #1 owns address #3 as home.
struct Household {
  let graph: Graph

  init() throws {
    let transaction = Transaction(.empty)
    let people = try transaction.addTable("Person")
    let dogs = try transaction.addTable("Dog")
    let addresses = try transaction.addTable("Address", kind: .embedded)
    let logs = try transaction.addTable("Log", kind: .asymmetric)
    try transaction.addColumn(to: people, "name", ColumnType(.string))
    try transaction.addColumn(to: people, "age", ColumnType(.int, isOptional: true, width: .bits8))
    try transaction.addColumn(to: people, "tags", ColumnType(.string, shape: .set))
    try transaction.addColumn(to: people, "notes", ColumnType(.string, shape: .dictionary, isOptional: true))
    try transaction.addColumn(to: people, "numbers", ColumnType(.int, shape: .list))
    try transaction.addColumn(to: people, "anything", ColumnType(.any))
    try transaction.addColumn(to: people, "pet", .link(to: dogs))
    try transaction.addColumn(to: people, "pets", .link(to: dogs, shape: .list))
    try transaction.addColumn(to: people, "friends", .link(to: dogs, shape: .set))
    try transaction.addColumn(to: people, "team", .link(to: dogs, shape: .dictionary))
    try transaction.addColumn(to: people, "home", .link(to: addresses))
    try transaction.addColumn(to: people, "rooms", .link(to: addresses, shape: .list))
    try transaction.addColumn(to: people, "places", .link(to: addresses, shape: .dictionary))
    let id = try transaction.addColumn(to: dogs, "id", ColumnType(.int))
    let dogName = try transaction.addColumn(to: dogs, "name", ColumnType(.string))
    let chip = try transaction.addColumn(to: dogs, "chip", ColumnType(.int, isOptional: true))
    try transaction.setPrimaryKey(id, of: dogs)
    try transaction.addIndex(IndexDefinition([dogName]), to: dogs)
    try transaction.addIndex(IndexDefinition([chip], isUnique: true), to: dogs)
    try transaction.addColumn(to: addresses, "street", ColumnType(.string))
    try transaction.addColumn(to: addresses, "inner", .link(to: addresses))
    try transaction.addColumn(to: logs, "text", ColumnType(.string))
    let house = Household(graph: transaction.graph)
    for number in 0..<Int64(4) {
      try transaction.create(in: dogs, primaryKey: .int(number)) { row in
        try row.set("dog \(number)", dogName)
        try row.set(number == 3 ? nil : number + 10, chip)
      }
      let key = try transaction.create(in: people)
      try transaction.set("person \(number)", house.cell("Person.name", key.rawValue))
    }
    try transaction.create(in: logs)
    try transaction.set(30 as Int64, house.cell("Person.age", 0))
    for tag in ["a", "b"] { try transaction.insert(.string(tag), inSet: house.cell("Person.tags", 0)) }
    try transaction.set(.string("n"), forKey: "k", inDictionary: house.cell("Person.notes", 0))
    try transaction.set(.null, forKey: "z", inDictionary: house.cell("Person.notes", 0))
    for number in 0..<Int64(5) { try transaction.append(.int(number), toList: house.cell("Person.numbers", 0)) }
    try transaction.set(house.link("Dog", 0), house.cell("Person.pet", 0))
    for number in [0, 1, 0] as [Int64] {
      try transaction.append(house.link("Dog", number), toList: house.cell("Person.pets", 0))
    }
    try transaction.insert(house.link("Dog", 1), inSet: house.cell("Person.friends", 0))
    try transaction.set(house.link("Dog", 1), forKey: "first", inDictionary: house.cell("Person.team", 0))
    try transaction.createOwned(in: addresses, by: house.cell("Person.home", 0), .value)
    try transaction.createOwned(in: addresses, by: house.cell("Address.inner", 0), .value)
    try transaction.createOwned(in: addresses, by: house.cell("Person.rooms", 0), .inserted(at: 0))
    try transaction.createOwned(in: addresses, by: house.cell("Person.home", 1), .value)
    let list = try transaction.createOwned(in: .nestedLists, by: house.cell("Person.anything", 0), .value)
    try transaction.append(house.link("Dog", 2), toList: Cell(.nestedLists, list, .nestedElements))
    graph = transaction.graph
  }

  private init(graph: Graph) { self.graph = graph }

  /// The table of that name.
  func table(_ name: String) -> TableKey {
    guard let key = graph.table(named: name)?.schema.key else { fatalError("There is no '\(name)'.") }
    return key
  }

  /// The column that is called `Person.name` and the like.
  func column(_ path: String) -> ColumnKey { cell(path, 0).column }

  /// A cell of row `key` in the column that is called `Person.name` and the like.
  func cell(_ path: String, _ key: Int64) -> Cell {
    let parts = path.split(separator: ".").map(String.init)
    guard let schema = graph.table(named: parts[0])?.schema, let column = schema.column(named: parts[1]) else {
      fatalError("There is no '\(path)'.")
    }
    return Cell(schema.key, ObjectKey(key), column.key)
  }

  func link(_ table: String, _ key: Int64) -> Value { .link(ObjectLink(self.table(table), ObjectKey(key))) }

  /// A delta that says one thing about one table, and its next key as it is.
  func delta(_ table: String, _ change: (inout TableDelta) -> Void = { _ in }) -> Delta {
    let key = self.table(table)
    var delta = TableDelta(table: key, nextKey: graph[key]?.nextKey ?? 0)
    change(&delta)
    return Delta(tables: [delta])
  }

  /// A delta that changes cells.
  func delta(_ changes: [(path: String, key: Int64, change: CellChange)]) -> Delta {
    var delta = Delta()
    for (path, key, change) in changes {
      let cell = cell(path, key)
      var table = TableDelta(table: cell.table, nextKey: graph[cell.table]?.nextKey ?? 0)
      table.updated.append(ColumnDelta(column: cell.column, cells: [(ObjectKey(key), change)]))
      delta.tables.append(table)
    }
    return delta
  }

  /// A delta that changes one cell.
  func delta(_ path: String, _ key: Int64, _ change: CellChange) -> Delta { delta([(path, key, change)]) }
}
