import Fief
import Observation
import Synchronization

// Reading within `withObservationTracking`, and changing what was read.

extension Workload {
  static let modelTracking = [
    reading("observation_untracked_read", "outside of scopes") { $0() },
    reading("observation_tracking_read", "in a tracking scope for each round, which the change notifies") { scope in
      withObservationTracking(scope) {}
    },
    reading(
      "observation_tracking_main_gone",
      "in a tracking scope as observation_tracking_read, after the main thread has ceased to serve the main queue",
      isMainThreadGone: true
    ) { scope in
      withObservationTracking(scope) {}
    },
    Workload(
      "observation_scopes", "A tracking scope for each of N/10 dogs, which reads name and age. One op is a scope."
    ) { run in
      let dogs = try dogs(run).prefix(run.tenth)
      try run.time {
        var sum = 0
        for dog in dogs {
          withObservationTracking {
            sum &+= dog.age &+ dog.name.utf8.count
          } onChange: {
          }
        }
        try expect(sum, dogs.reduce(0) { $0 + $1.age + $1.name.utf8.count }, as: "what was read")
        return dogs.count
      }
    },
    Workload(
      "small_write_txn_tracked",
      "2000 writes, each changing the age of a random one of N dogs; a scope for each has read it. One op is a write "
        + "and the scope of the changed dog, run again."
    ) { run in
      let dogs = try dogs(run)
      let realm = try found(dogs[0].realm, "the realm of a dog")
      let choices = Random.numbers(2_000, below: dogs.count, seed: 7)
      let notified = Mutex(0)
      func track(_ dog: Dog) {
        withObservationTracking {
          _ = dog.age
        } onChange: {
          notified.withLock { $0 += 1 }
        }
      }
      for dog in dogs { track(dog) }
      var base = 0
      try run.time {
        base += 100
        let before = notified.withLock { $0 }
        for (turn, choice) in choices.enumerated() {
          try realm.write { dogs[choice].age = base + turn }
          track(dogs[choice])
        }
        try expect(notified.withLock { $0 } - before, choices.count, as: "the number of notified scopes")
        return choices.count
      }
    },
  ]

  private static func reading(
    _ name: String, _ place: String, isMainThreadGone: Bool = false,
    tracking track: @escaping @Sendable (() -> Void) -> Void
  ) -> Workload {
    Workload(
      name,
      "Ten rounds, each reading name, age and name again of all N dogs, \(place), and changing one of them. One op is "
        + "a read."
    ) { run in
      let dogs = try dogs(run)
      let realm = try found(dogs[0].realm, "the realm of a dog")
      var next = 100
      func measure() throws {
        try run.time {
          var (sum, known) = (0, 0)
          for round in 0..<10 {
            track { for dog in dogs { sum &+= read(dog) } }
            known = round == 0 ? sum : known
            next += 1
            try realm.write { dogs[round].age = next }
          }
          try expect(sum > 9 * known, true, as: "more was read in the later rounds")
          return 30 * dogs.count
        }
      }
      if isMainThreadGone { run.whenMainThreadIsGone(measure) } else { try measure() }
    }
  }

  private static func dogs(_ run: Run) throws -> [Dog] {
    try Realm.forBenchmark().addDogs((0..<run.n).map { "dog\($0)" })
  }

  @inline(never)
  private static func read(_ dog: Dog) -> Int { dog.name.utf8.count &+ dog.age &+ dog.name.utf8.count }
}
