import FiefGraph

/// A version of the kernel's tables, filled as a workload wants it.
///
/// It is a value: every measurement can begin from the same one, and what a transaction does to its working copy is
/// done beside a base that is held, as it is in a store. The first change of each part copies it, in the figures too.
struct KernelStore {
  /// The version.
  var graph: Graph
  let tables: KernelTables

  init(_ graph: Graph, _ tables: KernelTables) {
    self.graph = graph
    self.tables = tables
  }

  /// The tables, without rows.
  init() throws {
    let transaction = Transaction(.empty)
    tables = try KernelTables(in: transaction)
    graph = transaction.graph
  }

  /// The tables with `dogs` dogs, and `persons` persons who have nothing yet.
  init(dogs: Int, persons: Int = 0) throws {
    try self.init()
    let names = Dogs.names(dogs)
    try write { transaction, tables in
      try tables.addDogs(names, transaction)
      for id in 0..<persons { try tables.addPerson(id, transaction) }
    }
    // Workloads name rows by their numbers.
    try expect(table(tables.dog.table).nextKey, Int64(dogs), "keys of dogs")
    try expect(table(tables.person.table).nextKey, Int64(persons), "keys of persons")
  }

  /// Does `body` in one transaction from this version, and goes on with what it made.
  @inline(__always)
  mutating func write(_ body: (Transaction, KernelTables) throws -> Void) rethrows {
    let transaction = Transaction(graph)
    try body(transaction, tables)
    graph = transaction.graph
  }

  func table(_ key: TableKey) -> Table {
    guard let table = graph[key] else { fatalError("A workload asks for a table that it did not declare.") }
    return table
  }

  /// A column: its table, and its place among the leaves of the table's clusters.
  func column(_ column: ColumnKey, of key: TableKey) -> (table: Table, leaf: Int) {
    let table = table(key)
    guard let leaf = table.schema.leaf(of: column) else {
      fatalError("A workload asks for a column that it did not declare.")
    }
    return (table, leaf)
  }

  /// The column of the dogs' ages.
  var agesOfDogs: (table: Table, leaf: Int) { column(tables.dog.age, of: tables.dog.table) }

  /// The sum of the ages of all dogs.
  var sumOfAges: Int {
    let (table, leaf) = agesOfDogs
    return table.sum(leaf: leaf)
  }

  // MARK: Checks

  /// Throws unless the table has as many rows as it must; where it is small enough, the whole graph is proved sound.
  func check(_ table: TableKey, has count: Int) throws {
    let table = self.table(table)
    try expect(table.count, count, "rows of \(table.schema.name)")
    if graph.allTables.reduce(0, { $0 + $1.count }) <= 20_000 {
      try expect(graph.checkInvariants(), [], "faults in the graph")
    }
  }

  /// Throws unless the ages of all dogs have the right sum.
  func checkAges(_ sum: Int) throws {
    try expect(sumOfAges, sum, "sum of ages")
  }
}
