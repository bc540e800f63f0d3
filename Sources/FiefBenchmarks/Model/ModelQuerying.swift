import Fief

// Conditions, sorts and aggregates of results. Each measurement makes new results.

extension Workload {
  static let modelQuerying = modelFinding + modelSorting + modelTotals

  private static let modelFinding = [
    counting("query_int_range", "age < 2 of N dogs, 100 times; one op is a row.", times: 100) { dogs in
      dogs.where { $0.age < opaque(2) }
    } known: {
      Dogs.age($0) < 2
    },
    counting("query_string_eq_unindexed", "name == 'dog777' of N dogs, 20 times; one op is a row.", times: 20) { dogs in
      dogs.where { $0.name == opaque("dog777") }
    } known: {
      $0 == 777
    },
    Workload(
      "query_string_eq_indexed",
      "city == X of N/10 persons in 1000 cities, by an index, 100000 times; one op is a query."
    ) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addPersons(run.tenth)
      let numbers = Random.numbers(100_000, below: 1000, seed: 3)
      let cities = numbers.map { "city\($0)" }
      let known = numbers.reduce(0) { sum, city in
        sum + (run.tenth / 1000) + (city < run.tenth % 1000 ? 1 : 0)
      }
      try run.time {
        var sum = 0
        for city in cities { sum += realm.objects(Person.self).where { $0.city == city }.count }
        try expect(sum, known, as: "persons")
        return cities.count
      }
    },
    counting("query_string_contains", "name CONTAINS '99' of N dogs, 5 times; one op is a row.", times: 5) { dogs in
      dogs.where { $0.name.contains(opaque("99")) }
    } known: {
      "\($0)".contains("99")
    },
    counting("query_string_contains_c", "name CONTAINS[c] 'DOG99' of N dogs, 5 times; one op is a row.", times: 5) {
      dogs in
      dogs.where { $0.name.contains(opaque("DOG99"), options: .caseInsensitive) }
    } known: {
      "\($0)".hasPrefix("99")
    },
    counting(
      "query_compound", "age >= 5 AND age < 10 AND name BEGINSWITH 'dog1' of N dogs, 5 times; one op is a row.",
      times: 5
    ) { dogs in
      dogs.where { $0.age >= opaque(5) && $0.age < 10 && $0.name.starts(with: "dog1") }
    } known: {
      (5..<10).contains(Dogs.age($0)) && "\($0)".hasPrefix("1")
    },
    Workload("query_link", "dog.age > 10 of N/10 persons with random dogs; one op is a person.") { run in
      let realm = try Realm.forBenchmark()
      let dogs = try realm.addDogs(Dogs.names(run.n))
      let persons = try realm.addPersons(run.tenth)
      let order = Random.numbers(run.tenth, below: run.n, seed: 5)
      try realm.write { for (person, number) in zip(persons, order) { person.dog = dogs[number] } }
      let known = order.count { Dogs.age($0) > 10 }
      try run.time {
        try expect(realm.objects(Person.self).where { $0.dog.age > opaque(10) }.count, known, as: "persons")
        return run.tenth
      }
    },
  ]

  /// Counts the dogs that satisfy a condition, the given number of times.
  private static func counting(
    _ name: String, _ text: String, times: Int, asking ask: @escaping @Sendable (Results<Dog>) -> Results<Dog>,
    known: @escaping @Sendable (Int) -> Bool
  ) -> Workload {
    Workload(name, text) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs(Dogs.names(run.n))
      let expected = (0..<run.n).count(where: known)
      try run.time {
        for _ in 0..<times { try expect(ask(realm.objects(Dog.self)).count, expected, as: "dogs") }
        return times * run.n
      }
    }
  }

  private static let modelSorting = [
    Workload("sort_int", "N dogs sorted by age, the first and the last read; one op is a dog.") { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs(Dogs.names(run.n))
      try run.time {
        let sorted = realm.objects(Dog.self).sorted(by: \.age)
        try expect(sorted.first?.age ?? -1, 0, as: "age of the first")
        try expect(sorted.last?.age ?? -1, min(run.n, 20) - 1, as: "age of the last")
        return run.n
      }
    },
    Workload("sort_string", "N dogs sorted by name, the first and the last read; one op is a dog.") { run in
      let realm = try Realm.forBenchmark()
      let names = Dogs.names(run.n)
      _ = try realm.addDogs(names)
      let known = (names.min() ?? "", names.max() ?? "")
      try run.time {
        let sorted = realm.objects(Dog.self).sorted(by: \.name)
        try expect(sorted.first?.name ?? "", known.0, as: "first name")
        try expect(sorted.last?.name ?? "", known.1, as: "last name")
        return run.n
      }
    },
  ]

  private static let modelTotals = [
    total("aggregate_sum", "The sum of the ages of N dogs, 100 times; one op is a dog.") {
      $0.sum(of: \.age)
    } known: {
      Dogs.sumOfAges($0)
    },
    total("aggregate_max", "The greatest of the ages of N dogs, 100 times; one op is a dog.") {
      $0.max(of: \.age)
    } known: {
      min($0, 20) - 1
    },
    total("aggregate_avg", "The average of the ages of N dogs, 100 times; one op is a dog.") {
      $0.average(ofProperty: "age")
    } known: {
      Double(Dogs.sumOfAges($0)) / Double($0)
    },
  ]

  private static func total<Number: Equatable & Sendable>(
    _ name: String, _ text: String, asking ask: @escaping @Sendable (Results<Dog>) -> Number?,
    known: @escaping @Sendable (Int) -> Number
  ) -> Workload {
    Workload(name, text) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs(Dogs.names(run.n))
      let expected = known(run.n)
      try run.time {
        for _ in 0..<100 { try expect(ask(realm.objects(Dog.self)), expected, as: name) }
        return 100 * run.n
      }
    }
  }
}
