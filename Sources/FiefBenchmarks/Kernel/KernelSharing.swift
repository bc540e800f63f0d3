import FiefGraph
import Foundation
import Synchronization

// Reading versions on some threads while another thread makes new ones.

extension Workload {
  static let kernelSharing =
    [
      Workload(
        "kernel_concurrent_read",
        "Two threads sum the ages of N dogs, always in the latest version, while a third commits 1000 transactions "
          + "that change one row each. One op is a row scanned; the time is that of all three."
      ) { run in
        let store = try KernelStore(dogs: run.n)
        let dogs = Random.numbers(1000, below: run.n, seed: 12)
        try run.time {
          let readers = Readers(of: PublishedGraph(store.graph), store.tables)
          let threads = DispatchGroup()
          for _ in 0..<2 {
            threads.enter()
            Thread {
              readers.readUntilFinished()
              threads.leave()
            }.start()
          }
          for dog in dogs { try addYear(ofDog: dog, readers.published, store.tables) }
          readers.finish()
          threads.wait()
          let result = readers.result
          try expect(result.isTorn, false, as: "a reader saw half a transaction")
          try expect(readers.published.current.version, UInt64(dogs.count), as: "versions")
          return result.scans * run.n
        }
      }
    ]
    + sharing("kernel_concurrent_read", rows: 1_000_000_000) { run in
      let store = try KernelStore(dogs: run.n)
      let readers = Readers(of: PublishedGraph(store.graph), store.tables)
      let dogs = Random.numbers(1000, below: run.n, seed: 12)
      return Sharing {
        readers.seesWhole
      } writer: {
        var turn = 0
        return {
          try addYear(ofDog: dogs[turn % dogs.count], readers.published, store.tables)
          turn += 1
        }
      }
    }

  private static func addYear(ofDog dog: Int, _ published: PublishedGraph, _ tables: KernelTables) throws {
    let transaction = published.begin()
    let cell = tables.ageOfDog(dog)
    try transaction.set((transaction.load(Int64.self, cell) ?? 0) + 1, cell)
    try published.publish(transaction)
  }
}

/// Threads that read the latest version repeatedly.
///
///     writer    begin ─ change ─ publish ─ begin ─ change ─ publish ─ …
///     readers   take the latest ─ scan ────────────────── take the latest ─ scan ─ …
///
/// Every transaction adds one year to one dog, so the version number determines the sum of ages of a version.
private final class Readers: Sendable {
  struct Result {
    var isFinished = false
    var isTorn = false
    var scans = 0
  }

  let published: PublishedGraph
  private let tables: KernelTables
  private let sumAtFirst: Int
  // The result of the readers. The lock is held for a few instructions after each scan.
  private let state = Mutex(Result())

  init(of published: PublishedGraph, _ tables: KernelTables) {
    self.published = published
    self.tables = tables
    sumAtFirst = KernelStore(published.current, tables).sumOfAges
  }

  func readUntilFinished() {
    var isFinished = false
    while !isFinished {
      let isWhole = seesWhole()
      isFinished = state.withLock { state in
        state.scans += 1
        if !isWhole { state.isTorn = true }
        return state.isFinished
      }
    }
  }

  /// Scans the latest version; returns whether it has the sum that it should have.
  func seesWhole() -> Bool {
    let graph = published.current
    return KernelStore(graph, tables).sumOfAges == sumAtFirst + Int(graph.version)
  }

  func finish() { state.withLock { $0.isFinished = true } }

  var result: Result { state.withLock { $0 } }
}
