import FiefGraph

/// A version of the kernel's tables with the rows that a workload needs.
///
/// It is a value, so every measurement can begin with the same one. The base version is held while a transaction
/// changes its working copy, as in a store. The figures therefore include the copy on the first write to each part.
struct KernelStore {
  /// The version.
  var graph: Graph
  let tables: KernelTables

  init(_ graph: Graph, _ tables: KernelTables) {
    self.graph = graph
    self.tables = tables
  }

  /// The tables without rows.
  init() throws {
    let transaction = Transaction(.empty)
    tables = try KernelTables(in: transaction)
    graph = transaction.graph
  }

  /// The tables with `dogs` dogs, and `persons` persons without dogs.
  init(dogs: Int, persons: Int = 0) throws {
    try self.init()
    let names = Dogs.names(dogs)
    try write { transaction, tables in
      try tables.addDogs(names, transaction)
      for id in 0..<persons { try tables.addPerson(id, transaction) }
    }
    // Workloads identify rows by their numbers.
    try expect(table(tables.dog.table).nextKey, Int64(dogs), as: "keys of dogs")
    try expect(table(tables.person.table).nextKey, Int64(persons), as: "keys of persons")
  }

  /// Runs `body` in a transaction on this version, which is then replaced by the result.
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

  /// A column: its table, and the index of its leaf in the table's clusters.
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

  /// Throws unless the table has the given number of rows. Small graphs are also checked for violated invariants.
  func check(_ table: TableKey, has count: Int) throws {
    let table = self.table(table)
    try expect(table.count, count, as: "rows of \(table.schema.name)")
    if graph.allTables.reduce(0, { $0 + $1.count }) <= 20_000 {
      try expect(graph.checkInvariants(), [], as: "faults in the graph")
    }
  }

  /// Throws unless the ages of all dogs have the given sum.
  func checkAges(_ sum: Int) throws {
    try expect(sumOfAges, sum, as: "sum of ages")
  }
}
