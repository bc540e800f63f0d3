import Dispatch
import Fief
import Synchronization

// Reads and writes of asynchronous code, beside the same work with a realm of the thread.

extension Workload {
  static let asyncStores = [
    Workload(
      "async_read.direct", "200000 look-ups of N/10 persons by primary key in the realm of a thread. One op is one."
    ) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addPersons(run.tenth)
      let keys = Random.numbers(200_000, below: run.tenth, seed: 7)
      try run.time {
        var sum = 0
        for key in keys { sum &+= realm.object(ofType: Person.self, forPrimaryKey: key)?.age ?? -1 }
        try expect(sum, keys.reduce(0) { $0 + $1 % 90 }, as: "sum of ages")
        return keys.count
      }
    },
    reading("async_read", tasks: 1), reading("async_read.8", tasks: 8),
    writing("async_write", tasks: 1), writing("async_write.8", tasks: 8),
  ]

  private static func reading(_ name: String, tasks: Int) -> Workload {
    Workload(
      name,
      "200000 reads through a RealmStore by \(tasks) tasks, each a look-up of one of N/10 persons by primary key. One "
        + "op is a read."
    ) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addPersons(run.tenth)
      let configuration = realm.configuration
      let store = try wait { try await RealmStore(configuration: configuration) }
      let each = 200_000 / tasks
      let keys = (0..<tasks).map { Random.numbers(each, below: run.tenth, seed: UInt64($0 + 7)) }
      try run.time {
        let sum = try wait {
          try await withThrowingTaskGroup(of: Int.self) { group in
            for keys in keys {
              group.addTask {
                var sum = 0
                for key in keys {
                  sum &+= try await store.read { realm in
                    realm.object(ofType: Person.self, forPrimaryKey: key)?.age ?? -1
                  }
                }
                return sum
              }
            }
            return try await group.reduce(0, +)
          }
        }
        try expect(sum, keys.joined().reduce(0) { $0 + $1 % 90 }, as: "sum of ages")
        return each * tasks
      }
    }
  }

  private static func writing(_ name: String, tasks: Int) -> Workload {
    Workload(
      name,
      "20000 writes through a RealmStore by \(tasks) tasks, each setting the age of a random one of N/10 persons; in a "
        + "file, each is durable when it returns. One op is a write.", modes: [.mem, .disk]
    ) { run in
      try withStore { path in
        let configuration = run.mode == .disk ? Realm.benchmarkConfiguration(path) : .benchmark
        let realm = try Realm(configuration: configuration)
        _ = try realm.addPersons(run.tenth)
        let before: Int = realm.objects(Person.self).sum(of: \.age)
        let store = try wait { try await RealmStore(configuration: configuration) }
        let each = 20_000 / tasks
        let keys = (0..<tasks).map { Random.numbers(each, below: run.tenth, seed: UInt64($0 + 9)) }
        try run.time {
          try wait {
            try await withThrowingTaskGroup(of: Void.self) { group in
              for keys in keys {
                group.addTask {
                  for key in keys {
                    try await store.write { realm in
                      realm.object(ofType: Person.self, forPrimaryKey: key)?.age += 1
                    }
                  }
                }
              }
              try await group.waitForAll()
            }
          }
          return each * tasks
        }
        realm.refresh()
        let grown: Int = realm.objects(Person.self).sum(of: \.age) - before
        try expect(grown, each * tasks * run.runs, as: "the sum of what was added")
      }
    }
  }

  /// Runs asynchronous work, which uses no main actor, and waits for it.
  private static func wait<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
      isDone.signal()
    }
    isDone.wait()
    guard let result = outcome.result else { fatalError("The work has ended without a result.") }
    return try result.get()
  }

  private final class Outcome<Value: Sendable>: Sendable {
    private let held = Mutex<Swift.Result<Value, any Error>?>(nil)

    var result: Swift.Result<Value, any Error>? { held.withLock { $0 } }

    func set(_ result: Swift.Result<Value, any Error>) { held.withLock { $0 = result } }
  }
}
