import Dispatch
import Fief

// Reading and writing properties where a realm is not confined to a plain thread.

extension Workload {
  static let modelConfined = [
    Workload(
      "read_property_queue", "As read_property_hot, in a realm of a serial queue, within one block. One op is a read."
    ) { run in try onQueue(run) { try read($0, run) } },
    Workload(
      "write_property_queue",
      "As write_property_hot, in a realm of a serial queue, within one block. One op is a write."
    ) { run in try onQueue(run) { try write($0, run) } },
    Workload("read_property_actor", "As read_property_hot, in a realm of an actor, within one call. One op is a read.")
    {
      run in try onActor(run) { try read($0, run) }
    },
    Workload(
      "write_property_actor", "As write_property_hot, in a realm of an actor, within one call. One op is a write."
    ) { run in try onActor(run) { try write($0, run) } },
    Workload(
      "read_property_main_gone",
      "As read_property_hot, after the main thread has ceased to serve the main queue, to which the realm belongs. One "
        + "op is a read."
    ) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      run.whenMainThreadIsGone { try read(realm, run) }
    },
    Workload(
      "read_property_main_late", "As read_property_main_gone, in a realm that is opened afterwards. One op is a read."
    ) { run in
      run.whenMainThreadIsGone {
        let realm = try Realm.forBenchmark()
        _ = try realm.addDogs((0..<run.n).map { "dog\($0)" })
        try read(realm, run)
      }
    },
    Workload("read_property_frozen", "As read_property_hot, of a frozen object. One op is a read.") { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      try read(realm.freeze(), run)
    },
  ]

  private static func dog(of realm: Realm, _ run: Run) throws -> Dog {
    try found(realm.objects(Dog.self).where { $0.name == "dog\(run.n / 2)" }.first, "the dog in the middle")
  }

  private static func read(_ realm: Realm, _ run: Run) throws {
    let dog = try dog(of: realm, run)
    let known = dog.age
    try run.time {
      var sum = 0
      for _ in 0..<10_000_000 { sum &+= dog.age }
      try expect(sum, known * 10_000_000, as: "sum of one age")
      return 10_000_000
    }
  }

  private static func write(_ realm: Realm, _ run: Run) throws {
    let dog = try dog(of: realm, run)
    try run.time {
      try realm.write { for value in 0..<1_000_000 { dog.age = value } }
      try expect(dog.age, 999_999, as: "age")
      return 1_000_000
    }
  }

  /// Runs the body in a block of a serial queue, with a realm of that queue.
  private static func onQueue(_ run: Run, _ body: (Realm) throws -> Void) throws {
    let queue = DispatchQueue(label: "benchmark")
    try queue.sync {
      let realm = try Realm(configuration: .benchmark, queue: queue)
      _ = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      try body(realm)
    }
  }

  /// Runs the body in a call of an actor, with a realm of that actor.
  private static func onActor(_ run: Run, _ body: @escaping (Realm) throws -> Void) throws {
    let work = Work(run: run, body: body)
    let done = DispatchSemaphore(value: 0)
    Task {
      await Worker().perform(work)
      done.signal()
    }
    done.wait()
    if let error = work.error { throw error }
  }

  /// What an actor is to do. The caller waits while the actor uses it.
  private final class Work: @unchecked Sendable {
    let run: Run
    let body: (Realm) throws -> Void
    var error: (any Error)?

    init(run: Run, body: @escaping (Realm) throws -> Void) {
      self.run = run
      self.body = body
    }
  }

  private actor Worker {
    func perform(_ work: Work) async {
      do {
        let realm = try await Realm(configuration: .benchmark, actor: self)
        _ = try realm.addDogs((0..<work.run.n).map { "dog\($0)" })
        try work.body(realm)
      } catch {
        work.error = error
      }
    }
  }
}
