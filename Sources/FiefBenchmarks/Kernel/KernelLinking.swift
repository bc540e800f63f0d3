import FiefGraph

// Links between two rows, and their backlinks.

extension Workload {
  static let kernelLinking = [
    Workload(
      "kernel_set_link", "Each of N/10 persons linked to a random dog among N, in one transaction; one op is a link."
    ) { run in
      let store = try KernelStore(dogs: run.n, persons: run.tenth)
      let dogs = Random.numbers(run.tenth, below: run.n, seed: 5)
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, tables in
          for (person, dog) in dogs.enumerated() {
            try transaction.set(tables.dog(dog), tables.person(person, tables.person.dog))
          }
        }
        return run.tenth
      } check: { changed in
        try changed.check(store.tables.person.table, has: run.tenth)
        for (person, dog) in dogs.enumerated() {
          let link = changed.graph.value(store.tables.person(person, store.tables.person.dog))
          try expect(link, store.tables.dog(dog), as: "the dog of person \(person)")
        }
        try expect(changed.countOfOwners(of: 0..<run.n), run.tenth, as: "backlinks")
      }
    },
    Workload(
      "kernel_hub_link_unlink",
      "N/10 persons linked to one dog, then unlinked in random order, in one transaction; one op is a link or an "
        + "unlink."
    ) { run in
      let store = try KernelStore(dogs: run.n, persons: run.tenth)
      let (hub, order) = (run.n / 2, Random.order(run.tenth, seed: 6))
      try run.time(fresh: { store }) { changed in
        let transaction = Transaction(changed.graph)
        let dog = store.tables.person.dog
        for person in 0..<run.tenth { try transaction.set(store.tables.dog(hub), store.tables.person(person, dog)) }
        changed.graph = transaction.graph
        try expect(changed.countOfOwners(of: hub..<hub + 1), run.tenth, as: "links to the one dog")
        for person in order { try transaction.set(.null, store.tables.person(person, dog)) }
        changed.graph = transaction.graph
        return 2 * run.tenth
      } check: { changed in
        try changed.check(store.tables.person.table, has: run.tenth)
        try expect(changed.countOfOwners(of: 0..<run.n), 0, as: "backlinks")
      }
    },
    Workload(
      "kernel_backlink_count", "How many persons link to a dog, for 100000 dogs in turn; one op is a count."
    ) { run in
      var store = try KernelStore(dogs: run.n, persons: run.tenth)
      let dogs = Random.numbers(run.tenth, below: run.n, seed: 7)
      try store.write { transaction, tables in
        for (person, dog) in dogs.enumerated() {
          try transaction.set(tables.dog(dog), tables.person(person, tables.person.dog))
        }
      }
      let reads = min(100_000, run.n)
      let known = dogs.count { $0 < reads }
      try run.time {
        try expect(store.countOfOwners(of: 0..<reads), known, as: "backlinks")
        return reads
      }
    },
  ]
}

extension KernelStore {
  /// The number of persons whose `dog` is one of the dogs.
  @inline(never)
  fileprivate func countOfOwners(of dogs: Range<Int>) -> Int {
    let table = table(tables.dog.table)
    var count = 0
    for dog in dogs {
      count += table.backlinks(to: ObjectKey(Int64(dog)), from: tables.person.table, tables.person.dog)?.count ?? 0
    }
    return count
  }
}
