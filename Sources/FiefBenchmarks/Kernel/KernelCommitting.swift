import FiefGraph

// Whole transactions that change one row each.

extension Workload {
  static let kernelCommitting = [
    Workload(
      "kernel_txn_one_row",
      "20000 transactions, each begun from the latest of N dogs, setting one age and published; the version before is "
        + "dropped. One op is a transaction."
    ) { run in
      let changes = AgeChanges(run.n)
      try run.time(fresh: { PublishedStore(try KernelStore(dogs: run.n)) }) { store in
        try changes.commit(to: store) { _, _ in }
        return changes.count
      } check: { store in
        try changes.check(store)
      }
    },
    Workload("kernel_txn_one_row_pinned", "The same while the first version is held, and read at the end.") { run in
      let changes = AgeChanges(run.n)
      let first = try KernelStore(dogs: run.n)
      try run.time(fresh: { PublishedStore(first) }) { store in
        try changes.commit(to: store) { _, _ in }
        return changes.count
      } check: { store in
        try changes.check(store)
        try first.checkAges(Dogs.sumOfAges(run.n))
      }
    },
    Workload(
      "kernel_txn_with_delta",
      "The same with the first version held, and with the delta of every two versions, as a journal or a notification "
        + "needs it."
    ) { run in
      let changes = AgeChanges(run.n)
      let first = try KernelStore(dogs: run.n)
      try run.time(fresh: { PublishedStore(first) }) { store in
        var cells = 0
        try changes.commit(to: store) { old, new in cells += Delta(from: old, to: new).countOfCells }
        try expect(cells, changes.count, as: "cells in the deltas")
        return changes.count
      } check: { store in
        try changes.check(store)
      }
    },
    Workload(
      "kernel_delta_nodes",
      "How many nodes, clusters and leaves such a delta looks at, in the place of nanoseconds; one op is a delta."
    ) { run in
      let changes = AgeChanges(run.n)
      let store = PublishedStore(try KernelStore(dogs: run.n))
      var visited = 0
      try changes.commit(to: store) { old, new in visited += Delta(from: old, to: new).nodesVisited }
      try changes.check(store)
      run.record(Double(visited), ops: changes.count)
    },
  ]
}

/// The kernel's tables with a latest version, which transactions replace.
private struct PublishedStore {
  let published: PublishedGraph
  let tables: KernelTables

  init(_ store: KernelStore) {
    published = PublishedGraph(store.graph)
    tables = store.tables
  }
}

extension Delta {
  /// The number of cells that the delta changes.
  fileprivate var countOfCells: Int {
    tables.reduce(0) { $0 + $1.updated.reduce(0) { $0 + $1.cells.count } }
  }
}

/// The changes of the transactions: ages of random dogs, each different from the previous age of the dog.
private struct AgeChanges {
  private let dogs: [Int]
  private let ages: [Int]
  // The sum of the ages of all dogs after all changes.
  private let sumOfAges: Int

  init(_ n: Int) {
    let dogs = Random.numbers(20_000, below: n, seed: 4)
    var latest = (0..<n).map(Dogs.age)
    ages = dogs.map { dog in
      latest[dog] = (latest[dog] + 1) % 100
      return latest[dog]
    }
    self.dogs = dogs
    sumOfAges = latest.reduce(0, +)
  }

  var count: Int { dogs.count }

  /// Makes each change in a transaction of its own, and calls `body` with the versions before and after it.
  @inline(__always)
  func commit(to store: PublishedStore, _ body: (Graph, Graph) -> Void) throws {
    for (dog, age) in zip(dogs, ages) {
      let transaction = store.published.begin()
      try transaction.set(Int64(age), store.tables.ageOfDog(dog))
      let graph = try store.published.publish(transaction)
      body(transaction.base, graph)
    }
  }

  /// Throws unless all changes are present, each with a version of its own.
  func check(_ store: PublishedStore) throws {
    let graph = store.published.current
    try expect(graph.version, UInt64(count), as: "versions")
    try KernelStore(graph, store.tables).checkAges(sumOfAges)
  }
}
