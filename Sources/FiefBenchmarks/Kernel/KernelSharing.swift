import FiefGraph
import Foundation
import Synchronization

// Versions read on some threads while another makes new ones.

extension Workload {
  static let kernelSharing = [
    Workload(
      "kernel_concurrent_read",
      "Two threads sum the ages of N dogs, always in the latest version, while a third commits 1000 transactions that change one row each. One op is a row scanned; the time is that of all three."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let dogs = Random.numbers(1000, below: run.n, seed: 12)
      try run.time {
        let shared = SharedVersions(store)
        let threads = DispatchGroup()
        for _ in 0..<2 {
          threads.enter()
          Thread {
            shared.readUntilFinished()
            threads.leave()
          }.start()
        }
        for dog in dogs { try shared.addYear(toDog: dog) }
        shared.finish()
        threads.wait()
        let result = shared.result
        try expect(result.isTorn, false, "a reader saw half a transaction")
        try expect(result.latest.commits, dogs.count, "commits")
        return result.scans * run.n
      }
    }
  ]
}

/// The latest version, and who reads it.
///
///     writer    begin ─ change ─ lock { publish } ─ begin ─ change ─ lock { publish } ─ …
///     readers   lock { take the latest } ─ scan ──────────── lock { take the latest } ─ scan ─ …
///
/// The lock protects the variable that holds the version, for as long as it takes to copy a reference; nobody holds it
/// while reading or changing rows.
private final class SharedVersions: Sendable {
  struct State {
    /// A version, and how many transactions led to it: each adds a year, so that its sum of ages is known.
    var latest: (store: KernelStore, commits: Int)
    var isFinished = false
    var isTorn = false
    var scans = 0
  }

  private let state: Mutex<State>
  private let sumAtFirst: Int

  init(_ store: KernelStore) {
    sumAtFirst = store.sumOfAges
    state = Mutex(State(latest: (store, 0)))
  }

  func addYear(toDog dog: Int) throws {
    var (store, commits) = state.withLock { $0.latest }
    let cell = store.tables.ageOfDog(dog)
    try store.write { transaction, tables in
      try transaction.set((transaction.load(Int64.self, cell) ?? 0) + 1, cell)
    }
    commits += 1
    state.withLock { $0.latest = (store, commits) }
  }

  func readUntilFinished() {
    var isFinished = false
    while !isFinished {
      let (store, commits) = state.withLock { $0.latest }
      let sum = store.sumOfAges
      isFinished = state.withLock { state in
        state.scans += 1
        if sum != sumAtFirst + commits { state.isTorn = true }
        return state.isFinished
      }
    }
  }

  func finish() { state.withLock { $0.isFinished = true } }

  var result: State { state.withLock { $0 } }
}
