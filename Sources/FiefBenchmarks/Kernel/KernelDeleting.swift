import FiefGraph

// Deleting rows and the rows that they own.

extension Workload {
  static let kernelDeleting = [
    Workload(
      "kernel_delete_half",
      "Those of N dogs that are younger than 10 deleted as one operation; one op is a deleted row."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let young = (0..<run.n).filter { Dogs.age($0) < 10 }
      let links = young.map { ObjectLink(store.tables.dog.table, ObjectKey(Int64($0))) }
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, _ in try transaction.delete(links) }
        return links.count
      } check: { changed in
        try changed.check(store.tables.dog.table, has: run.n - links.count)
        try changed.checkAges(Dogs.sumOfAges(run.n) - young.reduce(0) { $0 + Dogs.age($1) })
      }
    },
    Workload(
      "kernel_delete_cascade",
      "Every second of N/10 persons, each of whom owns an embedded address, deleted as one operation; one op is a "
        + "person."
    ) { run in
      let store = try KernelStore.withAddresses(run.tenth)
      let links = stride(from: 0, to: run.tenth, by: 2).map {
        ObjectLink(store.tables.person.table, ObjectKey(Int64($0)))
      }
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, _ in try transaction.delete(links) }
        return links.count
      } check: { changed in
        try changed.check(store.tables.person.table, has: run.tenth - links.count)
        try changed.check(store.tables.address.table, has: run.tenth - links.count)
      }
    },
    Workload(
      "kernel_chain_owned",
      "A chain of N embedded rows, each owned by the one before, made and then deleted by its root; one op is a row."
    ) { run in
      try run.time(fresh: KernelStore.init) { store in
        let transaction = Transaction(store.graph)
        let root = try makeChain(of: run.n, store.tables, transaction)
        store.graph = transaction.graph
        try store.check(store.tables.node.table, has: run.n)
        try transaction.delete(root)
        store.graph = transaction.graph
        return run.n
      } check: { store in
        try store.check(store.tables.chain.table, has: 0)
        try store.check(store.tables.node.table, has: 0)
      }
    },
  ]

  private static func makeChain(
    of count: Int, _ tables: KernelTables, _ transaction: Transaction
  ) throws -> ObjectLink {
    let root = ObjectLink(tables.chain.table, try transaction.create(in: tables.chain.table))
    var owner = Cell(root.table, root.key, tables.chain.first)
    for number in 0..<count {
      let node = try transaction.createOwned(in: tables.node.table, by: owner, .value) { row in
        try row.set(Int64(number), tables.node.number)
      }
      owner = Cell(tables.node.table, node, tables.node.next)
    }
    return root
  }
}

extension KernelStore {
  /// Persons with one address each.
  fileprivate static func withAddresses(_ persons: Int) throws -> KernelStore {
    var store = try KernelStore(dogs: 0, persons: persons)
    let address = store.tables.address
    try store.write { transaction, tables in
      for person in 0..<persons {
        let cell = tables.person(person, tables.person.address)
        try transaction.createOwned(in: address.table, by: cell, .value) { row in
          try row.set("street\(person)", address.street)
        }
      }
    }
    return store
  }
}
