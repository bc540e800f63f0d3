import FiefGraph
import FiefQueries

// Counting the rows that satisfy a condition. Each measurement makes and binds the condition again.

extension Workload {
  static let queryFinding = [
    Workload("kernel_query_int_range", "age < 2 of N dogs, 100 times; one op is a row.") { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      let known = Dogs.countYounger(than: 2, of: run.n)
      try run.time {
        for _ in 0..<100 {
          let young = QueryStore.comparison("age", is: .less, .int(opaque(2)))
          try expect(store.count(young, of: store.dog), known, as: "dogs")
        }
        return 100 * run.n
      }
    },
    Workload("kernel_query_string_eq_unindexed", "name == 'dog777' of N dogs, 20 times; one op is a row.") { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      try run.time {
        for _ in 0..<20 {
          let named = QueryStore.comparison("name", is: .equal, .string(opaque("dog777")))
          try expect(store.count(named, of: store.dog), 1, as: "dogs")
        }
        return 20 * run.n
      }
    },
    Workload(
      "kernel_query_string_eq_indexed",
      "city == X of N/10 persons in 1000 cities, by an index, 100000 times; one op is a query."
    ) { run in
      let store = try QueryStore(dogs: 0, persons: run.tenth)
      let cities = Random.numbers(100_000, below: 1000, seed: 3).map(QueryStore.city)
      let known = Random.numbers(100_000, below: 1000, seed: 3).reduce(0) { sum, city in
        sum + (run.tenth / 1000) + (city < run.tenth % 1000 ? 1 : 0)
      }
      try run.time {
        var sum = 0
        for city in cities {
          sum += try store.count(QueryStore.comparison("city", is: .equal, .string(city)), of: store.person)
        }
        try expect(sum, known, as: "persons")
        return cities.count
      }
    },
    Workload("kernel_query_string_contains", "name CONTAINS '99' of N dogs, 5 times; one op is a row.") { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      let known = (0..<run.n).count { "\($0)".contains("99") }
      try run.time {
        for _ in 0..<5 {
          let named = QueryStore.comparison("name", is: .contains, .string(opaque("99")))
          try expect(store.count(named, of: store.dog), known, as: "dogs")
        }
        return 5 * run.n
      }
    },
    Workload("kernel_query_string_contains_c", "name CONTAINS[c] 'DOG99' of N dogs, 5 times; one op is a row.") { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      let known = (0..<run.n).count { "\($0)".hasPrefix("99") }
      try run.time {
        for _ in 0..<5 {
          let named = QueryStore.comparison("name", is: .contains, .string(opaque("DOG99")), options: .caseInsensitive)
          try expect(store.count(named, of: store.dog), known, as: "dogs")
        }
        return 5 * run.n
      }
    },
    Workload("kernel_query_link", "dog.age > 10 of N/10 persons with random dogs; one op is a person.") { run in
      let store = try QueryStore(dogs: run.n, persons: run.tenth)
      let known = store.dogOfPerson.count { Dogs.age($0) > 10 }
      try run.time {
        let old = QueryStore.comparison("dog", "age", is: .greater, .int(opaque(10)))
        try expect(store.count(old, of: store.person), known, as: "persons")
        return store.persons
      }
    },
    Workload(
      "kernel_query_compound", "age >= 5 AND age < 10 AND name BEGINSWITH 'dog1' of N dogs, 5 times; one op is a row."
    ) { run in
      let store = try QueryStore(dogs: run.n, persons: 0)
      let known = (0..<run.n).count { (5..<10).contains(Dogs.age($0)) && "\($0)".hasPrefix("1") }
      try run.time {
        for _ in 0..<5 {
          let some =
            QueryStore.comparison("age", is: .greaterOrEqual, .int(opaque(5)))
            && QueryStore.comparison("age", is: .less, .int(10))
            && QueryStore.comparison("name", is: .beginsWith, .string(opaque("dog1")))
          try expect(store.count(some, of: store.dog), known, as: "dogs")
        }
        return 5 * run.n
      }
    },
  ]
}
