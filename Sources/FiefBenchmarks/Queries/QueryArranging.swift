import FiefGraph
import FiefQueries

// Sorting all rows, and computing aggregates.

extension Workload {
  /// The workloads of FiefQueries on the kernel.
  static let queries = queryFinding + querySorting + queryAggregating

  static let querySorting = [
    Workload("kernel_sort_int", "N dogs sorted by age, the first and the last read; one op is a dog.") { run in
      try sort(run, "age") { $0 % 20 }
    },
    Workload("kernel_sort_string", "N dogs sorted by name, the first and the last read; one op is a dog.") { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      let names = Dogs.names(run.n)
      let known = (names.min(), names.max())
      try run.time {
        let rows = try sorted(store, "name")
        try expect(names[Int(rows[0].rawValue)], known.0 ?? "", as: "first name")
        try expect(names[Int(rows[rows.count - 1].rawValue)], known.1 ?? "", as: "last name")
        return run.n
      }
    },
  ]

  private static func sort(_ run: Run, _ property: String, known: (Int) -> Int) throws {
    let store = try QueryStore(dogs: run.n, persons: 0)
    try run.time {
      let rows = try sorted(store, property)
      try expect(rows.count, run.n, as: "dogs")
      try expect(Int(rows[0].rawValue), 0, as: "first dog")
      try expect(known(Int(rows[run.n - 1].rawValue)), 19, as: "age of the last dog")
      return run.n
    }
  }

  @inline(never)
  private static func sorted(_ store: QueryStore, _ property: String) throws -> ContiguousArray<ObjectKey> {
    let order = QueryModifier.sort([SortKey(PropertyPath(property))])
    return try CompiledQuery(ParsedQuery(QueryPredicate(true), [order]), of: store.dog, in: store.graph).rows(
      in: store.graph)
  }

  static let queryAggregating = [
    aggregate("kernel_aggregate_sum", .sum) { .int(Int64(Dogs.sumOfAges($0))) },
    aggregate("kernel_aggregate_max", .maximum) { .int(Int64(min($0, 20) - 1)) },
    aggregate("kernel_aggregate_avg", .average) { .double(Double(Dogs.sumOfAges($0)) / Double($0)) },
  ]

  private static func aggregate(
    _ name: String, _ operation: PropertyPath.Aggregate, known: @escaping @Sendable (Int) -> Value
  ) -> Workload {
    Workload(name, "The \(operation) of the ages of N dogs, 100 times; one op is a dog.") { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      let known = known(run.n)
      try run.time {
        for _ in 0..<100 {
          let query = try AggregateQuery(operation, PropertyPath(opaque("age")), of: store.dog, in: store.graph)
          try expect(query.total(in: store.graph).result, known, as: "\(operation)")
        }
        return 100 * run.n
      }
    }
  }
}
