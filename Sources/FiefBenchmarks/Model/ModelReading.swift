import Fief

// Reading and writing properties of managed objects.

extension Workload {
  static let modelReading = [
    Workload("read_property_hot", "One managed object, its age read 10000000 times. One op is a read.") { run in
      let realm = try Realm.forBenchmark()
      let dog = try realm.addDogs((0..<run.n).map { "dog\($0)" })[run.n / 2]
      let known = dog.age
      try run.time {
        var sum = 0
        for _ in 0..<10_000_000 { sum &+= dog.age }
        try expect(sum, known * 10_000_000, as: "sum of one age")
        return 10_000_000
      }
    },
    Workload("write_property_hot", "One managed object, its age set 1000000 times in one write. One op is a write.") {
      run in
      let realm = try Realm.forBenchmark()
      let dog = try realm.addDogs((0..<run.n).map { "dog\($0)" })[run.n / 2]
      try run.time {
        try realm.write { for value in 0..<1_000_000 { dog.age = value } }
        try expect(dog.age, 999_999, as: "age")
        return 1_000_000
      }
    },
    Workload("pk_lookup", "1000000 random look-ups of N/10 persons by primary key, reading the age. One op is one.") {
      run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addPersons(run.tenth)
      let keys = Random.numbers(1_000_000, below: run.tenth, seed: 7)
      try run.time {
        var sum = 0
        for key in keys { sum &+= realm.object(ofType: Person.self, forPrimaryKey: key)?.age ?? -1 }
        try expect(sum, keys.reduce(0) { $0 + $1 % 90 }, as: "sum of ages")
        return keys.count
      }
    },
    Workload("set_link", "The dog of N/10 persons set to a random one of N, in one write. One op is a set.") { run in
      let kennel = try Kennel(dogs: run.n, persons: run.tenth)
      var round: UInt64 = 6
      // Each measurement uses other dogs, because setting a link to its current target does no work.
      try run.time(fresh: {
        round += 1
        return Random.numbers(run.tenth, below: run.n, seed: round)
      }) { choices in
        try kennel.realm.write {
          for (person, choice) in zip(kennel.persons, choices) { person.dog = kennel.dogs[choice] }
        }
        return run.tenth
      } check: { choices in
        for (number, choice) in choices.enumerated() where number % 1000 == 7 {
          try expect(kennel.persons[number].dog?.name, kennel.dogs[choice].name, as: "the dog of person \(number)")
        }
      }
    },
    Workload(
      "small_write_txn", "20000 writes, each changing the age of a random one of N/10 persons. One op is a transaction."
    ) { run in
      let realm = try Realm.forBenchmark()
      let persons = try realm.addPersons(run.tenth)
      let choices = Random.numbers(20_000, below: run.tenth, seed: 7)
      try run.time {
        for (turn, choice) in choices.enumerated() { try realm.write { persons[choice].age = turn } }
        try expect(persons[choices[19_999]].age, 19_999, as: "the age that was set last")
        return 20_000
      }
    },
  ]
}
