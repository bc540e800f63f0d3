import FiefGraph

// The memory of rows.

extension Workload {
  static let kernelMeasuring = [
    Workload(
      "kernel_memory_bytes",
      "Resident bytes after N rows of (String, Int) less those before, in the place of nanoseconds; one op is a row. "
        + "Names are made before and are short enough to need no memory of their own."
    ) { run in
      let names = Dogs.names(run.n)
      var store = try KernelStore()
      let before = Memory.resident
      try store.write { transaction, tables in try tables.addDogs(names, transaction) }
      let after = Memory.resident
      try expect(before > 0, true, as: "the system tells what is resident")
      // Only the first measurement is valid: a second one would reuse memory that the first has released.
      run.record(Double(after - before), ops: run.n)
      try store.check(store.tables.dog.table, has: run.n)
      try store.checkAges(names.indices.reduce(0) { $0 + Dogs.age($1) })
    }
  ]
}
