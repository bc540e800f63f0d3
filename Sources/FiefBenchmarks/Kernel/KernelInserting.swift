import FiefGraph

// Inserting rows.

extension Workload {
  static let kernelInserting = [
    Workload(
      "kernel_insert_row",
      "N rows of (String, Int) created in one transaction, which is published and dropped; one op is a row."
    ) { run in
      let names = Dogs.names(run.n)
      try run.time(fresh: KernelStore.init) { store in
        let transaction = Transaction(store.graph)
        try store.tables.addDogs(names, transaction)
        store.graph = transaction.graph
        return run.n
      } check: { store in
        try store.check(store.tables.dog.table, has: run.n)
        try store.checkAges(Dogs.sumOfAges(run.n))
      }
    },
    Workload(
      "kernel_insert_row_pk",
      "N rows of (Int, String, Int), the first being the primary key, created in one transaction; one op is a row."
    ) { run in
      let names = Dogs.names(run.n)
      try run.time(fresh: KernelStore.init) { store in
        let transaction = Transaction(store.graph)
        try addKeyedDogs(names, to: store.tables.keyedDog, in: transaction)
        store.graph = transaction.graph
        return run.n
      } check: { store in
        let dog = store.tables.keyedDog
        try store.check(dog.table, has: run.n)
        let (table, leaf) = store.column(dog.age, of: dog.table)
        try expect(table.sum(leaf: leaf), Dogs.sumOfAges(run.n), as: "sum of ages")
        let last = table.find(primaryKey: .int(Int64(run.n - 1)))
        try expect(last, ObjectKey(Int64(run.n - 1)), as: "the row of the last primary key")
      }
    },
  ]

  private static func addKeyedDogs(
    _ names: [String], to dog: KernelTables.KeyedDog, in transaction: Transaction
  ) throws {
    for (number, text) in names.enumerated() {
      try transaction.create(in: dog.table, primaryKey: .int(Int64(number))) { row in
        try row.set(text, dog.name)
        try row.set(Int64(Dogs.age(number)), dog.age)
      }
    }
  }
}
