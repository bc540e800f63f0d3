import FiefGraph

// One long list of links.

extension Workload {
  static let kernelListing = [
    Workload(
      "kernel_list_append", "N dogs appended to the list of one person, in one transaction; one op is an append."
    ) { run in
      let store = try KernelStore(dogs: run.n, persons: 1)
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, tables in
          for dog in 0..<run.n { try transaction.append(tables.dog(dog), toList: tables.list) }
        }
        return run.n
      } check: { changed in
        try changed.checkList(count: run.n, sumOfAges: Dogs.sumOfAges(run.n))
      }
    },
    Workload(
      "kernel_list_read", "A list of N dogs gone through, reading the age of each; one op is an element."
    ) { run in
      let store = try KernelStore.withList(run.n)
      let known = Dogs.sumOfAges(run.n)
      try run.time {
        try expect(store.sumOfList(), known, as: "sum of ages")
        return run.n
      }
    },
    Workload(
      "kernel_list_insert_front",
      "20000 dogs put in at the front of a list of N, in one transaction; one op is an insertion."
    ) { run in
      let store = try KernelStore.withList(run.n)
      let dogs = Random.numbers(20_000, below: run.n, seed: 8)
      let known = dogs.reduce(Dogs.sumOfAges(run.n)) { $0 + Dogs.age($1) }
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, tables in
          for dog in dogs { try transaction.insert(tables.dog(dog), at: 0, inList: tables.list) }
        }
        return dogs.count
      } check: { changed in
        try changed.checkList(count: run.n + dogs.count, sumOfAges: known)
        try expect(changed.elements[0], Int64(dogs[dogs.count - 1]), as: "the first of the list")
      }
    },
    Workload(
      "kernel_list_move", "20000 random moves in a list of N dogs, in one transaction; one op is a move."
    ) { run in
      let store = try KernelStore.withList(run.n)
      let from = Random.numbers(20_000, below: run.n, seed: 9)
      let to = Random.numbers(20_000, below: run.n, seed: 10)
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, tables in
          for (source, target) in zip(from, to) {
            try transaction.move(from: source, to: target, inList: tables.list)
          }
        }
        return from.count
      } check: { changed in
        try changed.checkList(count: run.n, sumOfAges: Dogs.sumOfAges(run.n))
        // Undoing all moves, the last first, must restore the original list.
        var undone = changed
        try undone.write { transaction, tables in
          for (source, target) in zip(from, to).reversed() {
            try transaction.move(from: target, to: source, inList: tables.list)
          }
        }
        try expect(undone.graph == store.graph, true, as: "the list is as it was")
      }
    },
  ]
}

extension KernelStore {
  /// N dogs, and one person whose list contains all of them.
  fileprivate static func withList(_ n: Int) throws -> KernelStore {
    var store = try KernelStore(dogs: n, persons: 1)
    try store.write { transaction, tables in
      try transaction.insert(contentsOf: (0..<n).map(tables.dog(_:)), at: 0, inList: tables.list)
    }
    return store
  }

  /// The keys in the list.
  fileprivate var elements: OrderedTree<Int64> {
    guard let list = graph.collection(tables.list) as? StoredElements<Int64> else {
      fatalError("The list is not there.")
    }
    return list.elements
  }

  /// The sum of the ages of the dogs in the list.
  @inline(never)
  fileprivate func sumOfList() -> Int {
    let (table, leaf) = agesOfDogs
    var sum: Int64 = 0
    for key in elements { sum &+= table.load(Int64.self, ObjectKey(key), leaf: leaf) ?? 0 }
    return Int(sum)
  }

  fileprivate func checkList(count: Int, sumOfAges: Int) throws {
    try check(tables.person.table, has: 1)
    try expect(elements.count, count, as: "elements of the list")
    try expect(sumOfList(), sumOfAges, as: "sum of ages")
  }
}
