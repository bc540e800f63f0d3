import Dispatch
import Fief
import Foundation
import Synchronization

// Files that several processes have open, and what it costs that they may.

extension Workload {
  static let sharingFiles: [Workload] = {
    #if os(Linux) || os(macOS)
      [1, 2, 4].flatMap { [together($0, isRelaxed: false), together($0, isRelaxed: true)] }
        + [2, 4].flatMap { [fairness($0, isRelaxed: false), fairness($0, isRelaxed: true)] }
        + [across("median", 0.5), across("p99", 0.99)] + costs
    #else
      []
    #endif
  }()

  #if os(Linux) || os(macOS)
    private static func name(_ processes: Int, _ isRelaxed: Bool) -> String {
      "small_write_txn_processes\(isRelaxed ? "_relaxed" : "").\(processes)"
    }

    /// Small writes of several processes in one file.
    private static func together(_ processes: Int, isRelaxed: Bool) -> Workload {
      Workload(
        name(processes, isRelaxed),
        "\(processes) processes that share a file make small writes\(isRelaxed ? " without synchronizing" : "") "
          + "for 1.5 seconds, each changing the age of a random person of 1000. One op is a commit of any process.",
        modes: [.disk]
      ) { run in
        for _ in 0..<run.runs {
          let results = try write(processes, isRelaxed: isRelaxed)
          let time = results.map(\.time).max() ?? 0
          run.record(Double(time), ops: results.reduce(0) { $0 + $1.commits })
        }
      }
    }

    /// How equally processes come to write.
    private static func fairness(_ processes: Int, isRelaxed: Bool) -> Workload {
      Workload(
        name(processes, isRelaxed) + ".fairness.percent",
        "The commits of the slowest process of \(name(processes, isRelaxed)), in percent of those of the fastest.",
        modes: [.disk]
      ) { run in
        for _ in 0..<run.runs {
          let commits = try write(processes, isRelaxed: isRelaxed).map(\.commits)
          run.record(100 * Double(commits.min() ?? 0) / Double(max(1, commits.max() ?? 1)), ops: 1)
        }
      }
    }

    /// Runs processes that write, and compares the file with what they say.
    private static func write(_ processes: Int, isRelaxed: Bool) throws -> [(commits: Int, time: Int)] {
      try withStore { path in
        try makePersons(at: path)
        let others = try (0..<processes).map { _ in
          try OtherProcess(isRelaxed ? .writingRelaxed : .writing, at: path)
        }
        for other in others { other.say("go") }
        let results = try others.map { other in
          let words = other.nextLine().split(separator: " ").compactMap { Int($0) }
          try expect(words.count, 2, as: "the numbers of another process")
          return (commits: words[0], time: words[1])
        }
        for other in others { try other.finish() }
        let sum: Int = try Realm.onDisk(path).objects(Person.self).sum(of: \.age)
        try expect(sum, results.reduce(0) { $0 + $1.commits }, as: "the sum of the ages")
        return results
      }
    }

    private static func makePersons(at path: String) throws {
      let realm = try Realm.onDisk(path)
      _ = try realm.addPersons(1000)
      try realm.write { for person in realm.objects(Person.self) { person.age = 0 } }
      try realm.compact()
    }

    /// The time from before a write until its notification in another process.
    private static func across(_ what: String, _ share: Double) -> Workload {
      Workload(
        "notification_across_processes.\(what)",
        "The \(what) of the times from before a small write until a block that observes results in another process is "
          + "called, of 300 writes 2 to 10 ms apart. One op is a write.", modes: [.disk]
      ) { run in
        for _ in 0..<run.runs {
          let times = try notificationTimes()
          run.record(times[Int(Double(times.count - 1) * share)], ops: 1)
        }
      }
    }

