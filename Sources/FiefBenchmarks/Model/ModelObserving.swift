import Fief

// Writing while somebody observes, or holds an old version.

extension Workload {
  static let modelObserving = [
    Workload(
      "small_write_txn_pinned", "As small_write_txn, with a frozen version held from the beginning. One op is one."
    ) { run in
      let realm = try Realm.forBenchmark()
      let persons = try realm.addPersons(run.tenth)
      let choices = Random.numbers(20_000, below: run.tenth, seed: 7)
      try run.time {
        let frozen = realm.freeze()
        let before = frozen.objects(Person.self)[0].age
        for (turn, choice) in choices.enumerated() { try realm.write { persons[choice].age = turn } }
        try expect(persons[choices[19_999]].age, 19_999, as: "the age that was set last")
        try expect(frozen.objects(Person.self)[0].age, before, as: "the age in the frozen version")
        return 20_000
      }
    },
    observed("small_write_txn_observed", "a query that every person matches") {
      $0.objects(Person.self).where { $0.age >= 0 }
    },
    observed("small_write_txn_observed_all", "all persons") { $0.objects(Person.self) },
    Workload(
      "notification_roundtrip",
      "10 of N/10 persons changed in a write, of which a tenth match an observed query. One op is a write with "
        + "delivery."
    ) { run in
      let realm = try Realm.forBenchmark()
      let persons = try realm.addPersons(run.tenth)
      let matching = realm.objects(Person.self).where { $0.age < 9 }
      var told = 0
      let token = matching.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          told += deletions.count + insertions.count + modifications.count
        }
      }
      defer { token.invalidate() }
      realm.refresh()
      let young = Array(matching.map { $0.id })
      try run.time {
        told = 0
        for turn in 0..<200 {
          try realm.write {
            for step in 0..<10 { persons[young[(turn * 10 + step) % young.count]].score += 1 }
          }
          realm.refresh()
        }
        try expect(told, 2_000, as: "the number of reported modifications")
        return 200
      }
    },
  ]

  /// Small writes beside an observed collection.
  private static func observed(
    _ name: String, _ what: String, collection: @escaping @Sendable (Realm) -> Results<Person>
  ) -> Workload {
    Workload(name, "As small_write_txn, with a block that observes \(what). One op is a write with its delivery.") {
      run in
      let realm = try Realm.forBenchmark()
      let persons = try realm.addPersons(run.tenth)
      let choices = Random.numbers(2_000, below: run.tenth, seed: 7)
      var told = 0
      let token = collection(realm).observe { change in
        if case .update(_, _, _, let modifications) = change { told += modifications.count }
      }
      defer { token.invalidate() }
      realm.refresh()
      var base = 0
      try run.time {
        told = 0
        // Other ages in each measurement, because an equal value is no change.
        base += 100
        for (turn, choice) in choices.enumerated() {
          try realm.write { persons[choice].age = base + turn }
          realm.refresh()
        }
        try expect(told, choices.count, as: "the number of reported modifications")
        return choices.count
      }
    }
  }
}
