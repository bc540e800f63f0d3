import FiefGraph

// Deltas between versions with many differences.

extension Workload {
  static let kernelComparing = [
    Workload(
      "kernel_delta_from_empty",
      "The delta from the empty graph to N dogs, which is what a snapshot writes, and a walk over all its cells; one "
        + "op is a row."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let leaf = store.agesOfDogs.leaf
      let known = Dogs.names(run.n).reduce(Dogs.sumOfAges(run.n)) { $0 + $1.utf8.count }
      try run.time {
        let delta = Delta(from: .empty, to: store.graph)
        try expect(walk(delta, age: leaf), known, as: "sum of ages and names' lengths")
        return run.n
      }
    }
  ]

  @inline(never)
  private static func walk(_ delta: Delta, age leaf: Int) -> Int {
    var sum: Int64 = 0
    for table in delta.tables {
      for inserted in table.inserted {
        let cluster = inserted.rows
        let (names, ages) = (cluster[leaf: 1 - leaf], cluster[leaf: leaf])
        for slot in 0..<cluster.count {
          sum &+= ages.load(Int64.self, at: slot) ?? 0
          sum &+= Int64(names.load(String.self, at: slot)?.utf8.count ?? 0)
        }
      }
    }
    return Int(sum)
  }
}