    /// - Returns: nanoseconds, the shortest first.
    private static func notificationTimes() throws -> [Double] {
      try withStore { path in
        try makePersons(at: path)
        let other = try OtherProcess(.answering, at: path)
        let realm = try Realm.onDisk(path, .relaxed)
        let person = try found(realm.objects(Person.self).first, "a person")
        var times: [Double] = []
        let token = realm.objects(Person.self).observe { change in
          if case .update = change { times.append(Double(OtherProcess.moment - person.age)) }
        }
        defer { token.invalidate() }
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.1))
        for pause in Random.numbers(300, below: 8, seed: 3) {
          RunLoop.main.run(until: Date(timeIntervalSinceNow: Double(2 + pause) / 1000))
          let count = times.count
          other.say("write")
          while times.count == count { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
        }
        try other.finish()
        return times.sorted()
      }
    }

    // MARK: Alone

    private static let costs = [
      cost("small_write_txn_relaxed", "a small write that does not wait for the disk") { realm, persons in
        for turn in 0..<2000 { try realm.write { persons[turn % persons.count].age = turn } }
        return 2000
      },
      cost("small_write_txn_grouped", "a small write whose synchronization is shared with others") { realm, persons in
        let left = Mutex(2000)
        for turn in 0..<2000 {
          realm.beginWrite()
          persons[turn % persons.count].age = turn
          realm.commitAsyncWrite(allowGrouping: true) { _ in left.withLock { $0 -= 1 } }
        }
        while left.withLock({ $0 }) > 0 { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
        return 2000
      },
      cost("pk_lookup", "a look-up by primary key") { realm, persons in
        var sum = 0
        for key in 0..<200_000 { sum &+= realm.object(ofType: Person.self, forPrimaryKey: key % 1000)?.age ?? 0 }
        _ = opaque(sum)
        return 200_000
      },
      cost("read_property_hot", "a read of a property") { _, persons in
        var sum = 0
        let person = persons[7]
        for _ in 0..<2_000_000 { sum &+= person.age }
        _ = opaque(sum)
        return 2_000_000
      },
    ].flatMap { $0 }

    /// The same work in a file that other processes may open, and in one that they may not.
    private static func cost(
      _ name: String, _ what: String, _ body: @escaping @Sendable (Realm, [Person]) throws -> Int
    ) -> [Workload] {
      func measured(_ end: String, _ words: String, _ figure: @escaping @Sendable (Double, Double) -> Double)
        -> Workload
      {
        Workload("sharing_cost_\(name).\(end)", "\(words) \(what) by a process that is alone.", modes: [.disk]) { run in
          let (shared, exclusive, ops) = try turns(body)
          for _ in 0..<run.runs { run.record(figure(shared, exclusive) * Double(ops), ops: ops) }
        }
      }
      return [
        measured("shared", "In a file that others may open,") { shared, _ in shared },
        measured("exclusive", "In a file that others may not open,") { $1 },
        measured("difference", "The difference of both:") { $0 - $1 },
      ]
    }

    /// Works on both files in turn, because a machine is faster at one time than at another one.
    ///
    /// - Returns: the shortest times of an operation, in nanoseconds, and the operations of a turn.
    private static func turns(
      _ body: (Realm, [Person]) throws -> Int
    ) throws -> (shared: Double, exclusive: Double, ops: Int) {
      try withStore { path in
        func open(_ path: String, isExclusive: Bool) throws -> (Realm, [Person]) {
          try makePersons(at: path)
          var configuration = Realm.benchmarkConfiguration(path, .relaxed)
          configuration.isExclusive = isExclusive
          let realm = try Realm(configuration: configuration)
          return (realm, Array(realm.objects(Person.self)))
        }
        let shared = try open(path, isExclusive: false)
        let exclusive = try open(path + "2", isExclusive: true)
        var least = (shared: Double.infinity, exclusive: Double.infinity)
        var ops = 0
        func time(_ work: (Realm, [Person])) throws -> Double {
          let start = ContinuousClock.now
          ops = try body(work.0, work.1)
          return start.nanoseconds / Double(ops)
        }
        for _ in 0..<40 {
          least.shared = min(least.shared, try time(shared))
          least.exclusive = min(least.exclusive, try time(exclusive))
        }
        return (least.shared, least.exclusive, ops)
      }
    }
  #endif
}
