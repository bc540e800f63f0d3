import Dispatch
import Fief
import Foundation
import Synchronization

// Commits that no thread waits for: their speed, and the time for which they hold up their executor.

extension Workload {
  static let asyncCommits = [
    Workload(
      "small_write_txn_async",
      "2000 writes queued at once, each setting the age of a random one of N/10 persons, until all are durable. "
        + "One op is a write.",
      modes: [.disk]
    ) { run in
      try measure(run, writers: 1, commitsEach: 2_000) { realm, write in
        for turn in 0..<2_000 {
          realm.writeAsync {
            write(turn)
          } onComplete: {
            finished($0)
          }
        }
      }
    },
    grouped(1), grouped(8), grouped(64),
    Workload(
      "small_write_txn_async.hold",
      "The longest time in nanoseconds that 1000 asynchronous writes, one each half millisecond, hold up their queue, "
        + "on a disk that takes 20 ms to synchronize.",
      modes: [.disk]
    ) { run in try measureHold(run) },
  ]

  /// Commits of several writers, each on a queue of its own, which all may be grouped.
  private static func grouped(_ writers: Int) -> Workload {
    let each = 20_000 / writers
    return Workload(
      "small_write_txn_grouped.\(writers)",
      "20000 grouped commits by \(writers) writers on queues of their own, which do not refresh by themselves, until "
        + "all are durable. One op is a commit.", modes: [.disk]
    ) { run in
      try measure(run, writers: writers, commitsEach: each) { realm, write in
        for turn in 0..<each {
          realm.beginWrite()
          write(turn)
          realm.commitAsyncWrite(allowGrouping: true) { finished($0) }
        }
      }
    }
  }

  /// The commits that are durable, and the first error.
  private static let done = Mutex((count: 0, failure: (any Error)?.none))

  private static func finished(_ failure: (any Error)?) {
    done.withLock { done in
      done.count += 1
      if let failure { done.failure = done.failure ?? failure }
    }
  }

  private struct Held: @unchecked Sendable { let realm: Realm }

  /// Times writers until their commits are durable, and checks what the file holds then.
  private static func measure(
    _ run: Run, writers: Int, commitsEach: Int,
    _ body: @escaping @Sendable (Realm, @escaping (Int) -> Void) -> Void
  ) throws {
    try withStore { path in
      let configuration = Realm.benchmarkConfiguration(path)
      let realm = try Realm(configuration: configuration)
      _ = try realm.addPersons(run.tenth)
      try realm.compact()
      let count = run.tenth
      let before: Int = realm.objects(Person.self).sum(of: \.age)
      let expected = commitsEach * writers
      // The opening of realms is not part of their commits.
      let queues = (0..<writers).map { DispatchQueue(label: "writer \($0)") }
      let realms = try queues.map { queue in
        try queue.sync {
          let realm = try Realm(configuration: configuration, queue: queue)
          realm.autorefresh = false
          return Held(realm: realm)
        }
      }
      let choices = (0..<writers).map { Random.numbers(commitsEach, below: count, seed: UInt64($0 + 1)) }
      try run.time {
        done.withLock { $0 = (0, nil) }
        for (number, queue) in queues.enumerated() {
          let (held, choices) = (realms[number], choices[number])
          queue.async {
            let persons = held.realm.objects(Person.self)
            body(held.realm) { turn in persons[choices[turn]].age += 1 }
          }
        }
        while done.withLock({ $0.count }) < expected { Thread.sleep(forTimeInterval: 0.0002) }
        if let failure = done.withLock({ $0.failure }) { throw failure }
        return expected
      }
      realm.refresh()
      let grown: Int = realm.objects(Person.self).sum(of: \.age) - before
      try expect(grown, commitsEach * writers * run.runs, as: "the sum of what was added")
    }
  }

  private static func measureHold(_ run: Run) throws {
    try withStore { path in
      var configuration = Realm.benchmarkConfiguration(path)
      configuration.fileSystem = SlowDisk(time: 0.02)
      let queue = DispatchQueue(label: "held")
      let heartbeat = try queue.sync { try Heartbeat(queue, Realm(configuration: configuration, queue: queue)) }
      for _ in 0..<run.runs {
        done.withLock { $0 = (0, nil) }
        run.record(heartbeat.longestPause(), ops: 1)
        if let failure = done.withLock({ $0.failure }) { throw failure }
      }
    }
  }

  /// A block on a queue that schedules itself again and again. The time between two of its runs is that of the blocks
  /// that ran between them. The queue's thread never sleeps, so no time for waking it is part of that.
  private final class Heartbeat: @unchecked Sendable {
    // All of it is used on the queue alone.
    private let queue: DispatchQueue
    private let realm: Realm
    private let persons: [Person]
    private var last = ContinuousClock.now
    private var longest = 0.0
    private var turn = 0
    private let ended = DispatchSemaphore(value: 0)

    /// Called on the queue.
    init(_ queue: DispatchQueue, _ realm: Realm) throws {
      self.queue = queue
      self.realm = realm
      persons = try realm.addPersons(Self.count)
    }

    private static let count = 1000

    /// Requests a write every half millisecond, until all are durable.
    ///
    /// - Returns: the longest time between two beats, in nanoseconds.
    func longestPause() -> Double {
      queue.async {
        (self.last, self.longest, self.turn) = (.now, 0, 0)
        self.beat(nextWrite: .now)
      }
      ended.wait()
      return queue.sync { longest }
    }

    private func beat(nextWrite: ContinuousClock.Instant) {
      longest = max(longest, last.nanoseconds)
      last = .now
      var nextWrite = nextWrite
      if turn < Self.count, last >= nextWrite {
        let person = persons[turn]
        realm.writeAsync {
          person.age += 1
        } onComplete: {
          finished($0)
        }
        turn += 1
        nextWrite = last + .microseconds(500)
      }
      if done.withLock({ $0.count }) == Self.count { return _ = ended.signal() }
      queue.async { [nextWrite] in self.beat(nextWrite: nextWrite) }
    }
  }
}
