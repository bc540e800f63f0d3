import FiefGraph

// Scanning one column of all rows.

extension Workload {
  static let kernelScanning = [
    Workload(
      "kernel_count_int_below", "How many of N dogs are younger than 2, 100 times; one op is a row looked at."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let (table, leaf) = store.agesOfDogs
      let known = Dogs.countYounger(than: 2, of: run.n)
      try run.time {
        for _ in 0..<100 { try expect(table.count(below: opaque(2), leaf: leaf), known, as: "count") }
        return 100 * run.n
      }
    },
    Workload("kernel_sum_int", "The sum of the ages of N dogs, 100 times; one op is a row.") { run in
      let store = try KernelStore(dogs: run.n)
      let (table, leaf) = store.agesOfDogs
      let known = Dogs.sumOfAges(run.n)
      try run.time {
        for _ in 0..<100 { try expect(table.sum(leaf: opaque(leaf)), known, as: "sum") }
        return 100 * run.n
      }
    },
    Workload(
      "kernel_string_equal",
      "How many of N dogs are named dog777, 20 times, without an index; one op is a row looked at."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let (table, leaf) = store.column(store.tables.dog.name, of: store.tables.dog.table)
      try run.time {
        for _ in 0..<20 { try expect(table.count(of: opaque("dog777"), leaf: leaf), 1, as: "count") }
        return 20 * run.n
      }
    },
  ]
}
