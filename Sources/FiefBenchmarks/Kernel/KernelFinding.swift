import FiefGraph

// Finding rows.

extension Workload {
  static let kernelFinding = [
    Workload(
      "kernel_pk_lookup",
      "1000000 persons found by random primary keys among N/10, and the age of each read; one op is a look-up."
    ) { run in
      let store = try KernelStore(dogs: 0, persons: run.tenth)
      let ids = Random.numbers(1_000_000, below: run.tenth, seed: 11)
      let known = ids.reduce(0) { $0 + $1 % 80 }
      try run.time {
        try expect(sumOfAges(store, ids), known, as: "sum of ages")
        return ids.count
      }
    }
  ]

  @inline(never)
  private static func sumOfAges(_ store: KernelStore, _ ids: [Int]) throws -> Int {
    let (table, leaf) = store.column(store.tables.person.age, of: store.tables.person.table)
    var sum: Int64 = 0
    for id in ids {
      guard let key = table.find(primaryKey: .int(Int64(id))) else {
        throw WrongResult(description: "there is no person \(id)")
      }
      sum &+= table.load(Int64.self, key, leaf: leaf) ?? 0
    }
    return Int(sum)
  }
}
